#include "base/boot_clock.hpp"

#include <fstream>
#include <time.h>

namespace parley {

TimePoint BootClock::now() const { return std::chrono::system_clock::now(); }

SteadyPoint BootClock::steady() const
{
    timespec time{};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return SteadyPoint(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

const Clock& boot_clock()
{
    static const BootClock clock;
    return clock;
}

std::string boot_id()
{
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

}  // namespace parley
