// Limits the number of exports at the same time. Each has a file as large as all data of its user.
// Only few are written at once, because that takes a connection of the store; sent are more, so
// that a few slow readers do not keep others from their data.
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
    static constexpr std::size_t most = 64;
    static constexpr std::size_t most_written = 4;

    // Both are released with the last reference, and fail with overloaded.
    // The place of a user, until the export was sent:
    Result<std::shared_ptr<void>> take(const std::string& user)
    {
        const MutexLock lock(mutex_);
        if (users_.size() >= most || !users_.insert(user).second) return busy();
        return std::shared_ptr<void>(nullptr, [this, user](void*) {
            const MutexLock again(mutex_);
            users_.erase(user);
        });
    }
    // While its file is written:
    Result<std::shared_ptr<void>> write()
    {
        const MutexLock lock(mutex_);
        if (written_ == most_written) return busy();
        ++written_;
        return std::shared_ptr<void>(nullptr, [this](void*) {
            const MutexLock again(mutex_);
            --written_;
        });
    }

private:
    static Error busy()
    {
        return {Errc::overloaded, "Another export is running; try again when it has ended."};
    }

    Mutex mutex_;
    std::set<std::string> users_ GUARDED_BY(mutex_);
    std::size_t written_ GUARDED_BY(mutex_) = 0;
};

}  // namespace parley::api
