// Work that waits for a thread with a connection, in the order in which it came. A queue takes only
// so much: what comes beyond is refused, so that a slow disk cannot eat the memory.
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

// One use case on its way: run on a connection, then answered.
class Job {
public:
    virtual ~Job() = default;

    // True where it did what was asked; false where a rule forbids it, and what it changed must be
    // undone. Throws Failure. May be called again, where what was done is undone: the last time
    // counts.
    virtual bool run(Connection& connection) = 0;

    // From now on its answer is this error.
    virtual void fail(Error error) = 0;

    // Lets the task that waits for it go on. To be called once, after run() or fail().
    virtual void answer() = 0;
};

template <class T, class Work>
class WaitingJob final : public Job {
    // What it was given must still be there when it runs again.
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

    // Waits until `work`, a Result<T>(Connection&), was run by a thread of the driver, and
    // answered. Fails with overloaded where too many wait.
    template <class T, class Work>
    Task<Result<T>> run(Work work)
    {
        co_return co_await await_callback<Result<T>>(
            [this, job = std::move(work)](Completion<Result<T>> answer) mutable {
                put(std::make_unique<WaitingJob<T, Work>>(std::move(job), std::move(answer)));
            });
    }

    // Waits for work; takes all that there is, `most` jobs at most. Nothing once the queue is
    // closed and empty.
    std::vector<std::unique_ptr<Job>> take(std::size_t most);

    // What waits is still taken; nobody may put anything any more.
    void close();

    std::size_t size() const;

private:
    void put(std::unique_ptr<Job> job);

    const std::size_t capacity_;
    mutable Mutex mutex_;
    Condition filled_;
    std::deque<std::unique_ptr<Job>> waiting_ GUARDED_BY(mutex_);
    bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::store::sql
