#include "chat/feed.hpp"

#include <utility>

namespace parley::chat {
namespace {

// A run that nobody follows closely costs no more than this; whoever is further behind reads the
// journal.
constexpr std::size_t max_ring_bytes = std::size_t{16} * 1024;

}  // namespace

void Feed::push(std::span<const Frame> frames, std::span<const std::string> texts)
{
    std::unique_lock lock(mutex_);
    for (const Frame& frame : frames) {
        ring_.push_back(frame);
        ring_bytes_ += frame->size();
        ++last_;
    }
    while (ring_.size() > frames.size() && ring_bytes_ > max_ring_bytes) {
        ring_bytes_ -= ring_.front()->size();
        ring_.pop_front();
    }
    for (const std::string& text : texts) {
        text_ += text;
        deltas_.add(text.size());
    }
    wake_all(std::move(lock));
}

void Feed::end(Frame terminal)
{
    std::unique_lock lock(mutex_);
    ring_.push_back(std::move(terminal));
    ++last_;
    has_ended_ = true;
    trouble_.reset();
    wake_all(std::move(lock));
}

void Feed::leave()
{
    std::unique_lock lock(mutex_);
    if (has_ended_) return;
    was_left_ = true;
    wake_all(std::move(lock));
}

void Feed::restore(std::int64_t last, std::string text, DeltaSizes deltas)
{
    const std::lock_guard lock(mutex_);
    last_ = last;
    text_ = std::move(text);
    deltas_ = std::move(deltas);
}

void Feed::set_trouble(std::optional<Error> trouble)
{
    std::unique_lock lock(mutex_);
    trouble_ = std::move(trouble);
    wake_all(std::move(lock));
}

Feed::Look Feed::look(std::int64_t after, std::size_t max_bytes) const
{
    const std::lock_guard lock(mutex_);
    Look seen{.has_ended = has_ended_, .was_suspended = was_left_};
    if (after >= last_) return seen;
    const auto first = last_ - static_cast<std::int64_t>(ring_.size()) + 1;
    seen.is_behind = after + 1 < first;
    if (seen.is_behind) {
        seen.has_ended = seen.was_suspended = false;
        return seen;
    }
    std::size_t bytes = 0;
    for (auto next = static_cast<std::size_t>(after + 1 - first); next < ring_.size(); ++next) {
        bytes += ring_[next]->size();
        if (!seen.frames.empty() && bytes > max_bytes) {
            seen.has_ended = seen.was_suspended = false;
            break;
        }
        seen.frames.push_back(ring_[next]);
    }
    return seen;
}

Feed::Moment Feed::moment() const
{
    const std::lock_guard lock(mutex_);
    return {last_, text_, has_ended_};
}

std::int64_t Feed::last() const
{
    const std::lock_guard lock(mutex_);
    return last_;
}

DeltaSizes Feed::deltas() const
{
    const std::lock_guard lock(mutex_);
    return deltas_;
}

Feed::FollowerRef Feed::follow()
{
    auto follower = std::make_shared<Follower>();
    const std::lock_guard lock(mutex_);
    std::erase_if(followers_, [](const auto& each) { return each.expired(); });
    followers_.push_back(follower);
    return follower;
}

Task<bool> Feed::wait(FollowerRef follower, std::int64_t after)
{
    co_return co_await answered<bool>([&](Answer<bool> answer) {
        std::unique_lock lock(mutex_);
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
    const bool stays = co_await answered<bool>([&](Answer<bool> answer) {
        std::unique_lock lock(mutex_);
        follower->for_end_ = true;
        if (!follower->gave_up_ && !trouble_ && !is_over()) {
            follower->waits_.emplace(std::move(answer));
            return;
        }
        const bool waits_on = !follower->gave_up_;
        lock.unlock();
        std::move(answer)(waits_on);
    });
    const std::lock_guard lock(mutex_);
    if (!has_ended_ && trouble_) co_return *trouble_;
    co_return stays;
}

void Feed::give_up(const FollowerRef& follower)
{
    std::unique_lock lock(mutex_);
    follower->gave_up_ = true;
    auto waits = std::exchange(follower->waits_, std::nullopt);
    lock.unlock();
    if (waits) std::move (*waits)(false);
}

std::size_t Feed::followers() const
{
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& each : followers_) count += !each.expired();
    return count;
}

// Answers after the lock is gone: whoever is woken on another thread looks at once.
void Feed::wake_all(std::unique_lock<std::mutex> lock)
{
    std::vector<Answer<bool>> woken;
    for (const auto& each : followers_) {
        const auto follower = each.lock();
        if (!follower || !follower->waits_) continue;
        const bool is_due =
            follower->for_end_ ? is_over() || trouble_ : is_over() || last_ > follower->after_;
        if (!is_due) continue;
        woken.push_back(std::move(*follower->waits_));
        follower->waits_.reset();
    }
    lock.unlock();
    for (Answer<bool>& answer : woken) std::move(answer)(true);
}

}  // namespace parley::chat
