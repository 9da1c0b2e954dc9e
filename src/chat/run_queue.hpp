// Who is answered when: so many runs at a time, the others wait in a line that is fair between
// users. Users take turns, and each user's runs keep their order, so that one user's hundred
// questions do not hold up another's one. The line has a limit, and each user a share of it: as
// many places as are still free. So one user gets half of the line at most, two get a third each,
// and there is always room for somebody new.
//
// Threads: from any event loop.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"

#include <cstddef>
#include <deque>
#include <list>
#include <mutex>
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

    // A run comes: true where it may begin at once, false where it has to wait for its turn. Fails
    // with overloaded where the line, or the user's share of it, is full. Whoever came must
    // leave().
    Result<bool> enter(const std::string& user, const std::string& run);

    // The same for a run of an earlier process, which is let in however long the line is.
    bool enter_again(const std::string& user, const std::string& run);

    // Waits for the turn of a run that came. False where it left the line meanwhile.
    Task<bool> turn(std::string run);

    // Ends a run, or its waiting; again and for unknown runs, too.
    void leave(const std::string& run);

    // The same for a run that waits; one that has begun goes on.
    void withdraw(const std::string& run);

    // From 1 on, if it waits: how many would be begun until it is.
    std::optional<std::size_t> position(const std::string& run) const;

    std::size_t waiting() const;
    std::size_t running() const;

private:
    struct Place {
        std::string user;
        bool runs = false;
        std::optional<Answer<bool>> waiter = {};
    };
    using Users = std::list<std::string>;  // Those who wait, the next one first.

    bool has_room_for(const std::string& user) const;
    bool take(const std::string& user, const std::string& run);
    std::optional<Answer<bool>> remove(const std::string& run, bool also_running);
    void begin_next();

    const std::size_t max_running_;
    const std::size_t max_waiting_;
    mutable std::mutex mutex_;
    std::unordered_map<std::string, Place> places_;
    std::unordered_map<std::string, std::deque<std::string>> lines_;  // Of those who wait.
    Users order_;
    std::size_t running_ = 0;
    std::size_t waiting_ = 0;
};

}  // namespace parley::chat
