// The events that were stored in the last seconds in which PostgreSQL answered. Their commits were
// not synced, so a crash of PostgreSQL may lose them: they are sent again over every new
// connection, however long the crash has lasted.
//
// Threads: belongs to one thread.
#pragma once

#include "journal/journal.hpp"

#include <chrono>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace parley::journal::postgres {

// Events of one run, with consecutive numbers.
struct RunEvents {
    std::string run = {};
    std::uint32_t first = 0;
    std::vector<Frame> frames = {};
    std::int64_t me = 0;  // Under which the run is written.
};

class RecentEvents {
public:
    using Time = std::chrono::steady_clock::time_point;

    // PostgreSQL writes its log three times as often, at the least.
    static constexpr std::chrono::seconds kept_for{3};

    void add(RunEvents events, Time now)
    {
        answered(now);
        events_.emplace_back(now, std::move(events));
    }
    // PostgreSQL was up all the time since the last call, or has all events again (stored_again).
    void answered(Time now)
    {
        while (!events_.empty() && events_.front().first < now - kept_for) events_.pop_front();
    }
    void stored_again(Time now)
    {
        for (auto& [at, events] : events_) at = now;
    }

    bool is_empty() const { return events_.empty(); }
    std::vector<RunEvents> of(std::int64_t me) const
    {
        std::vector<RunEvents> found;
        for (const auto& [at, events] : events_)
            if (events.me == me) found.push_back(events);
        return found;
    }

private:
    std::deque<std::pair<Time, RunEvents>> events_;
};

}  // namespace parley::journal::postgres
