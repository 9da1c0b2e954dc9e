// The active runs of this process, by id.
//
// Threads: from any thread.
#pragma once

#include "base/mutex.hpp"
#include "chat/active_run.hpp"

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::chat {

class RunRegistry {
public:
    void add(const ActiveRunRef& run);
    // No effect on another run with the same id: this server may have taken over its own.
    void remove(const ActiveRunRef& run);

    // Null if there is no such active run.
    ActiveRunRef find(const std::string& id) const;
    std::vector<ActiveRunRef> all() const;

    // From a thread without a loop. False if runs are still active.
    bool wait_until_empty(std::chrono::milliseconds patience);

private:
    mutable Mutex mutex_;
    Condition fewer_;
    std::unordered_map<std::string, ActiveRunRef> runs_ GUARDED_BY(mutex_);
};

}  // namespace parley::chat
