// Relates the times in the file to the wall clock: the difference between the wall clock and the
// time since boot, and when it was last measured. Written to the file's header about once a second,
// so that the times in the file can be converted after a reboot, even if the wall clock was
// corrected in between.
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

    // The wall clock, computed from the last refresh: reading it each time would double the cost.
    std::chrono::sys_time<std::chrono::nanoseconds> wall(Moment now) const
    {
        return std::chrono::sys_time<std::chrono::nanoseconds>(
            now + wall_minus_steady_.load(std::memory_order_relaxed));
    }

    // Nothing if it is damaged, or if the process was killed during a write.
    static std::optional<Seen> read(const Header::ClockAnchor& in_file);

private:
    void write(Moment now);

    Header::ClockAnchor& in_file_;
    const Clock& clock_;
    std::mutex mutex_;  // Lets one thread write; no member needs it. Not a Mutex: it is only tried.
    std::atomic<Moment> next_ = Moment::min();
    std::atomic<std::chrono::nanoseconds> wall_minus_steady_ = std::chrono::nanoseconds(0);
};

}  // namespace parley::limits::local
