// Code gets its clock as a parameter, so that tests control the time.
//
// Threads: every clock may be asked, and a ManualClock moved, from any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <string>

namespace parley {

using TimePoint = std::chrono::system_clock::time_point;    // Wall-clock time.
using SteadyPoint = std::chrono::steady_clock::time_point;  // For waits: never jumps.

class Clock {
public:
    virtual ~Clock() = default;

    virtual TimePoint now() const = 0;
    virtual SteadyPoint steady() const = 0;
};

const Clock& system_clock();

// A clock that stands still until a test moves it. Begins at 2026-01-31T09:30:00.000Z.
class ManualClock final : public Clock {
public:
    TimePoint now() const override { return TimePoint(TimePoint::duration(now_.load())); }
    SteadyPoint steady() const override
    {
        return SteadyPoint(SteadyPoint::duration(steady_.load()));
    }

    // Lets time pass.
    void advance(std::chrono::nanoseconds by);

    // Sets the time of day as an operator would: the steady clock does not change.
    void set(TimePoint now) { now_ = now.time_since_epoch().count(); }

private:
    std::atomic<TimePoint::rep> now_ = 1'769'851'800'000'000'000;
    std::atomic<SteadyPoint::rep> steady_ = 1'000'000'000'000'000;
};

// "2026-01-31T09:30:00.000Z". Times outside the years 0000 to 9999 become the nearest one inside.
std::string rfc3339(TimePoint time);

// The same without an allocation, for the log.
using Rfc3339 = std::array<char, 24>;
void write_rfc3339(TimePoint time, Rfc3339& out);

}  // namespace parley
