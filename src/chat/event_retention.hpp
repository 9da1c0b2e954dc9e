// How long the events of ended runs are stored, and their removal.
//
// Threads: from any event loop. The store must outlive it.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

#include <atomic>
#include <chrono>

namespace parley::chat {

class EventRetention {
public:
    // `expiry` decides what has expired and when it may be removed. Null: the clock decides, and
    // removal is always allowed.
    EventRetention(store::Store& store, const Clock& clock, const TrustedTime* expiry,
                   std::chrono::seconds keep)
        : store_(store), clock_(clock), expiry_(expiry), keep_(keep)
    {
    }

    // The time that expiry is based on.
    TimePoint now() const { return expiry_ ? expiry_->now() : clock_.now(); }

    bool keeps_events_of(const store::Run& ended) const
    {
        return now() < ended.kept_since.value_or(TimePoint()) + keep_;
    }

    // Each run that ends removes more expired rows than it adds, so that no timer is needed.
    Task<> sweep_if_due();

private:
    store::Store& store_;
    const Clock& clock_;
    const TrustedTime* expiry_;
    const std::chrono::seconds keep_;
    std::atomic<SteadyPoint::rep> next_sweep_ = 0;
};

}  // namespace parley::chat
