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
    std::uint32_t low = 0;
    std::uint32_t high = size();
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (at(middle) <= past)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
