// The queue of runs: a limited number of runs at a time, the others wait in a line that is fair
// between users. A place that becomes free goes to the user who has the fewest runs running;
// between equals users take turns, and each user's runs keep their order, so that one user's
// hundred questions do not hold up another's one. The line has a limit, and each user a share of
// it: as many places as are still free. So one user gets half of the line at most, two get a third
// each, and there is always room for a new user. If there are several users, no user ever has all
// running places: one place is kept for another user, who would otherwise wait until a run ends.
//
// Threads: from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

namespace parley::chat {

class RunQueue {
public:
    RunQueue(std::size_t max_running, std::size_t max_waiting)
        : max_running_(max_running), max_waiting_(max_waiting)
    {
    }

    // There is more than one user: from now on one place is kept for another. The only user of a
    // server has all of them.
    void share() { is_shared_ = true; }
    bool is_shared() const { return is_shared_; }

    // Adds a run: true if it may begin at once, false if it has to wait for its turn. Fails with
    // overloaded if the line, or the user's share of it, is full. Every successful call needs a
    // leave().
    Result<bool> enter(const std::string& user, const std::string& run);

    // The same for a run of an earlier process, which is admitted even if the line is full.
    bool readmit(const std::string& user, const std::string& run);

    // Waits for the turn of a run. False if it left the line in the meantime.
    Task<bool> turn(std::string run);

    // Removes a run, running or waiting. May be repeated, and called for unknown runs.
    void leave(const std::string& run);

    // The same for a waiting run; a running one continues.
    void withdraw(const std::string& run);

    // The position of a waiting run, from 1: how many runs begin until it does, if no others are
    // added.
    std::optional<std::size_t> position(const std::string& run) const;

    std::size_t waiting() const;
    std::size_t running() const;

private:
    struct Entry {
        std::string user;
        bool runs = false;
        std::optional<Completion<bool>> waiter = {};
    };
    struct User {
        std::deque<std::string> line = {};  // Of runs that wait.
        std::size_t running = 0;
    };
    using Users = std::unordered_map<std::string, User>;  // Those who wait or have runs running.

    bool may_begin(const User& user) const REQUIRES(mutex_);
    bool has_room_for(const std::string& user) const REQUIRES(mutex_);
    bool take(const std::string& user, const std::string& run) REQUIRES(mutex_);
    std::optional<Completion<bool>> remove(const std::string& run, bool also_running);
    void begin_next() REQUIRES(mutex_);
    Users::iterator next_user() REQUIRES(mutex_);
    void forget_if_gone(Users::iterator user) REQUIRES(mutex_);

    const std::size_t max_running_;
    const std::size_t max_waiting_;
    std::atomic<bool> is_shared_ = false;
    mutable Mutex mutex_;
    std::unordered_map<std::string, Entry> entries_ GUARDED_BY(mutex_);
    Users users_ GUARDED_BY(mutex_);
    // Waiting users; the one who had a place last is last.
    std::list<std::string> order_ GUARDED_BY(mutex_);
    std::size_t running_ GUARDED_BY(mutex_) = 0;
    std::size_t waiting_ GUARDED_BY(mutex_) = 0;
};

}  // namespace parley::chat
