// Streams that replay a log take turns, one at a time for each owner: a user with many streams and
// a long log gets no more of the server than a user with one.
//
// Threads: from any event loop.
#pragma once

#include "base/mutex.hpp"
#include "base/task.hpp"
#include "base/timer.hpp"
#include "domain/chat.hpp"

#include <deque>
#include <map>
#include <memory>

namespace parley::api {

class LogTurns {
public:
    // A turn, until it is destroyed. Must not outlive the turns.
    class Turn {
    public:
        Turn(LogTurns& turns, Owner owner) : turns_(&turns), owner_(std::move(owner)) {}
        Turn(Turn&& other) noexcept
            : turns_(std::exchange(other.turns_, nullptr)), owner_(std::move(other.owner_))
        {
        }
        Turn& operator=(Turn&&) = delete;
        ~Turn()  // NOLINT(bugprone-exception-escape): out of memory.
        {
            if (turns_) turns_->pass_on(owner_);
        }

    private:
        LogTurns* turns_;
        Owner owner_;
    };

    Task<Turn> take(Owner owner);

private:
    struct Waiting {
        explicit Waiting(const Executor& its_loop) : loop(its_loop), timer(its_loop) {}
        Executor loop;
        Timer timer;
        bool is_called = false;
    };

    void pass_on(const Owner& owner);

    Mutex mutex_;
    // An owner is in it while one of the streams has the turn; the others wait in line.
    std::map<Owner, std::deque<std::shared_ptr<Waiting>>> lines_ GUARDED_BY(mutex_);
};

}  // namespace parley::api
