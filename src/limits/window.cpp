#include "limits/window.hpp"

namespace parley::limits {

std::uint32_t Window::remaining(Moment now) const
{
    const Stamp past = horizon(now);
    if (at(0) > past) return 0;
    // Searches from the newest back, in doubling steps: most keys have few admissions in the
    // window, and those are next to the oldest entry, which is already in the cache. A binary
    // search would touch the whole ring.
    std::uint32_t high = limit_;
    std::uint32_t step = 1;
    while (step < high && at(high - step) > past) {
        high -= step;
        step *= 2;
    }
    std::uint32_t low = step < high ? high - step : 0;  // This one has expired.
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (at(middle) <= past ? low : high) = middle;
    }
    return high;
}

bool Window::give_back(Stamp stamp)
{
    std::uint32_t index = size();
    do {
        if (index == 0) return false;
        --index;
        if (ring_[place(index)] < stamp) return false;
    } while (ring_[place(index)] != stamp);
    // Later entries move up; the place of the newest becomes that of the oldest.
    for (; index + 1 < size(); ++index) store(ring_[place(index)], ring_[place(index + 1)]);
    oldest_ = place(size() - 1);
    store(ring_[oldest_], never);
    return true;
}

void Window::take_over(const Window& other, Moment now)
{
    const Stamp past = horizon(now);
    for (std::uint32_t i = 0; i < other.size(); ++i)
        if (const Stamp stamp = other.ring_[other.place(i)]; stamp > past) append(stamp);
}

std::uint32_t Window::held() const
{
    return static_cast<std::uint32_t>(
        std::ranges::count_if(ring_, [](Stamp each) { return each != never; }));
}

void Window::forget_all()
{
    for (Stamp& each : ring_) store(each, never);
    oldest_ = 0;
}

}  // namespace parley::limits
