#include "journal/figures.hpp"

#include <algorithm>

namespace parley::journal {

void Durations::add(std::chrono::nanoseconds duration)
{
    const auto bound = std::ranges::lower_bound(bounds, duration);
    ++counts[static_cast<std::size_t>(bound - bounds.begin())];
    sum += duration;
    max = std::max(max, duration);
}

}  // namespace parley::journal
