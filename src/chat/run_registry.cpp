#include "chat/run_registry.hpp"

namespace parley::chat {

void RunRegistry::add(const ActiveRunRef& run)
{
    const MutexLock lock(mutex_);
    runs_.emplace(run->id(), run);
}

void RunRegistry::remove(const ActiveRunRef& run)
{
    const MutexLock lock(mutex_);
    const auto found = runs_.find(run->id());
    if (found != runs_.end() && found->second == run) runs_.erase(found);
    fewer_.notify_all();
}

ActiveRunRef RunRegistry::find(const std::string& id) const
{
    const MutexLock lock(mutex_);
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : found->second;
}

std::vector<ActiveRunRef> RunRegistry::all() const
{
    const MutexLock lock(mutex_);
    std::vector<ActiveRunRef> runs;
    runs.reserve(runs_.size());
    for (const auto& [id, run] : runs_) runs.push_back(run);
    return runs;
}

bool RunRegistry::wait_until_empty(std::chrono::milliseconds patience)
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    MutexLock lock(mutex_);
    while (!runs_.empty())
        if (!fewer_.wait_until(lock, deadline)) return runs_.empty();
    return true;
}

}  // namespace parley::chat
