// Work on stored chats in the background: completes the index of the search, stores the usage of
// answers that are not stored, and deletes sessions that their users do not want to keep any
// longer. One task on one event loop; if something fails, it is tried again.
//
// Threads: stop() and wait_until_idle() from a thread without a loop.
#pragma once

#include "base/mutex.hpp"
#include "base/timer.hpp"
#include "chat/sessions.hpp"
#include "chat/usage_recorder.hpp"
#include "store/store.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

namespace parley::chat {

class Maintenance : public std::enable_shared_from_this<Maintenance> {
public:
    struct Services {
        store::Store& store;
        Sessions& sessions;
        UsageRecorder& usage;
        const Clock& clock;
        std::function<bool()> may_delete = {};  // False while the clock cannot be trusted.
    };
    // `max_days`: sessions are deleted after so many days in any case.
    Maintenance(const Services& services, std::optional<std::int64_t> max_days)
        : services_(services), max_days_(max_days)
    {
    }

    void start(Executor loop);
    void stop();
    // After stop(): waits until the task has ended, which uses the services.
    bool wait_until_idle(std::chrono::milliseconds patience);

private:
    Task<> run();
    Task<> complete_index();
    void tell_index_failure(const Error& error);
    Task<> delete_idle();
    Task<> store_usage();
    Task<> sleep(std::chrono::nanoseconds wait);
    void note_end(const std::exception_ptr& failure);

    const Services services_;
    const std::optional<std::int64_t> max_days_;
    std::unique_ptr<Timer> timer_;
    std::atomic<bool> stopped_ = false;
    std::optional<std::uint64_t>
        indexed_growths_;  // The growths of event logs when the index was complete.
    SteadyPoint next_index_ = {};
    bool is_index_failing_ = false;
    SteadyPoint next_deletion_ = {};
    SteadyPoint next_usage_ = {};
    Mutex mutex_;
    Condition ended_;
    bool is_running_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::chat
