// An active run: its state, its feed, and the request to stop. It lives as long as there is a
// reader; after the end it has the final state.
//
// Threads: from any thread, except for the reply, which belongs to the run's loop.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"
#include "chat/feed.hpp"
#include "chat/run_queue.hpp"
#include "engine/engine.hpp"
#include "store/runs.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace parley::chat {

class ActiveRun : public std::enable_shared_from_this<ActiveRun> {
public:
    // Why a run stops before the model has finished. `suspended`: the server shuts down, and the
    // next process resumes the run. `lost`: another server has taken it over.
    enum class Stop { none, cancelled, timed_out, suspended, lost };

    // `replica`: the incarnation of this server that executes it (cluster/cluster.hpp).
    ActiveRun(std::string id, Owner owner, RunQueue& queue, Executor loop, std::int64_t replica = 0)
        : id_(std::move(id)),
          owner_(std::move(owner)),
          queue_(queue),
          loop_(std::move(loop)),
          replica_(replica)
    {
    }

    const std::string& id() const { return id_; }
    const Owner& owner() const { return owner_; }
    RunQueue& queue() const { return queue_; }  // The queue that it waits in.
    const Executor& loop() const { return loop_; }
    std::int64_t replica() const { return replica_; }
    Feed& feed() { return feed_; }

    // Null before its question was stored. It is replaced, never changed, so that readers share it.
    using Whole = std::shared_ptr<const store::RunWithMessages>;
    Whole whole() const
    {
        const MutexLock lock(mutex_);
        return whole_;
    }
    void set_whole(store::RunWithMessages whole)
    {
        const MutexLock lock(mutex_);
        whole_ = std::make_shared<const store::RunWithMessages>(std::move(whole));
    }
    // For a reader that found the run in the store before the task that stored it set it here.
    void set_run_if_unknown(store::RunWithMessages whole)
    {
        const MutexLock lock(mutex_);
        if (!whole_) whole_ = std::make_shared<const store::RunWithMessages>(std::move(whole));
    }
    // For a run of another server: as it was read from the store, perhaps a moment ago.
    void renew_whole(store::RunWithMessages whole)
    {
        const MutexLock lock(mutex_);
        if (!has_ended(whole_->run.status))
            whole_ = std::make_shared<const store::RunWithMessages>(std::move(whole));
    }
    bool is_in(const std::string& session) const
    {
        const MutexLock lock(mutex_);
        return whole_ && whole_->run.session == session;
    }

    // The first reason counts.
    void stop(Stop reason)
    {
        Stop none = Stop::none;
        if (!stop_.compare_exchange_strong(none, reason)) return;
        boost::asio::post(loop_, [self = shared_from_this()] {
            if (self->reply_) self->reply_->stop();
        });
    }
    Stop stopped() const { return stop_.load(); }

    // Ends the run soon, also if it still waits in the queue.
    void cancel()
    {
        stop(Stop::cancelled);
        queue_.withdraw(id_);
    }
    void suspend()
    {
        stop(Stop::suspended);
        queue_.withdraw(id_);
    }

    // Another server has taken it over: nothing more of it may be sent or stored by this one.
    void lose()
    {
        is_lost_ = true;
        stop(Stop::lost);
        queue_.withdraw(id_);
    }
    bool is_lost() const { return is_lost_; }

    // It waits for its turn, or another server executes it: this one only reads its events
    // (followed_runs.hpp).
    void set_followed() { is_followed_ = true; }
    bool is_followed() const { return is_followed_; }
    // Of a followed run: how often a server has taken it over, as its events were read last; -1:
    // this is not known.
    std::int64_t epoch() const { return epoch_; }
    void set_epoch(std::int64_t epoch) { epoch_ = epoch; }

    // On its loop: the reply that stop() stops. Reset to null before the reply is destroyed.
    void set_reply(engine::Reply* reply) { reply_ = reply; }

private:
    const std::string id_;
    const Owner owner_;
    RunQueue& queue_;
    const Executor loop_;
    const std::int64_t replica_;
    Feed feed_;
    mutable Mutex mutex_;
    Whole whole_ GUARDED_BY(mutex_);
    std::atomic<Stop> stop_ = Stop::none;
    std::atomic<bool> is_lost_ = false;  // Also after another reason to stop.
    std::atomic<bool> is_followed_ = false;
    std::atomic<std::int64_t> epoch_ = -1;
    engine::Reply* reply_ = nullptr;
};
using ActiveRunRef = std::shared_ptr<ActiveRun>;

}  // namespace parley::chat
