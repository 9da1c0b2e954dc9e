#include "automation/start_limit.hpp"

#include <algorithm>

namespace parley::automation {

void StartLimit::count(const Owner& owner) { count_earlier(owner, {}); }

void StartLimit::count_earlier(const Owner& owner, std::chrono::nanoseconds ago)
{
    if (owner.test) return;
    const MutexLock lock(mutex_);
    // The wall clock that measured it may have been set.
    const auto since = std::clamp<std::chrono::nanoseconds>(ago, {}, window);
    starts_[owner.user].push_back(clock_.steady() - since);
}

void StartLimit::give_back(const Owner& owner)
{
    const MutexLock lock(mutex_);
    const auto found = starts_.find(owner.user);
    if (owner.test || found == starts_.end()) return;
    found->second.pop_back();
    if (found->second.empty()) starts_.erase(found);
}

const StartLimit::Starts& StartLimit::starts_of(const Owner& owner)
{
    static const Starts none;
    const auto found = starts_.find(owner.user);
    if (owner.test || found == starts_.end()) return none;
    Starts& starts = found->second;
    const SteadyPoint now = clock_.steady();
    while (!starts.empty() && starts.front() <= now - window) starts.pop_front();
    if (!starts.empty()) return starts;
    starts_.erase(found);
    return none;
}

bool StartLimit::admits(const Owner& owner)
{
    const MutexLock lock(mutex_);
    return std::ssize(starts_of(owner)) < most_;
}

std::chrono::nanoseconds StartLimit::wait(const Owner& owner)
{
    const MutexLock lock(mutex_);
    const Starts& starts = starts_of(owner);
    if (std::ssize(starts) < most_) return {};
    return starts[starts.size() - static_cast<std::size_t>(most_)] + window - clock_.steady();
}

StartLimit::Left StartLimit::left(const Owner& owner)
{
    const MutexLock lock(mutex_);
    const Starts& starts = starts_of(owner);
    Left left{.limit = most_, .remaining = std::max<std::int64_t>(0, most_ - std::ssize(starts))};
    if (starts.empty()) return left;
    left.reset = std::chrono::ceil<std::chrono::seconds>(starts.front() + window - clock_.steady());
    return left;
}

}  // namespace parley::automation
