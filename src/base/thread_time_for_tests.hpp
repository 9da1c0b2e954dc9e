// The CPU time of this thread, for tests that limit work on machines that may pause.
#pragma once

#include <chrono>
#include <ctime>

namespace parley {

inline std::chrono::nanoseconds thread_time()
{
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
}

}  // namespace parley
