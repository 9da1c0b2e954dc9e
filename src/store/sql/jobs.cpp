#include "store/sql/jobs.hpp"

#include <algorithm>

namespace parley::store::sql {

void JobQueue::put(std::unique_ptr<Job> job)
{
    Error refusal{Errc::overloaded, "The server's storage is busy."};
    {
        const MutexLock lock(mutex_);
        if (closed_) {
            refusal = {Errc::shutting_down, "The server is shutting down."};
        } else if (waiting_.size() < capacity_) {
            waiting_.push_back(std::move(job));
            filled_.notify_one();
            return;
        }
    }
    job->fail(std::move(refusal));
    job->answer();
}

std::vector<std::unique_ptr<Job>> JobQueue::take(std::size_t most)
{
    MutexLock lock(mutex_);
    while (waiting_.empty() && !closed_) filled_.wait(lock);
    return taken(most);
}

std::vector<std::unique_ptr<Job>> JobQueue::take_waiting()
{
    const MutexLock lock(mutex_);
    return taken(waiting_.size());
}

std::vector<std::unique_ptr<Job>> JobQueue::taken(std::size_t most)
{
    const auto end =
        waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(most, waiting_.size()));
    std::vector<std::unique_ptr<Job>> taken(std::make_move_iterator(waiting_.begin()),
                                            std::make_move_iterator(end));
    waiting_.erase(waiting_.begin(), end);
    return taken;
}

void JobQueue::close()
{
    const MutexLock lock(mutex_);
    closed_ = true;
    filled_.notify_all();
}

std::size_t JobQueue::size() const
{
    const MutexLock lock(mutex_);
    return waiting_.size();
}

}  // namespace parley::store::sql
