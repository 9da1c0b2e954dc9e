// The ledger of automations: one row for each time that one was due or was started by hand. A row
// has a key that is unique for its automation and trigger, which makes it exactly one, whatever is
// repeated.
// A row asks in a run; its attempts are runs that answer the same question. A row begins with
// its run and ends with it, each time in the transaction of the run (NewRun::attempt).
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/automation.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "store/idempotency.hpp"
#include "store/page.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace parley::store {

struct Attempt {
    std::int64_t number = 1;
    std::string run = {};  // run_…
    RunStatus status = RunStatus::running;
    std::optional<RunError> error = {};
    TimePoint started_at = {};
    std::optional<TimePoint> completed_at = {};
    std::optional<Usage> usage = {};

    bool operator==(const Attempt&) const = default;
};

struct AutomationRun {
    std::string id = {};          // aru_…
    std::string automation = {};  // aut_…
    Owner owner = {};
    std::int64_t revision = 1;  // The automation's revision when the row was entered.
    TriggerType trigger = TriggerType::manual;
    std::string key = {};
    TimePoint scheduled_for = {};
    AutomationRunStatus status = AutomationRunStatus::queued;
    std::optional<SkipReason> skip_reason = {};
    std::optional<std::string> batch = {};  // bat_…
    std::string values = {};  // The values of its message's variables, as the rules write them.
    std::int64_t max_attempts = 1;
    std::chrono::seconds backoff{30};
    std::optional<TimePoint> not_before = {};  // While queued or waiting.
    std::optional<RunError> error = {};
    std::optional<std::int64_t> missed_count = {};
    std::int64_t depth = 1;                 // How many automations have led to it, with its own.
    std::optional<std::string> token = {};  // tok_…, which started or retried it by hand.
    TimePoint created_at = {};
    std::optional<TimePoint> started_at = {};
    std::optional<TimePoint> completed_at = {};
    // The store's own to keep:
    std::string definition = {};  // The automation's definition at this revision.
    std::optional<std::string> session =
        {};  // Nothing before the first attempt and once it is gone.
    std::optional<std::string> question = {};  // msg_…
    std::vector<Attempt> attempts = {};
    // The limits of its user and its token, for starts per minute; only startable() gives them.
    std::optional<std::uint32_t> user_limit = {};
    std::optional<std::uint32_t> token_limit = {};

    bool operator==(const AutomationRun&) const = default;
};

// A session as it was read: whether it was changed since, its revision tells.
struct SeenSession {
    std::string id = {};
    std::int64_t revision = 0;

    bool operator==(const SeenSession&) const = default;
};

struct AutomationRunFilter {
    std::optional<std::string> automation = {};
    std::optional<AutomationRunStatus> status = {};
    std::optional<TriggerType> trigger = {};
    std::optional<std::string> batch = {};
};

// Due times that come into the ledger.
struct DueEntry {
    std::string automation = {};
    std::int64_t revision = 0;
    TimePoint seen_until = {};  // evaluated_until as it was read,
    TimePoint new_until = {};   // and as it is to be.
    std::optional<TimePoint> next_at = {};
    bool has_ended = false;  // There will be no further one.
    std::vector<AutomationRun> rows = {};
    TimePoint now = {};
};

// Events that an automation has heard.
struct HeardEvents {
    std::string automation = {};
    std::int64_t revision = 0;
    std::int64_t seen_until = 0;  // heard_until as it was read,
    std::int64_t new_until = 0;   // and as it is to be.
    std::optional<AutomationRun> row = {};
    Cause cause = {};  // The cause of the row.
    TimePoint now = {};
};

// A change of the time of automations in test mode.
struct TestClockChange {
    Owner owner = {};
    std::optional<TimePoint> seen = {};  // The clock as it was read,
    std::optional<TimePoint> to = {};    // and as it is to be. Nothing: real time.
    std::vector<DueEntry> entries = {};  // One for each automation that has a schedule.
    TimePoint now = {};                  // In real time.
    // Rows behind this position were entered by an earlier step of the same change: they overlap
    // nothing of it. Nothing: this is its first step.
    std::optional<std::int64_t> older_until = {};
};

struct EnteredRows {
    std::vector<AutomationRun> rows = {};     // As they are in the ledger now; of enter(), without
                                              // their definition.
    bool are_new = true;                      // False if all of them were there before.
    std::vector<std::string> to_cancel = {};  // Runs of older rows that give way.
    std::int64_t older_until = 0;  // Set by set_test_clock: the position of the newest row before.
};

class Ledger {
public:
    virtual ~Ledger() = default;

    // Enters due times of automations, together. For each of them gives its rows; none if they were
    // entered or the automation was changed since. The rows of one automation do not overlap.
    virtual Task<Result<std::vector<EnteredRows>>> enter(std::vector<DueEntry> entries) = 0;

    // Enters an event, or notes that those up to a number need no row, under the same condition.
    // Nothing if the condition does not hold.
    virtual Task<Result<std::optional<EnteredRows>>> hear(HeardEvents heard) = 0;

    // Enters rows that were asked for; for a key that is known, gives the row that has it. Rows of
    // a hook are skipped while the automation is paused, and if they overlap. Fails with not_found;
    // with automation_busy if it skips what overlaps and the rows are not of a hook; with
    // precondition_failed if the automation was changed since the rows were made; with a claim as
    // idempotency.hpp says: the same request has the same keys, and so gives the same rows. A row
    // without values has a key that is known; if it is not known any more, this fails with
    // precondition_failed, too.
    virtual Task<Result<EnteredRows>> add(Owner owner, std::vector<AutomationRun> rows, Cause cause,
                                          std::optional<KeyClaim> claim = {}) = 0;

    virtual Task<Result<AutomationRun>> find(Owner owner, std::string id) = 0;

    // The row with this key; nothing if there is none.
    struct RowKey {
        std::string automation = {};
        TriggerType trigger = TriggerType::manual;
        std::string key = {};
    };
    virtual Task<Result<std::optional<AutomationRun>>> find_by_key(Owner owner, RowKey key) = 0;

    // Those of these keys that rows which were started by hand have already. Fails with a claim as
    // idempotency.hpp says.
    virtual Task<Result<std::set<std::string>>> known_keys(Owner owner, std::string automation,
                                                           std::vector<std::string> keys,
                                                           std::optional<KeyClaim> claim) = 0;

    // The newest first, behind `after`, if that is given. Due times are entered in their order.
    using Position = std::int64_t;
    virtual Task<Result<Page<AutomationRun, Position>>> list(Owner owner,
                                                             AutomationRunFilter filter,
                                                             std::optional<Position> after,
                                                             std::size_t limit) = 0;

    // Rows that may begin an attempt now, in order: at least `most` if there are so many, or two of
    // each owner; not more than `most` of one. Owners with a test clock
    // have its time instead, here and in all that follows. Without those that `held` tokens have
    // started: "tok_…=5 " for each token and the limit that holds it. If the limit is another one
    // by now, its rows are among them.
    virtual Task<Result<std::vector<AutomationRun>>> startable(TimePoint now, std::size_t most,
                                                               std::string held = {}) = 0;
    // When the next attempt that waits may begin, without owners with a test clock.
    virtual Task<Result<std::optional<TimePoint>>> next_start(TimePoint after) = 0;
    // Rows that have a run.
    virtual Task<Result<std::vector<AutomationRun>>> running() = 0;
    // Runs that go on although they were cancelled, a newer row has replaced them, or their
    // automation was removed: a crash may have kept them from being told.
    struct RunOf {
        Owner owner = {};
        std::string run = {};

        bool operator==(const RunOf&) const = default;
    };
    virtual Task<Result<std::vector<RunOf>>> abandoned_runs() = 0;

    // Attempts of everybody that were started after a time, oldest first; without test mode.
    struct Start {
        Owner owner = {};
        TimePoint at = {};
        std::optional<std::string> token = {};  // As of its row.
    };
    virtual Task<Result<std::vector<Start>>> starts_since(TimePoint time) = 0;

    // Ends a row that is not running: with `skipped` if there is a reason to skip it, else with
    // `failed`. Nothing happens if it runs or has ended.
    struct Refusal {
        std::string row = {};
        std::optional<SkipReason> skip = {};
        std::optional<RunError> error = {};
        TimePoint now = {};
    };
    virtual Task<Result<>> refuse(Refusal refusal) = 0;

    // Cancels a row that has not ended. One that runs ends with its run, which is given.
    struct Cancelled {
        AutomationRun row;
        std::optional<std::string> run = {};
    };
    virtual Task<Result<Cancelled>> cancel(Owner owner, std::string id, TimePoint now,
                                           Cause cause) = 0;

    // A row that failed or was skipped or missed may begin one more attempt. Fails with conflict if
    // its status is another one, or the line of its automation is full.
    virtual Task<Result<AutomationRun>> retry(Owner owner, std::string id, TimePoint now,
                                              Cause cause,
                                              std::optional<std::string> token = {}) = 0;

    // The time of an owner in test mode; nothing if it is real time.
    virtual Task<Result<std::optional<TimePoint>>> test_clock(Owner owner) = 0;
    // Sets it and enters all rows, in the order of their times; gives the runs that are to be
    // cancelled, without rows. With real time, attempts and deliveries that wait keep the rest of
    // their wait.
    // Fails with precondition_failed if the clock or one of the automations was changed meanwhile.
    virtual Task<Result<EnteredRows>> set_test_clock(TestClockChange change) = 0;

    // Sessions that an automation has made beyond the newest `keep`, if nothing runs in them;
    // without those that are kept anyway.
    virtual Task<Result<std::vector<SeenSession>>> surplus_sessions(std::string automation,
                                                                    std::size_t keep) = 0;

    // Removes rows that ended before this time, `most` at most; gives how many there were.
    virtual Task<Result<std::size_t>> sweep(TimePoint before, std::size_t most) = 0;
};

}  // namespace parley::store
