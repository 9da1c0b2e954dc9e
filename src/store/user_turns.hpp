// One costly job of a user at a time: further ones wait, in order. So a user who starts many of
// them delays those of others by one.
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/task.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace parley::store {

class UserTurns {
public:
    // Lasts until its last reference is gone.
    using Turn = std::shared_ptr<void>;

    static constexpr std::size_t most_waiting = 16;  // Jobs of one user.

    // Fails with overloaded if too many jobs of the user wait.
    Task<Result<Turn>> take(std::string user)
    {
        co_return co_await await_callback<Result<Turn>>(
            [jobs = jobs_, name = std::move(user)](Completion<Result<Turn>> job) {
                put(jobs, name, std::move(job));
            });
    }

private:
    using Job = Completion<Result<Turn>>;

    // A turn may outlive the object that gave it.
    struct Jobs {
        Mutex mutex;
        // The jobs that wait, for each user who has a turn.
        std::map<std::string, std::deque<Job>> waiting GUARDED_BY(mutex);
    };
    using JobsRef = std::shared_ptr<Jobs>;

    static void put(const JobsRef& jobs, const std::string& user, Job job)
    {
        bool has_turn = false;
        {
            const MutexLock lock(jobs->mutex);
            const auto [users, is_first] = jobs->waiting.try_emplace(user);
            has_turn = is_first;
            if (!is_first && users->second.size() < most_waiting) {
                users->second.push_back(std::move(job));
                return;
            }
        }
        if (has_turn)
            std::move(job)(turn_of(jobs, user));
        else
            std::move(job)(Error{Errc::overloaded, "Several of your searches are waiting."});
    }

    static Turn turn_of(const JobsRef& jobs, const std::string& user)
    {
        return Turn(nullptr, [jobs, user](void*) { end(jobs, user); });
    }

    static void end(const JobsRef& jobs, const std::string& user)
    {
        std::optional<Job> next;
        {
            const MutexLock lock(jobs->mutex);
            const auto users = jobs->waiting.find(user);
            if (users->second.empty()) {
                jobs->waiting.erase(users);
                return;
            }
            next.emplace(std::move(users->second.front()));
            users->second.pop_front();
        }
        Job job = std::move(*next);
        std::move(job)(turn_of(jobs, user));
    }

    const JobsRef jobs_ = std::make_shared<Jobs>();
};

}  // namespace parley::store
