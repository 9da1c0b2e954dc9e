#include "limits/window.hpp"

namespace parley::limits {
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

void Window::forget_all()
{
    for (Stamp& each : ring_) store(each, never);
    oldest_ = 0;
}

}  // namespace parley::limits
