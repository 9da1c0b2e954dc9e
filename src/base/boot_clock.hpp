// The clock for data that survives a restart: its steady time is the time since the machine was
// booted, including suspension, so one process can use the times of another.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"

#include <string>

namespace parley {

class BootClock final : public Clock {
public:
    TimePoint now() const override;
    SteadyPoint steady() const override;
};

const Clock& boot_clock();

// Identifies one boot of the machine; empty if the system does not provide it.
std::string boot_id();

}  // namespace parley
