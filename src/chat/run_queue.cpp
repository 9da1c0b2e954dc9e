#include "chat/run_queue.hpp"

#include <algorithm>
#include <utility>

namespace parley::chat {
namespace {

// Nobody knows when somebody leaves; soon enough to be worth another try.
constexpr std::chrono::seconds wait_when_full{5};

}  // namespace

Result<bool> RunQueue::enter(const std::string& user, const std::string& run)
{
    const std::lock_guard lock(mutex_);
    if (!has_room_for(user))
        return Error{.code = Errc::overloaded,
                     .message = "Too many questions wait to be answered.",
                     .retry_after = wait_when_full};
    return take(user, run);
}

bool RunQueue::has_room_for(const std::string& user) const
{
    if (running_ < max_running_ && waiting_ == 0) return true;
    const auto line = lines_.find(user);
    const std::size_t own = line == lines_.end() ? 0 : line->second.size();
    return waiting_ < max_waiting_ && own < max_waiting_ - waiting_;
}

bool RunQueue::enter_again(const std::string& user, const std::string& run)
{
    const std::lock_guard lock(mutex_);
    return take(user, run);
}

bool RunQueue::take(const std::string& user, const std::string& run)
{
    Place& place = places_[run];
    place.user = user;
    // Whoever waits goes first, also where there is room for one more at this very moment.
    if (running_ < max_running_ && waiting_ == 0) {
        place.runs = true;
        ++running_;
        return true;
    }
    auto& line = lines_[user];
    if (line.empty()) order_.push_back(user);
    line.push_back(run);
    ++waiting_;
    return false;
}

Task<bool> RunQueue::turn(std::string run)
{
    co_return co_await answered<bool>([this, &run](Answer<bool> answer) {
        std::unique_lock lock(mutex_);
        const auto found = places_.find(run);
        const bool waits = found != places_.end() && !found->second.runs;
        if (waits) {
            found->second.waiter.emplace(std::move(answer));
            return;
        }
        const bool runs = found != places_.end();
        lock.unlock();
        std::move(answer)(runs);
    });
}

void RunQueue::leave(const std::string& run)
{
    if (auto waiter = remove(run, true)) std::move (*waiter)(false);
}

void RunQueue::withdraw(const std::string& run)
{
    if (auto waiter = remove(run, false)) std::move (*waiter)(false);
}

std::optional<Answer<bool>> RunQueue::remove(const std::string& run, bool also_running)
{
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(run);
    if (found == places_.end() || (found->second.runs && !also_running)) return std::nullopt;
    Place place = std::move(found->second);
    places_.erase(found);
    if (place.runs) {
        --running_;
        begin_next();
        return std::nullopt;
    }
    auto& line = lines_[place.user];
    std::erase(line, run);
    --waiting_;
    if (line.empty()) {
        lines_.erase(place.user);
        order_.remove(place.user);
    }
    return std::move(place.waiter);
}

void RunQueue::begin_next()
{
    while (running_ < max_running_ && !order_.empty()) {
        const std::string user = std::move(order_.front());
        order_.pop_front();
        const auto line = lines_.find(user);
        const std::string run = std::move(line->second.front());
        line->second.pop_front();
        if (line->second.empty())
            lines_.erase(line);
        else
            order_.push_back(user);
        Place& place = places_.at(run);
        place.runs = true;
        ++running_;
        --waiting_;
        if (auto waiter = std::exchange(place.waiter, std::nullopt)) std::move (*waiter)(true);
    }
}

std::optional<std::size_t> RunQueue::position(const std::string& run) const
{
    const std::lock_guard lock(mutex_);
    const auto place = places_.find(run);
    if (place == places_.end() || place->second.runs) return std::nullopt;
    const auto& own = lines_.at(place->second.user);
    const auto before =
        static_cast<std::size_t>(std::ranges::find(own, run) - own.begin());  // Of the same user.
    // In each round every user has one turn; those who stand before this one have theirs first.
    std::size_t position = before + 1;
    bool stands_before = true;
    for (const std::string& user : order_) {
        if (user == place->second.user) {
            stands_before = false;
            continue;
        }
        position += std::min(lines_.at(user).size(), before + (stands_before ? 1 : 0));
    }
    return position;
}

std::size_t RunQueue::waiting() const
{
    const std::lock_guard lock(mutex_);
    return waiting_;
}

std::size_t RunQueue::running() const
{
    const std::lock_guard lock(mutex_);
    return running_;
}

}  // namespace parley::chat
