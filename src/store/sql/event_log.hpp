// The event log, and how use cases add to it.
#pragma once

#include "store/audit.hpp"
#include "store/event_log.hpp"
#include "store/sql/jobs.hpp"

#include <span>

namespace parley::store::sql {

class SqlEventLog final : public EventLog {
public:
    SqlEventLog(JobQueue& writes, JobQueue& reads, EventSignal& signal)
        : writes_(writes), reads_(reads), signal_(signal)
    {
    }

    Task<Result<EventPage>> read(Owner owner, std::int64_t after, EventTypes types,
                                 std::size_t limit) override;
    Task<Result<std::size_t>> sweep(TimePoint before, std::size_t most) override;
    EventSignal& signal() override { return signal_; }

private:
    JobQueue& writes_;
    JobQueue& reads_;
    EventSignal& signal_;
};

// An event before the log gives it a number and an id.
struct NewEvent {
    EventType type;
    std::string_view subject;
    std::string_view parent = {};
};

// When and why all events of one use case happened.
struct Occasion {
    TimePoint at;
    Cause cause;
};
// Events of tokens and logins take time and cause from their audit event. Without an audit event
// there is no event.
std::optional<Occasion> occasion_of(const std::optional<AuditEvent>& audit);

// Adds to the log of an owner, in the transaction of the change. To be called last in a use case:
// in a database with several writers the log is locked from here to the end of the transaction, so
// that numbers become visible in order. Ignored if the user was removed.
void record_events(Connection& connection, const Owner& owner, const Occasion& occasion,
                   std::span<const NewEvent> events);

// The same if the number of the owner (people.hpp) is known, and its user exists.
void record_events(Connection& connection, const Owner& owner, std::int64_t log,
                   const Occasion& occasion, std::span<const NewEvent> events);

// The number of the newest event of an owner; 0 if there is none.
std::int64_t latest_number(Connection& connection, const Owner& owner);

// Deletes both logs of a user.
void forget_logs(Connection& connection, const std::string& user);

}  // namespace parley::store::sql
