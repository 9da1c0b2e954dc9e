#include "limits/window.hpp"

#include <algorithm>
#include <atomic>

namespace parley::limits {
namespace {

void store(Stamp& place, Stamp stamp)
{
    static_assert(std::atomic_ref<Stamp>::is_always_lock_free);
    std::atomic_ref(place).store(stamp, std::memory_order_release);
}

}  // namespace

std::uint32_t Window::remaining(Moment now) const
{
    const Stamp past = horizon(now);
    if (at(0) > past) return 0;
    // From the newest back, in steps that double: most keys have few admissions in the window, and
    // those lie beside the oldest place, which was just looked at. What is searched in halves would
    // touch the whole ring.
    std::uint32_t high = size();
    std::uint32_t step = 1;
    while (step < high && at(high - step) > past) {
        high -= step;
        step *= 2;
    }
    std::uint32_t low = step < high ? high - step : 0;  // This one is over.
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (at(middle) <= past ? low : high) = middle;
    }
    return high;
}

std::chrono::nanoseconds Window::until(std::uint32_t index, Moment now) const
{
    if (index >= size() || at(index) <= horizon(now)) return std::chrono::nanoseconds(0);
    return to_moment(at(index)) + width_ - now;
}

void Window::admit(Moment now)
{
    const Stamp stamp = std::max(to_stamp(now), at(size() - 1));
    store(ring_[oldest_], stamp);
    oldest_ = oldest_ + 1 == size() ? 0 : oldest_ + 1;
}

void Window::forget_all()
{
    for (Stamp& each : ring_) store(each, never);
    oldest_ = 0;
}

}  // namespace parley::limits
