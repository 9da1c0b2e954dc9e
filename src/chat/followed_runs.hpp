// Runs that other servers execute, as readers of this server see them: each has a feed, which is
// filled from the journal that the servers share. All of them are polled together, as long as one
// has a reader.
//
// Threads: from any event loop, unless a comment says otherwise. The context must outlive it;
// before it is destroyed, stop() and wait_until_idle() must have been called if it followed a run.
#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "chat/active_run.hpp"
#include "chat/run_context.hpp"
#include "chat/run_queues.hpp"

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::chat {

class FollowedRuns {
public:
    FollowedRuns(RunContext& context, RunQueues& queues) : context_(context), queues_(queues) {}
    FollowedRuns(const FollowedRuns&) = delete;
    FollowedRuns& operator=(const FollowedRuns&) = delete;

    // A run that is unfinished in the store, with the events so far. Fails with not_found if it has
    // ended meanwhile, with shutting_down, and as the journal does.
    Task<Result<ActiveRunRef>> follow(store::RunWithMessages stored);

    // A run of this server that another one has taken over, or that waits for its turn: its readers
    // wait for the events of the server that executes it.
    void adopt(const ActiveRunRef& run);

    // Null if this run is not followed.
    ActiveRunRef find(const std::string& id) const;
    std::vector<ActiveRunRef> all() const;

    // At shutdown: the streams are cut, and their clients resume them on another server.
    void stop();
    // From a thread without a loop.
    bool wait_until_idle(std::chrono::milliseconds patience);

private:
    struct Entry {
        ActiveRunRef run;
        SteadyPoint used_at;  // A reader was last seen.
    };

    // `is_new`: it was read a moment ago, for a feed without readers.
    enum class Past { is_new, is_old };
    Task<Result<>> catch_up(ActiveRunRef run, Past past);
    Task<Result<>> take(ActiveRunRef run, journal::NewEvents news, std::uint32_t after, Past past);
    Task<Result<bool>> has_same_past(ActiveRunRef run);
    Task<Result<>> replace_lost(ActiveRunRef run, std::int64_t epoch);
    enum class IfKnown { share, add };
    ActiveRunRef add(const ActiveRunRef& run, const Executor& loop, IfKnown if_known);
    void remove(const ActiveRunRef& run);
    // Those that have readers; the others are forgotten after a while.
    std::vector<ActiveRunRef> still_followed();
    void begin_polling(const Executor& loop);
    void end_polling(const Executor& loop);

    Task<> poll(Executor loop);
    Task<> poll_once(std::vector<ActiveRunRef> runs);
    Task<> notice_begin(ActiveRunRef run);
    // Adds the rest of its events, and the last one.
    Task<> end(ActiveRunRef run);

    RunContext& context_;
    RunQueues& queues_;
    mutable Mutex mutex_;
    Condition idle_;
    // A run has several entries if this server executed it in between: each has its own readers.
    std::unordered_multimap<std::string, Entry> runs_ GUARDED_BY(mutex_);
    bool is_polling_ GUARDED_BY(mutex_) = false;
    bool is_stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace parley::chat
