// The one thread on which passwords are hashed. A hash takes tens of milliseconds and megabytes by
// design, so that guessing is dear; one thread keeps a flood of logins from taking every core and
// all memory, and a short queue keeps it from taking the time of those who come later.
//
// Threads: from any event loop; the work runs on the thread of this, one at a time, in the order in
// which it came.
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
    // So many may wait while one is worked on.
    explicit HashingThread(std::size_t most_waiting) : most_(most_waiting + 1) {}

    // What is worked on is finished, what waits is answered with shutting_down.
    ~HashingThread()
    {
        close();
        pool_.join();
    }
    HashingThread(const HashingThread&) = delete;
    HashingThread& operator=(const HashingThread&) = delete;

    // Waits for `work`, a Result<T>(). Fails with overloaded where too many wait, and with
    // shutting_down once this is closed.
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

    // From now on nothing is begun. Does not wait.
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
    std::atomic<std::size_t> jobs_ = 0;  // Waiting and worked on.
    std::atomic<bool> closed_ = false;
    boost::asio::thread_pool pool_{1};
};

}  // namespace parley::auth
