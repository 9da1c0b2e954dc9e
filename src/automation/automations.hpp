// The use cases of automations: what the interface offers, checked before the store is asked.
//
// Threads: from any event loop.
#pragma once

#include "api/wire/automation_run.hpp"
#include "automation/definition.hpp"
#include "automation/options.hpp"
#include "base/task.hpp"
#include "chat/runs.hpp"
#include "engine/models.hpp"
#include "store/store.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::automation {

class Automations {
public:
    // `wake` is called after each change that may make something due. All must outlive it.
    Automations(store::Store& store, chat::Runs& runs, const engine::Models& models,
                const schedule::Zones& zones, const Clock& clock, Options options,
                std::function<void()> wake);

    Task<Result<store::Automations::Created>> create(Owner owner, api::AutomationDefinition fields,
                                                     std::optional<store::KeyClaim> key,
                                                     Cause cause);
    // `given` replaces fields of the definition. Fails with precondition_failed if `expected` is
    // given and not its revision.
    Task<Result<store::Automation>> change(Owner owner, std::string id, boost::json::object given,
                                           std::optional<std::int64_t> expected, Cause cause);
    Task<Result<>> remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                          Cause cause);

    Task<Result<api::PreviewView>> preview(Owner owner, api::PreviewBody body);
    Task<Result<std::vector<api::OccurrenceView>>> occurrences(Owner owner, std::string id,
                                                               std::optional<std::string> from,
                                                               std::size_t limit);

    struct Input {
        std::optional<std::string> key = {};  // Nothing: one of its own.
        boost::json::object variables = {};
    };
    struct Started {
        std::vector<store::AutomationRun> rows = {};
        bool replayed = false;
    };
    // `batch`: its id, if these are several. Faults have the pointers of the body. With a key as
    // store/idempotency.hpp says.
    Task<Result<Started>> start(Owner owner, std::string id, std::vector<Input> inputs,
                                std::optional<std::string> batch,
                                std::optional<store::KeyClaim> claim, Cause cause);
    Task<Result<store::AutomationRun>> cancel(Owner owner, std::string row, Cause cause);
    Task<Result<store::AutomationRun>> retry(Owner owner, std::string row, Cause cause);

    api::AutomationView view(const store::Automation& automation) const;
    api::AutomationRunView view(const store::AutomationRun& row,
                                const chat::RunErrors& errors) const;

    // Waits until a row has ended, not longer than `patience`.
    Task<Result<store::AutomationRun>> wait_for_end(Owner owner, std::string row,
                                                    std::chrono::seconds patience);

private:
    std::chrono::seconds longest_timeout() const { return runs_.options().timeout; }
    Result<> check_model(const Definition& definition) const;
    Result<store::AutomationChange> change_of(const store::Automation& before,
                                              const boost::json::object& given,
                                              TimePoint its_time) const;
    Result<std::vector<store::AutomationRun>> make_rows(const store::Automation& automation,
                                                        std::vector<Input> inputs,
                                                        const std::optional<std::string>& batch,
                                                        TimePoint its_time);
    Task<Result<>> check_session(const store::Automation& automation) const;

    store::Store& store_;
    chat::Runs& runs_;
    const engine::Models& models_;
    const schedule::Zones& zones_;
    const Clock& clock_;
    const Options options_;
    const std::function<void()> wake_;
};

// Asks runs to stop, and does not wait for their end.
Task<> cancel_runs(chat::Runs& runs, Owner owner, std::vector<std::string> ids);

// Fails with never_fires, whose pointer begins at the body.
Result<> check_fires(const schedule::Schedule& schedule, TimePoint after);

// Puts what a definition says into the fields of the store.
void apply(const Definition& definition, store::Automation& automation);

std::vector<api::OccurrenceView> occurrence_views(const schedule::Schedule& schedule,
                                                  TimePoint after, std::size_t count);

}  // namespace parley::automation
