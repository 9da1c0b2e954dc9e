// Limits the number of exports at the same time: each has a file as large as all data of its user.
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"
#include "base/mutex.hpp"

#include <memory>
#include <set>
#include <string>

namespace parley::api {

class ExportPlaces {
public:
    static constexpr std::size_t most = 4;

    // Released with the last reference. Fails with overloaded.
    Result<std::shared_ptr<void>> take(const std::string& user)
    {
        const MutexLock lock(mutex_);
        if (users_.size() >= most || !users_.insert(user).second)
            return Error{Errc::overloaded,
                         "Another export is running; try again when it has ended."};
        return std::shared_ptr<void>(nullptr, [this, user](void*) {
            const MutexLock again(mutex_);
            users_.erase(user);
        });
    }

private:
    Mutex mutex_;
    std::set<std::string> users_ GUARDED_BY(mutex_);
};

}  // namespace parley::api
