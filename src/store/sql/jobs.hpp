// A queue of jobs that wait for a thread with a connection, in order. It is bounded: further jobs
// are refused, so that a slow disk cannot use up the memory.
//
// Threads: from any thread.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"
#include "store/sql/connection.hpp"

#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace parley::store::sql {

// One call of a use case: run on a connection, then answered.
class Job {
public:
    virtual ~Job() = default;

    // True if it succeeded; false if a rule forbids it, and its changes must be rolled back. Throws
    // Failure. May be called again after a rollback: the last call counts.
    virtual bool run(Connection& connection) = 0;

    // Sets this error as its result.
    virtual void fail(Error error) = 0;

    // Resumes the waiting task. To be called once, after run() or fail().
    virtual void answer() = 0;
};

template <class T, class Work>
class WaitingJob final : public Job {
    // The arguments must be unchanged if it runs again.
    static_assert(std::is_invocable_r_v<Result<T>, const Work&, Connection&>,
                  "the work of a job must not be mutable");

public:
    WaitingJob(Work work, Completion<Result<T>> answer)
        : work_(std::move(work)), answer_(std::move(answer))
    {
    }

    bool run(Connection& connection) override
    {
        try {
            outcome_.emplace(std::as_const(work_)(connection));
        } catch (const Failure&) {
            throw;
        } catch (const std::exception& bug) {
            fail({Errc::internal, "a use case of the store threw an exception", bug.what()});
        }
        return outcome_->has_value();
    }
    void fail(Error error) override { outcome_.emplace(std::move(error)); }
    void answer() override
    {
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): it was run, or has failed.
        std::move(answer_)(std::move(*outcome_));
    }

private:
    Work work_;
    Completion<Result<T>> answer_;
    std::optional<Result<T>> outcome_;
};

class JobQueue {
public:
    explicit JobQueue(std::size_t capacity) : capacity_(capacity) {}

    // Waits until a thread of the driver has run `work`, a Result<T>(Connection&), and answered.
    // Fails with overloaded if too many wait.
    template <class T, class Work>
    Task<Result<T>> run(Work work)
    {
        co_return co_await await_callback<Result<T>>(
            [this, job = std::move(work)](Completion<Result<T>> answer) mutable {
                put(std::make_unique<WaitingJob<T, Work>>(std::move(job), std::move(answer)));
            });
    }

    // Waits for jobs; returns all of them, `most` at most. Nothing once the queue is closed and
    // empty.
    std::vector<std::unique_ptr<Job>> take(std::size_t most);
    // All that wait now.
    std::vector<std::unique_ptr<Job>> take_waiting();

    // Waiting jobs are still taken; new ones are refused.
    void close();

    std::size_t size() const;

private:
    void put(std::unique_ptr<Job> job);
    std::vector<std::unique_ptr<Job>> taken(std::size_t most) REQUIRES(mutex_);

    const std::size_t capacity_;
    mutable Mutex mutex_;
    Condition filled_;
    std::deque<std::unique_ptr<Job>> waiting_ GUARDED_BY(mutex_);
    bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::store::sql
