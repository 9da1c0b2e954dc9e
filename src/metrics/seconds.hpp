// Prometheus counts time in seconds.
#pragma once

#include <chrono>

namespace parley::metrics {

inline double in_seconds(std::chrono::nanoseconds time)
{
    return std::chrono::duration<double>(time).count();
}

}  // namespace parley::metrics
