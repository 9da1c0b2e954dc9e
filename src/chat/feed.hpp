// The live events of one run, for any number of readers: the newest events (a ring; the journal and
// the store have the others), the text so far, and the waiting readers.
//
// Threads: from any thread. Only the run itself adds to it.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"
#include "chat/kept_events.hpp"
#include "domain/run_event.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::chat {

class Feed {
public:
    // A reader of the feed. One that waits can be told to give up, from any thread.
    class Follower;
    using FollowerRef = std::shared_ptr<Follower>;

    // The next step of a reader that has all events up to a number.
    struct Look {
        std::vector<RunEvent> events = {};  // The next ones, if the ring has them.
        bool is_behind = false;             // There are next ones, but the ring has lost them.
        bool has_ended = false;             // Nothing comes after these events.
        bool was_suspended = false;         // It stopped without an end: the server shuts down.
    };
    // How far the answer is, at one moment.
    struct Moment {
        std::int64_t last = 0;
        std::string text;
        bool has_ended = false;
    };

    Feed() = default;
    Feed(const Feed&) = delete;
    Feed& operator=(const Feed&) = delete;

    // By the run. None is missing; those that it has already are left out, since two readers of a
    // journal may bring the same ones.
    void push(std::span<const RunEvent> events);
    // The last event.
    void end(RunEvent last);
    // No more events in this process, although the run has not ended: the next process resumes it.
    void suspend();
    // Restores the state of an earlier process; before the first reader.
    void restore(std::int64_t last, std::string text, DeltaSizes deltas);
    // The same at any time, if events that readers have seen are lost and others follow. Readers
    // compare how often that has happened.
    void replace(std::int64_t last, std::string text, DeltaSizes deltas);
    std::uint64_t replacements() const;
    // Sets or clears the error that delays the run.
    void set_trouble(std::optional<Error> trouble);

    Look look(std::int64_t after, std::size_t max_cost) const;
    Moment moment() const;
    std::int64_t last() const;
    DeltaSizes deltas() const;

    FollowerRef follow();

    // Waits until there is an event after this number, or no more can come. False if the follower
    // was told to give up.
    Task<bool> wait(FollowerRef follower, std::int64_t after);
    // Waits until the run has ended or was suspended. Fails with the error that delays it.
    Task<Result<bool>> wait_for_end(FollowerRef follower);

    void give_up(const FollowerRef& follower);
    // Ends its wait, although there is nothing new.
    void wake(const FollowerRef& follower);

    std::size_t followers() const;

private:
    // The followers to wake. They are resumed without the mutex, because a follower on another
    // thread continues at once.
    using Woken = std::vector<Completion<bool>>;
    Woken due_followers() REQUIRES(mutex_);
    static void resume(Woken woken);

    bool is_over() const REQUIRES(mutex_) { return has_ended_ || was_suspended_; }

    mutable Mutex mutex_;
    std::deque<RunEvent> ring_ GUARDED_BY(mutex_);
    std::size_t ring_cost_ GUARDED_BY(mutex_) = 0;
    // The number of the last event, which is the ring's last.
    std::int64_t last_ GUARDED_BY(mutex_) = 0;
    std::string text_ GUARDED_BY(mutex_);
    DeltaSizes deltas_ GUARDED_BY(mutex_);  // How the text was cut.
    std::uint64_t replacements_ GUARDED_BY(mutex_) = 0;
    bool has_ended_ GUARDED_BY(mutex_) = false;
    bool was_suspended_ GUARDED_BY(mutex_) = false;
    std::optional<Error> trouble_ GUARDED_BY(mutex_);
    std::vector<std::weak_ptr<Follower>> followers_ GUARDED_BY(mutex_);
};

class Feed::Follower {
    friend class Feed;
    std::optional<Completion<bool>> waits_;
    std::int64_t after_ = 0;
    bool for_end_ = false;
    bool gave_up_ = false;
};

}  // namespace parley::chat
