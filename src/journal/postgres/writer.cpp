#include "journal/postgres/writer.hpp"

#include <algorithm>
#include <pthread.h>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace parley::journal::postgres {
namespace {

constexpr std::size_t most_appends = 2000;
// While events may be lost by a crash of PostgreSQL.
constexpr std::chrono::milliseconds between_looks{500};
constexpr std::chrono::milliseconds patience_at_end{2000};

std::size_t size_of(const Append& append)
{
    std::size_t size = 0;
    for (const Frame& frame : append.frames) size += frame->size() + Record::overhead;
    return size;
}

// Whether a run that has ended starts over: its appends that wait came after the end.
template <class AllEnded>
bool does_one_start_over(const AllEnded& ended, const std::vector<Append>& batch)
{
    std::unordered_set<std::string_view> runs;
    for (const auto& each : ended) runs.insert(each.run);
    return std::ranges::any_of(batch,
                               [&runs](const Append& each) { return runs.contains(each.run); });
}

}  // namespace

Writer::Writer(const Options& options) : options_(options)
{
    thread_ = std::thread([this] { work(); });
    ::pthread_setname_np(thread_.native_handle(), "journal-writer");
}

Writer::~Writer()
{
    end_soon();
    {
        const MutexLock lock(mutex_);
        is_closing_ = true;
    }
    filled_.notify_all();
    thread_.join();
}

void Writer::submit(Append append)
{
    MutexLock lock(mutex_);
    const std::size_t size = size_of(append);
    if (!is_closing_ && waiting_bytes_ + size <= options_.max_waiting_bytes) {
        waiting_bytes_ += size;
        waiting_.push_back(std::move(append));
        filled_.notify_one();
        return;
    }
    const bool closing = is_closing_;
    lock.unlock();
    std::move(append.answer)(closing
                                 ? journal_is_closed()
                                 : Error{Errc::overloaded, "Too many events wait to be stored."});
}

// Seen with the run's first append.
void Writer::begun(std::string run)
{
    const MutexLock lock(mutex_);
    begun_.push_back(std::move(run));
}

void Writer::end(std::string run, bool is_stored)
{
    const MutexLock lock(mutex_);
    ended_.push_back({std::move(run), is_stored});
    filled_.notify_one();
}

void Writer::sweep()
{
    const MutexLock lock(mutex_);
    sweeps_ = true;
    filled_.notify_one();
}

void Writer::end_soon() { end_ = Steady::now() + patience_at_end; }

// Returns after a while if there are events that a crash may lose.
void Writer::wait_for_work(MutexLock& lock)
{
    const auto end = std::chrono::steady_clock::now() + between_looks;
    while (!has_work() && !is_closing_) {
        if (recent_.is_empty())
            filled_.wait(lock);
        else if (!filled_.wait_until(lock, end))
            return;
    }
}

void Writer::work()
{
    for (;;) {
        Batch batch;
        std::vector<std::string> begun;
        AllEnded ended;
        bool sweeps = false;
        bool is_idle = false;
        {
            MutexLock lock(mutex_);
            wait_for_work(lock);
            is_idle = !has_work();
            if (is_idle && is_closing_) return;
            while (!waiting_.empty() && batch.size() < most_appends &&
                   (batch.empty() || waiting_.front().me == batch.front().me)) {
                waiting_bytes_ -= size_of(waiting_.front());
                batch.push_back(std::move(waiting_.front()));
                waiting_.pop_front();
            }
            begun = std::exchange(begun_, {});
            ended = std::exchange(ended_, {});
            sweeps = std::exchange(sweeps_, false);
        }
        note_begun(begun);
        if (is_idle) look_for_crash();
        if (does_one_start_over(ended, batch)) remove_all(std::exchange(ended, {}), false);
        if (!batch.empty()) run_batch(std::move(batch));
        if (!ended.empty() || sweeps) remove_all(ended, sweeps);
    }
}

void Writer::count(const Batch& batch, std::chrono::nanoseconds took, bool succeeded)
{
    const MutexLock lock(mutex_);
    ++figures_.batches;
    figures_.failed_batches += succeeded ? 0 : 1;
    figures_.writes.add(took);
    if (!succeeded) return;
    for (const Append& append : batch) {
        figures_.records += append.frames.size();
        for (const Frame& frame : append.frames) figures_.bytes_written += frame->size();
    }
}

Figures Writer::figures() const
{
    const MutexLock lock(mutex_);
    Figures figures = figures_;
    figures.runs = runs_;
    figures.queued_appends = waiting_.size();
    figures.queued_bytes = waiting_bytes_;
    return figures;
}

}  // namespace parley::journal::postgres
