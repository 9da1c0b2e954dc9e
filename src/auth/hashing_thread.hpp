// The one thread on which passwords are hashed. A hash takes tens of milliseconds and megabytes by
// design, so that guessing is expensive; one thread keeps a flood of logins from using every core
// and all memory, and a short queue limits the wait.
//
// Threads: from any event loop; the work runs on this thread, one job at a time, in order.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <utility>

namespace parley::auth {

class HashingThread {
public:
    // At most this many jobs wait while one runs.
    explicit HashingThread(std::size_t most_waiting) : most_(most_waiting + 1) {}

    // Finishes the running job; waiting jobs fail with shutting_down.
    ~HashingThread()
    {
        close();
        pool_.join();
    }
    HashingThread(const HashingThread&) = delete;
    HashingThread& operator=(const HashingThread&) = delete;

    // Waits for `work`, a Result<T>(). Fails with overloaded if too many wait, and with
    // shutting_down after close().
    template <class T, class Work>
    Task<Result<T>> run(Work work)
    {
        if (closed_) co_return shutting_down();
        if (++jobs_ > most_) {
            --jobs_;
            co_return Error{.code = Errc::overloaded,
                            .message = "Too many passwords are being checked.",
                            .retry_after = time_to_empty};
        }
        co_return co_await offload(pool_, [this, job = std::move(work)]() mutable -> Result<T> {
            const Leaving leaving{jobs_};
            if (closed_) return shutting_down();
            return job();
        });
    }

    // Starts no more jobs. Does not wait.
    void close() { closed_ = true; }

private:
    // Seconds in which a full queue of hashes is worked off, roughly.
    static constexpr std::chrono::seconds time_to_empty{3};

    struct Leaving {
        std::atomic<std::size_t>& jobs;
        ~Leaving() { --jobs; }
    };

    static Error shutting_down() { return {Errc::shutting_down, "The server is shutting down."}; }

    const std::size_t most_;
    std::atomic<std::size_t> jobs_ = 0;  // Waiting and running.
    std::atomic<bool> closed_ = false;
    boost::asio::thread_pool pool_{1};
};

}  // namespace parley::auth
