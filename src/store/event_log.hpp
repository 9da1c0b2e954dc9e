// The event log: what happened to the sessions, runs, tokens and logins of an owner, in order. Only
// the store writes to it: each use case writes its events in the transaction of the change, so that
// an event is in the log if and only if the change is stored.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/chat.hpp"
#include "domain/event.hpp"
#include "store/event_signal.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::store {

struct Event {
    std::int64_t number = 0;  // 1, 2, 3 … for each owner, without a gap.
    std::string id = {};      // evt_…
    TimePoint at = {};        // By the wall clock, to the millisecond.
    EventType type = EventType::session_created;
    std::string subject = {};  // Id of the object that it is about.
    std::string parent = {};   // ses_… of a run, aut_… of an automation's run; else empty.
    Cause cause = {};

    bool operator==(const Event&) const = default;
};

// Part of a log. Events that were filtered out also have numbers.
struct EventPage {
    std::vector<Event> events = {};
    std::int64_t read_to = 0;  // No wanted event is missing up to this number.
    std::int64_t oldest = 1;  // Number of the first event that is still stored, or of the next one.
    std::int64_t latest = 0;
};

class EventLog {
public:
    virtual ~EventLog() = default;

    // Events of these types after `after`, oldest first, `limit` at most. Each read is limited to a
    // few milliseconds: a page may be empty although matching events follow.
    virtual Task<Result<EventPage>> read(Owner owner, std::int64_t after, EventTypes types,
                                         std::size_t limit) = 0;

    // Removes events from before this time, oldest first, `most` at most; returns their number.
    // Event numbers are never reused.
    virtual Task<Result<std::size_t>> sweep(TimePoint before, std::size_t most) = 0;

    // Tells followers that a log has grown.
    virtual EventSignal& signal() = 0;
};

}  // namespace parley::store
