// Limits the number of imports at the same time. Each holds its conversation in memory, without a
// share of the memory for bodies, and all wait for one search index.
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"

#include <map>
#include <memory>
#include <string>

namespace parley::api {

class ImportPlaces {
public:
    static constexpr std::size_t most = 8;
    static constexpr std::size_t most_of_user = 4;

    // Released with the last reference. Fails with overloaded.
    Result<std::shared_ptr<void>> take(const std::string& user)
    {
        const MutexLock lock(mutex_);
        if (taken_ == most || (users_.contains(user) && users_[user] == most_of_user))
            return Error{Errc::overloaded,
                         "Other imports are running; try again when they have ended."};
        ++taken_;
        ++users_[user];
        return std::shared_ptr<void>(nullptr, [this, user](void*) { release(user); });
    }

private:
    void release(const std::string& user)
    {
        const MutexLock lock(mutex_);
        --taken_;
        if (--users_[user] == 0) users_.erase(user);
    }

    Mutex mutex_;
    std::size_t taken_ GUARDED_BY(mutex_) = 0;
    std::map<std::string, std::size_t> users_ GUARDED_BY(mutex_);  // Never 0.
};

}  // namespace parley::api
