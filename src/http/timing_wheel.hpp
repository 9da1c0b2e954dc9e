// Thousands of deadlines at the cost of a list entry each: a wheel of time slots, instead of a
// timer in the kernel's or Asio's heap for every connection. A deadline never expires early, and at
// most two ticks late.
//
// Threads: a wheel and its deadlines belong to one event loop.
#pragma once

#include "base/clock.hpp"

#include <array>
#include <chrono>
#include <cstdint>

namespace parley::http {

class TimingWheel;

// A callback at a time, unless it is disarmed before. Destruction disarms.
class Deadline {
public:
    Deadline() = default;
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    virtual ~Deadline() { disarm(); }

    // Arming it again moves it.
    void arm(TimingWheel& wheel, std::chrono::milliseconds wait);
    void disarm();
    bool armed() const { return next_ != nullptr; }

protected:
    // Called by the wheel, once, after having been disarmed.
    virtual void expired() = 0;

private:
    friend class TimingWheel;

    void enter(Deadline& ring);

    Deadline* next_ = nullptr;
    Deadline* previous_ = nullptr;
    std::uint64_t due_ = 0;  // In ticks.
};

class TimingWheel {
public:
    static constexpr std::chrono::milliseconds tick{100};

    explicit TimingWheel(const Clock& clock);

    // Expires all due deadlines. To be called about once per tick.
    void advance();

private:
    friend class Deadline;

    // A ring's end: a deadline that never expires.
    class Slot final : public Deadline {
    public:
        Slot();
        ~Slot() override;

    private:
        void expired() override {}
        friend class TimingWheel;
    };

    static constexpr std::size_t slot_count = 1024;  // 102 s before a deadline needs a second turn.

    std::uint64_t ticks_until(SteadyPoint time) const;

    const Clock& clock_;
    SteadyPoint start_;
    std::uint64_t turned_ = 0;  // Ticks that have been processed.
    std::array<Slot, slot_count> slots_;
};

}  // namespace parley::http
