// Which due times come into the ledger, and as what: those of the last minute are run, older ones
// as `catch_up` says. Looking through a long stretch takes time: it is done in steps.
//
// Threads: one at a time.
#pragma once

#include "domain/automation.hpp"
#include "schedule/schedule.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace parley::automation {

struct DueTime {
    TimePoint at = {};
    bool is_missed = false;
    std::optional<std::int64_t> missed_count = {};  // It stands for so many.
};

class DueScan {
public:
    static constexpr std::chrono::seconds late{60};  // Entered so late, it is still on time.
    static constexpr std::size_t most_rows = 100;    // Missed ones, and as many that run.

    struct CatchUpRule {
        CatchUp which = CatchUp::latest;
        std::chrono::seconds window{86'400};
    };
    // The times after `after`, up to `now`. The schedule must outlive it.
    DueScan(const schedule::Schedule& schedule, CatchUpRule rule, TimePoint after, TimePoint now)
        : schedule_(schedule), rule_(rule), at_(after), now_(now)
    {
    }

    // Looks at some times; true once all have been looked at.
    bool step();

    // After that: the rows, in the order of their times.
    std::vector<DueTime> times() const;
    // The first time after now.
    std::optional<TimePoint> next() const { return next_; }

private:
    void note_missed(TimePoint at);

    const schedule::Schedule& schedule_;
    const CatchUpRule rule_;
    TimePoint at_;
    const TimePoint now_;
    std::size_t times_per_step_ = 2;  // Mostly one is due, and the next one is to be known.
    std::optional<TimePoint> next_;
    std::vector<TimePoint> on_time_;
    std::deque<TimePoint> missed_;  // The newest; twice as many as there are rows for.
    std::int64_t older_ = 0;        // Missed before these,
    TimePoint newest_older_ = {};   // the last of them then.
};

}  // namespace parley::automation
