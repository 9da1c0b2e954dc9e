// The clock of everything that survives a restart: its steady time is the time since the machine
// was started, suspended or not, which one process hands on to the next.
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

// What tells one start of the machine from the next; empty where the system does not say.
std::string boot_id();

}  // namespace parley
