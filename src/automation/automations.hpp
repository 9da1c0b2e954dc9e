// The use cases of automations: what the interface offers, checked before the store is asked.
//
// Threads: from any event loop.
#pragma once

#include "api/wire/automation_run.hpp"
#include "auth/actor.hpp"
#include "automation/definition.hpp"
#include "automation/hook_secrets.hpp"
#include "automation/options.hpp"
#include "base/task.hpp"
#include "chat/runs.hpp"
#include "engine/models.hpp"
#include "store/store.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace parley::automation {

// With the secret of its hook, if that was just made.
struct ShownAutomation {
    store::Automation automation = {};
    std::optional<std::string> secret = {};
    bool replayed = false;
};

class Automations {
public:
    // `wake` is called after each change that may make something due. All must outlive it.
    Automations(store::Store& store, chat::Runs& runs, const engine::Models& models,
                const schedule::Zones& zones, const HookSecrets& secrets, const Clock& clock,
                Options options, std::function<void()> wake);

    // Adds the faults that need no look into the store to those found when the body was read.
    void add_faults_of(const api::AutomationDefinition& fields, Faults& faults) const;
    void add_faults_of(const api::PreviewBody& body, Faults& faults) const;

    Task<Result<ShownAutomation>> create(Owner owner, api::AutomationDefinition fields,
                                         std::optional<store::KeyClaim> key, auth::Actor actor);
    // `given` replaces fields of the definition. Fails with precondition_failed if `expected` is
    // given and not its revision. `may_hear` says whether its caller may read these types of
    // events.
    using MayHear = std::function<Result<>(const std::vector<std::string>& types)>;
    Task<Result<ShownAutomation>> change(Owner owner, std::string id, boost::json::object given,
                                         std::optional<std::int64_t> expected,
                                         const MayHear& may_hear, auth::Actor actor);
    Task<Result<>> remove(Owner owner, std::string id, std::optional<std::int64_t> expected,
                          auth::Actor actor);
    // A new secret; the old one works for `overlap`. Fails with not_found if there is no hook.
    Task<Result<ShownAutomation>> rotate_hook(Owner owner, std::string id,
                                              std::chrono::seconds overlap, auth::Actor actor);

    Task<Result<api::PreviewView>> preview(Owner owner, api::PreviewBody body);
    // The next due times after `from`; nothing: from now on. The next page is after the last one.
    using OccurrencePage = store::Page<api::OccurrenceView, TimePoint>;
    Task<Result<OccurrencePage>> occurrences(Owner owner, std::string id,
                                             std::optional<TimePoint> from, std::size_t limit);

    struct Input {
        std::optional<std::string> key = {};  // Nothing: one of its own.
        boost::json::object variables = {};
    };
    struct Started {
        std::vector<store::AutomationRun> rows = {};
        bool replayed = false;
        bool is_of_former_hook = false;  // Then its row says only that the key is known.
    };
    // A start by hand.
    struct Start {
        std::string automation = {};
        std::vector<Input> inputs = {};
        std::optional<std::string> batch = {};  // Its id, if these are several.
        std::optional<store::KeyClaim> claim = {};
        Cause cause = {};
        std::string token = {};  // tok_… of the caller.
    };
    // Faults have the pointers of the body. With a key as store/idempotency.hpp says.
    Task<Result<Started>> start(Owner owner, Start wanted);
    // A call to a hook, whose caller was identified. A known key gives the row that it has started.
    struct HookCall {
        std::string hook = {};
        std::optional<std::string> key = {};  // Nothing: where the trigger says, or of its own.
        boost::json::object payload = {};
        Cause cause = {};
    };
    Task<Result<Started>> start_by_hook(HookCall call);
    // Only a run that this hook has started.
    Task<Result<store::AutomationRun>> run_of_hook(std::string hook, std::string row) const;

    Task<Result<store::AutomationRun>> cancel(Owner owner, std::string row, Cause cause);
    Task<Result<store::AutomationRun>> retry(Owner owner, std::string row, Cause cause,
                                             std::string token);

    // `secret`: of its hook, if it was just made.
    api::AutomationView view(const store::Automation& automation,
                             const std::optional<std::string>& secret = {}) const;
    api::AutomationRunView view(const store::AutomationRun& row,
                                const chat::RunErrors& errors) const;

    // Waits until a row has ended, not longer than `patience`.
    Task<Result<store::AutomationRun>> wait_for_end(Owner owner, std::string row,
                                                    std::chrono::seconds patience);

private:
    api::HookView hook_view(const store::Hook& hook) const;
    TimePoint expiry_now() const { return (options_.expiry ? *options_.expiry : clock_).now(); }
    std::chrono::seconds longest_timeout() const { return runs_.options().timeout; }
    Task<Result<ShownAutomation>> create_new(Owner owner, api::AutomationDefinition fields,
                                             std::optional<store::KeyClaim> key, auth::Actor actor);
    Result<> check_model(const Definition& definition) const;
    struct Change {
        store::AutomationChange change;
        Definition definition;
        std::optional<std::string> secret = {};  // Only if the change makes a new hook.
    };
    Result<Change> change_of(const store::Automation& before, const boost::json::object& given,
                             TimePoint its_time) const;
    // Makes, keeps or removes the hook, as the definition wants it.
    std::optional<std::string> set_hook(const Definition& definition,
                                        store::Automation& automation) const;
    store::AuditEvent audit(const auth::Actor& actor, const char* action,
                            const std::string& hook) const;
    Task<Result<store::Automation>> automation_of_hook(std::string hook) const;
    Result<store::AutomationRun> row_of_call(const store::Automation& automation,
                                             const Definition& definition,
                                             const boost::json::object& payload,
                                             const Definition::Occasion& occasion) const;
    // Nothing if the automation was changed in between.
    Task<Result<std::optional<Started>>> enter_call(const HookCall& call);
    // Inputs whose key was used before are not checked: their row is there.
    Task<Result<std::vector<store::AutomationRun>>> make_rows(const store::Automation& automation,
                                                              const Start& wanted,
                                                              const std::set<std::string>& used,
                                                              TimePoint its_time) const;
    Task<Result<std::set<std::string>>> known_keys(const Owner& owner, const Start& wanted) const;
    // The sessions and the automation that it names must be its owner's.
    Task<Result<>> check_session(const Owner& owner, const Definition& definition) const;
    Task<Result<>> check_subjects(const Owner& owner, const Definition& definition) const;

    store::Store& store_;
    chat::Runs& runs_;
    const engine::Models& models_;
    const schedule::Zones& zones_;
    const HookSecrets& secrets_;
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

}  // namespace parley::automation
