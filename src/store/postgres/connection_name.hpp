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
        is_doubtful_ = false;
        ++version_;
    }
    // Changes with the text.
    std::uint64_t version() const { return version_; }

    // It remained unknown whether a change was stored: the database may have runs of this
    // incarnation that the server does not know. Until the next set().
    void note_unknown_outcome() { is_doubtful_ = true; }
    bool is_doubtful() const { return is_doubtful_; }

private:
    mutable Mutex mutex_;
    std::string text_ GUARDED_BY(mutex_);
    std::atomic<std::uint64_t> version_ = 0;
    std::atomic<bool> is_doubtful_ = false;
};

}  // namespace parley::store::postgres
