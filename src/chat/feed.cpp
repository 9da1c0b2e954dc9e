#include "chat/feed.hpp"

#include <utility>

namespace parley::chat {
namespace {

// The maximum memory of a run's ring. A reader that is further behind reads the journal.
constexpr std::size_t max_ring_cost = std::size_t{16} * 1024;

}  // namespace

void Feed::push(std::span<const RunEvent> events)
{
    MutexLock lock(mutex_);
    for (const RunEvent& event : events) {
        if (event.number <= last_) continue;
        ring_.push_back(event);
        ring_cost_ += event.cost();
        last_ = event.number;
        if (event.type != RunEvent::Type::delta) continue;
        text_ += *event.bytes;
        deltas_.add(event.bytes->size());
    }
    while (ring_.size() > events.size() && ring_cost_ > max_ring_cost) {
        ring_cost_ -= ring_.front().cost();
        ring_.pop_front();
    }
    Woken woken = due_followers();
    lock.unlock();
    resume(std::move(woken));
}

void Feed::end(RunEvent last)
{
    MutexLock lock(mutex_);
    last_ = last.number;
    ring_.push_back(std::move(last));
    has_ended_ = true;
    trouble_.reset();
    Woken woken = due_followers();
    lock.unlock();
    resume(std::move(woken));
}

void Feed::suspend()
{
    MutexLock lock(mutex_);
    if (has_ended_) return;
    was_suspended_ = true;
    Woken woken = due_followers();
    lock.unlock();
    resume(std::move(woken));
}

void Feed::restore(std::int64_t last, std::string text, DeltaSizes deltas)
{
    const MutexLock lock(mutex_);
    last_ = last;
    text_ = std::move(text);
    deltas_ = std::move(deltas);
}

void Feed::replace(std::int64_t last, std::string text, DeltaSizes deltas)
{
    MutexLock lock(mutex_);
    if (is_over()) return;
    ring_.clear();
    ring_cost_ = 0;
    last_ = last;
    text_ = std::move(text);
    deltas_ = std::move(deltas);
    ++replacements_;
    Woken woken;
    for (const auto& each : followers_) {
        const auto follower = each.lock();
        if (!follower || !follower->waits_ || follower->for_end_) continue;
        woken.push_back(std::move(*follower->waits_));
        follower->waits_.reset();
    }
    lock.unlock();
    resume(std::move(woken));
}

std::uint64_t Feed::replacements() const
{
    const MutexLock lock(mutex_);
    return replacements_;
}

void Feed::set_trouble(std::optional<Error> trouble)
{
    MutexLock lock(mutex_);
    trouble_ = std::move(trouble);
    Woken woken = due_followers();
    lock.unlock();
    resume(std::move(woken));
}

Feed::Look Feed::look(std::int64_t after, std::size_t max_cost) const
{
    const MutexLock lock(mutex_);
    Look seen{.has_ended = has_ended_, .was_suspended = was_suspended_};
    if (after >= last_) return seen;
    const auto first = last_ - static_cast<std::int64_t>(ring_.size()) + 1;
    seen.is_behind = after + 1 < first;
    if (seen.is_behind) {
        seen.has_ended = seen.was_suspended = false;
        return seen;
    }
    std::size_t cost = 0;
    for (auto next = static_cast<std::size_t>(after + 1 - first); next < ring_.size(); ++next) {
        cost += ring_[next].cost();
        if (!seen.events.empty() && cost > max_cost) {
            seen.has_ended = seen.was_suspended = false;
            break;
        }
        seen.events.push_back(ring_[next]);
    }
    return seen;
}

Feed::Moment Feed::moment() const
{
    const MutexLock lock(mutex_);
    return {last_, text_, has_ended_};
}

std::int64_t Feed::last() const
{
    const MutexLock lock(mutex_);
    return last_;
}

DeltaSizes Feed::deltas() const
{
    const MutexLock lock(mutex_);
    return deltas_;
}

Feed::FollowerRef Feed::follow()
{
    auto follower = std::make_shared<Follower>();
    const MutexLock lock(mutex_);
    std::erase_if(followers_, [](const auto& each) { return each.expired(); });
    followers_.push_back(follower);
    return follower;
}

Task<bool> Feed::wait(FollowerRef follower, std::int64_t after)
{
    co_return co_await await_callback<bool>([&](Completion<bool> answer) {
        MutexLock lock(mutex_);
        follower->for_end_ = false;
        follower->after_ = after;
        if (!follower->gave_up_ && last_ <= after && !is_over()) {
            follower->waits_.emplace(std::move(answer));
            return;
        }
        const bool stays = !follower->gave_up_;
        lock.unlock();
        std::move(answer)(stays);
    });
}

Task<Result<bool>> Feed::wait_for_end(FollowerRef follower)
{
    const bool stays = co_await await_callback<bool>([&](Completion<bool> answer) {
        MutexLock lock(mutex_);
        follower->for_end_ = true;
        if (!follower->gave_up_ && !trouble_ && !is_over()) {
            follower->waits_.emplace(std::move(answer));
            return;
        }
        const bool waits_on = !follower->gave_up_;
        lock.unlock();
        std::move(answer)(waits_on);
    });
    const MutexLock lock(mutex_);
    if (!has_ended_ && trouble_) co_return *trouble_;
    co_return stays;
}

void Feed::give_up(const FollowerRef& follower)
{
    MutexLock lock(mutex_);
    follower->gave_up_ = true;
    auto waits = std::exchange(follower->waits_, std::nullopt);
    lock.unlock();
    if (waits) std::move (*waits)(false);
}

void Feed::wake(const FollowerRef& follower)
{
    MutexLock lock(mutex_);
    auto waits = std::exchange(follower->waits_, std::nullopt);
    lock.unlock();
    if (waits) std::move (*waits)(true);
}

std::size_t Feed::followers() const
{
    const MutexLock lock(mutex_);
    std::size_t count = 0;
    for (const auto& each : followers_) count += !each.expired();
    return count;
}

Feed::Woken Feed::due_followers()
{
    Woken woken;
    for (const auto& each : followers_) {
        const auto follower = each.lock();
        if (!follower || !follower->waits_) continue;
        const bool is_due =
            follower->for_end_ ? is_over() || trouble_ : is_over() || last_ > follower->after_;
        if (!is_due) continue;
        woken.push_back(std::move(*follower->waits_));
        follower->waits_.reset();
    }
    return woken;
}

void Feed::resume(Woken woken)
{
    for (Completion<bool>& answer : woken) std::move(answer)(true);
}

}  // namespace parley::chat
