// Enters events into the ledgers of the automations that listen to them. The ledger makes each
// exactly one; an automation does not hear what it caused itself, nor events about itself. A chain
// of automations ends, and so do all chains together that one cause has begun.
//
// Threads: one event loop.
#pragma once

#include "automation/definition.hpp"
#include "chat/run_errors.hpp"
#include "chat/runs.hpp"
#include "store/store.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace parley::automation {

class Listeners {
public:
    struct Services {
        store::Store& store;
        chat::Runs& runs;
        const chat::RunErrors& errors;
        const schedule::Zones& zones;
        const Clock& clock;
        std::function<void()> entered;  // Called after a row was entered.
    };
    explicit Listeners(Services services) : services_(std::move(services)) {}

    // Owners whose logs are to be followed, and are not yet.
    Task<Result<std::vector<Owner>>> new_owners();

    // Follows a log until stop(), until no automation of the owner listens any more, or until the
    // store fails.
    Task<Result<>> follow(Owner owner);

    void stop();

private:
    // Whether an automation listens.
    Task<Result<bool>> hear(const Owner& owner);
    // Whether the log was read to its end.
    Task<Result<bool>> hear(const store::DueAutomation& listener);
    Task<> pace(const Owner& owner);
    std::optional<Listening> listening_of(const store::Automation& automation);
    void forget_others(const Owner& owner, const std::vector<store::DueAutomation>& those);
    enum class Outcome {
        changed,  // The automation was changed meanwhile: nothing is stored.
        noted,    // As heard, without a new row.
        entered,
    };
    Task<Result<Outcome>> enter(store::Automation& listener, store::HeardEvents heard);
    Task<Result<Outcome>> enter_row(store::Automation& listener, const store::Event& event,
                                    store::AutomationRun row);
    // Whether the ledger takes no more rows of what has caused this event.
    bool has_ended(const Owner& owner, const store::Event& event) const;
    Task<Result<>> note_if_ended(const store::Automation& listener, const store::Event& event);
    store::AutomationRun row_of(const Definition& definition, const store::Automation& listener,
                                const store::Event& event,
                                std::optional<TimePoint> test_time) const;

    const Services services_;
    // Rows that a log has entered in the last minute.
    struct Pace {
        SteadyPoint since = {};
        std::size_t rows = 0;
    };
    std::map<Owner, store::EventSignal::FollowerRef> followed_;
    std::map<Owner, Pace> paces_;
    // The trigger of an automation at a revision; nothing if its definition cannot be read.
    struct Known {
        std::int64_t revision = 0;
        std::optional<Listening> listening = {};
    };
    std::map<Owner, std::map<std::string, Known>> known_;
    // Rows whose events start nothing any more: asking the ledger for each event and each listener
    // would take long.
    std::map<Owner, std::set<std::string>> ended_;
    bool stopped_ = false;
};

}  // namespace parley::automation
