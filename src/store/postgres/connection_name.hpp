// The name by which PostgreSQL knows the connections of this server (application_name). It contains
// the server's incarnation, so that other servers can end its connections if it is dead, and
// changes with the incarnation.
//
// Threads: any.
#pragma once

#include "base/mutex.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

namespace parley::store::postgres {

class ConnectionName {
public:
    std::string text() const
    {
        const MutexLock lock(mutex_);
        return text_;
    }
    void set(std::string text)
    {
        const MutexLock lock(mutex_);
        text_ = std::move(text);
        ++version_;
    }
    // Changes with the text.
    std::uint64_t version() const { return version_; }

private:
    mutable Mutex mutex_;
    std::string text_ GUARDED_BY(mutex_);
    std::atomic<std::uint64_t> version_ = 0;
};

}  // namespace parley::store::postgres
