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
    void remove(const std::string& id);

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
