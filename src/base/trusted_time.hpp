// The time by which tokens, logins, keys and events expire. A wall clock can be wrong and can be
// set: set back, it would revive expired tokens; set far ahead, it would expire all of them. The
// time here advances with the boot clock, which cannot be set, and follows the wall clock within
// narrow limits:
//   - it never goes back within one boot of the machine;
//   - it gets ahead of the boot clock by at most 5 minutes;
//   - at the first start after a boot, a later wall clock is taken as it is, an earlier one is not;
//   - a disagreement of the two clocks that has lasted for 24 hours is settled: the wall clock is
//   right.
//
// Threads: now() and may_sweep() from any thread, without waiting; look() from one.
#pragma once

#include "base/clock.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

namespace parley {

class TrustedTime final : public Clock {
public:
    // The steady time of `clock`, which must outlive this object, is the time since the machine was
    // booted. `boot` identifies that boot. `kept` is the text() of an earlier object, or empty.
    TrustedTime(const Clock& clock, std::string boot, std::string_view kept = {});

    TimePoint now() const override;
    SteadyPoint steady() const override { return clock_.steady(); }

    // The time of the wall clock, for records that people read: the audit log, for example.
    const Clock& wall() const { return clock_; }

    // False for an hour after the start and while the clocks disagree by more than 5 minutes.
    // Expired data is hidden at once but removed only while the time is beyond doubt.
    bool may_sweep() const;

    // Compares the clocks. To be called about once a minute: 24 hours of disagreement are counted
    // here.
    void look();

    // The state for the next process.
    std::string text() const;

private:
    using Nanoseconds = std::chrono::nanoseconds;
    struct Reading {
        Nanoseconds steady;  // Since the boot.
        Nanoseconds lead;    // How far the wall clock is ahead of that.
    };
    Reading read() const;
    Nanoseconds follow(Nanoseconds lead) const;
    void begin(std::string_view kept);
    void settle(Nanoseconds lead);

    struct Disagreement {
        Nanoseconds lead;   // As it has been ever since.
        Nanoseconds since;  // By the boot clock.
    };

    const Clock& clock_;
    const std::string boot_;
    const SteadyPoint started_;
    std::atomic<Nanoseconds> anchor_{};           // The lead that was last settled.
    mutable std::atomic<Nanoseconds> trusted_{};  // From anchor_ to 5 minutes above it.
    std::optional<Disagreement> disagreement_ = {};
};

}  // namespace parley
