// Removes events that have expired from the event log: one task at a time, on an event loop, so
// that the main thread, which asks for it, hears signals meanwhile.
//
// Threads: the main thread.
#pragma once

#include "base/task.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

#include <atomic>
#include <chrono>

namespace parley::app {

class EventSweep {
public:
    // Store and time must outlive it.
    EventSweep(store::Store& store, const TrustedTime& time, std::chrono::days keep)
        : store_(store), time_(time), keep_(keep)
    {
    }
    // Waits for the task. The store answers it within a few seconds (Store::end_soon).
    ~EventSweep();
    EventSweep(const EventSweep&) = delete;
    EventSweep& operator=(const EventSweep&) = delete;

    // Unless the last one has not ended.
    void begin(const Executor& loop);

private:
    Task<> sweep();

    store::Store& store_;
    const TrustedTime& time_;
    const std::chrono::days keep_;
    std::atomic<bool> is_running_ = false;
    std::atomic<bool> is_ending_ = false;
};

}  // namespace parley::app
