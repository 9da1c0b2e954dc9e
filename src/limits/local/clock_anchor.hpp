// What ties the file's line of time to the world: the difference between the time of day and the
// time since the machine was started, and when that was last looked at. Written about once a second
// into the file's header, so that the times in it still mean something after the machine was
// started again, even if the time of day was corrected meanwhile.
//
// Threads: refresh() from any thread; it never waits.
#pragma once

#include "base/clock.hpp"
#include "limits/local/layout.hpp"
#include "limits/window.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

namespace parley::limits::local {

class ClockAnchor {
public:
    struct Seen {
        std::chrono::nanoseconds wall_minus_steady;
        Moment last;
    };

    ClockAnchor(Header::ClockAnchor& in_file, const Clock& clock) : in_file_(in_file), clock_(clock)
    {
    }

    void refresh(Moment now)
    {
        if (now >= next_.load(std::memory_order_relaxed)) write(now);
    }

    // The time of day as of the last refresh. Asking for it each time would cost as much as asking
    // for the moment.
    std::chrono::sys_time<std::chrono::nanoseconds> wall(Moment now) const
    {
        return std::chrono::sys_time<std::chrono::nanoseconds>(
            now + wall_minus_steady_.load(std::memory_order_relaxed));
    }

    // Nothing if it is damaged, or a kill came between two of its words.
    static std::optional<Seen> read(const Header::ClockAnchor& in_file);

private:
    void write(Moment now);

    Header::ClockAnchor& in_file_;
    const Clock& clock_;
    std::mutex mutex_;
    std::atomic<Moment> next_ = Moment::min();
    std::atomic<std::chrono::nanoseconds> wall_minus_steady_ = std::chrono::nanoseconds(0);
};

}  // namespace parley::limits::local
