#include "store/event_signal.hpp"

#include <utility>
#include <vector>

namespace parley::store {

EventSignal::FollowerRef EventSignal::follow(Owner owner)
{
    auto follower = std::make_shared<Follower>(*this, owner);
    const MutexLock lock(mutex_);
    follower->is_stopped_ = stopped_;
    followers_.emplace(std::move(owner), follower.get());
    return follower;
}

Task<bool> EventSignal::wait(FollowerRef follower)
{
    co_return co_await await_callback<bool>([&](Completion<bool> answer) {
        MutexLock lock(mutex_);
        const bool has_grown = std::exchange(follower->has_grown_, false);
        const bool is_stopped = follower->is_stopped_;
        if (!has_grown && !is_stopped) {
            follower->waits_.emplace(std::move(answer));
            return;
        }
        lock.unlock();
        std::move(answer)(!is_stopped);
    });
}

void EventSignal::stop(const FollowerRef& follower)
{
    MutexLock lock(mutex_);
    follower->is_stopped_ = true;
    auto waits = std::exchange(follower->waits_, std::nullopt);
    lock.unlock();
    if (waits) std::move (*waits)(false);
}

void EventSignal::stop_all()
{
    std::vector<Completion<bool>> woken;
    MutexLock lock(mutex_);
    stopped_ = true;
    for (const auto& [owner, follower] : followers_) {
        follower->is_stopped_ = true;
        if (auto waits = std::exchange(follower->waits_, std::nullopt))
            woken.push_back(std::move(*waits));
    }
    lock.unlock();
    for (auto& answer : woken) std::move(answer)(false);
}

void EventSignal::grew(const std::set<Owner>& owners)
{
    ++growths_;
    grew_elsewhere(owners);
    const MutexLock observing(observing_);
    if (publisher_) publisher_(owners);
}

void EventSignal::grew_elsewhere(const std::set<Owner>& owners)
{
    std::vector<Completion<bool>> woken;
    MutexLock lock(mutex_);
    for (const Owner& owner : owners) {
        const auto [first, last] = followers_.equal_range(owner);
        for (auto each = first; each != last; ++each) {
            Follower& follower = *each->second;
            auto waits = std::exchange(follower.waits_, std::nullopt);
            follower.has_grown_ = !waits;
            if (waits) woken.push_back(std::move(*waits));
        }
    }
    lock.unlock();
    for (auto& answer : woken) std::move(answer)(true);
    const MutexLock observing(observing_);
    if (observer_) observer_(owners);
}

void EventSignal::any_grew_elsewhere()
{
    std::set<Owner> owners;
    {
        const MutexLock lock(mutex_);
        for (const auto& [owner, follower] : followers_) owners.insert(owner);
    }
    grew_elsewhere(owners);
}

void EventSignal::observe(Observer observer)
{
    const MutexLock lock(observing_);
    observer_ = std::move(observer);
}

void EventSignal::publish(Observer publisher)
{
    const MutexLock lock(observing_);
    publisher_ = std::move(publisher);
}

void EventSignal::forget(Follower& follower)
{
    const MutexLock lock(mutex_);
    const auto [first, last] = followers_.equal_range(follower.owner_);
    for (auto each = first; each != last; ++each)
        if (each->second == &follower) {
            followers_.erase(each);
            return;
        }
}

}  // namespace parley::store
