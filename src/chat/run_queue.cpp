#include "chat/run_queue.hpp"

#include "store/refusals.hpp"

#include <algorithm>
#include <utility>

namespace parley::chat {

Result<bool> RunQueue::enter(const std::string& user, const std::string& run, Line line)
{
    const MutexLock lock(mutex_);
    if (line == Line::people && !has_room_for(user)) return store::queue_is_full();
    return take(user, run, line);
}

// A new run may begin at once: if runs are waiting, then only those of users who are at their own
// maximum.
bool RunQueue::may_begin(const User& user) const
{
    return running_ < max_running_ && user.running < most_of_user();
}

std::size_t RunQueue::most_of_user() const
{
    return max_running_ - (is_shared_ && max_running_ > 1 ? 1 : 0);
}

bool RunQueue::has_room_for(const std::string& user) const
{
    const auto found = users_.find(user);
    static const User nobody;
    const User& known = found == users_.end() ? nobody : found->second;
    if (may_begin(known)) return true;
    const std::size_t waiting = waiting_people();
    return waiting < max_waiting_ && known.line.size() < max_waiting_ - waiting;
}

std::size_t RunQueue::waiting_people() const
{
    const auto tickets = users_.find(ticket_holder);
    return waiting_ - (tickets == users_.end() ? 0 : tickets->second.line.size());
}

bool RunQueue::readmit(const std::string& user, const std::string& run, Line line)
{
    const MutexLock lock(mutex_);
    return take(user, run, line);
}

bool RunQueue::enter_at_once(const std::string& user, const std::string& run)
{
    const MutexLock lock(mutex_);
    User& known = users_[user];
    if (!may_begin(known)) {
        forget_if_gone(users_.find(user));
        return false;
    }
    Entry& entry = entries_[run];
    entry.user = user;
    begin(entry, known);
    return true;
}

void RunQueue::pass_on(const std::string& from, const std::string& user, const std::string& run)
{
    const MutexLock lock(mutex_);
    const auto giver = entries_.find(from);
    if (giver == entries_.end() || !giver->second.runs) return;
    const auto known = users_.find(giver->second.user);
    --known->second.running;
    forget_if_gone(known);
    entries_.erase(giver);
    Entry& entry = entries_[run];
    entry.user = user;
    entry.runs = true;
    ++users_[user].running;
}

std::vector<std::string> RunQueue::users_without_room() const
{
    const MutexLock lock(mutex_);
    std::vector<std::string> names;
    for (const auto& [name, user] : users_)
        if (user.running >= most_of_user()) names.push_back(name);
    return names;
}

bool RunQueue::take(const std::string& user, const std::string& run, Line line)
{
    Entry& entry = entries_[run];
    entry.user = user;
    entry.line = line;
    User& known = users_[user];
    // People who wait are at their own maximum; other automations may be held up by it, too.
    if (may_begin(known)) {
        begin(entry, known);
        return true;
    }
    if (line == Line::people) {
        wait_in_line(user, run);
    } else {
        automations_.push_back({run, clock_.steady()});
        forget_if_gone(users_.find(user));
    }
    return false;
}

void RunQueue::wait_in_line(const std::string& user, const std::string& run)
{
    User& known = users_[user];
    if (known.line.empty()) order_.push_back(user);
    known.line.push_back(run);
    ++waiting_;
}

void RunQueue::begin(Entry& entry, User& user)
{
    entry.runs = true;
    ++user.running;
    ++running_;
    if (auto waiter = std::exchange(entry.waiter, std::nullopt)) std::move (*waiter)(true);
}

Task<bool> RunQueue::turn(std::string run)
{
    co_return co_await await_callback<bool>([this, &run](Completion<bool> answer) {
        MutexLock lock(mutex_);
        const auto found = entries_.find(run);
        const bool waits = found != entries_.end() && !found->second.runs;
        if (waits) {
            found->second.waiter.emplace(std::move(answer));
            return;
        }
        const bool runs = found != entries_.end();
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

std::optional<Completion<bool>> RunQueue::remove(const std::string& run, bool also_running)
{
    const MutexLock lock(mutex_);
    const auto found = entries_.find(run);
    if (found == entries_.end() || (found->second.runs && !also_running)) return std::nullopt;
    Entry entry = std::move(found->second);
    entries_.erase(found);
    const auto user = users_.find(entry.user);
    if (entry.runs) {
        --running_;
        --user->second.running;
        if (std::erase(order_, entry.user) > 0) order_.push_back(entry.user);
        forget_if_gone(user);
        begin_next();
        return std::nullopt;
    }
    if (entry.line == Line::automations) {
        std::erase_if(automations_, [&run](const Patient& each) { return each.run == run; });
        return std::move(entry.waiter);
    }
    std::erase(user->second.line, run);
    --waiting_;
    if (user->second.line.empty()) order_.remove(entry.user);
    forget_if_gone(user);
    return std::move(entry.waiter);
}

void RunQueue::forget_if_gone(Users::iterator user)
{
    if (user->second.line.empty() && user->second.running == 0) users_.erase(user);
}

// The user with the fewest running runs, among those who may begin another one.
RunQueue::Users::iterator RunQueue::next_user()
{
    auto next = users_.end();
    for (const std::string& name : order_) {
        const auto user = users_.find(name);
        if (!may_begin(user->second)) continue;
        if (next == users_.end() || user->second.running < next->second.running) next = user;
    }
    return next;
}

// Runs of automations that have waited long enough are in the same line as people from now on.
void RunQueue::admit_impatient()
{
    const SteadyPoint now = clock_.steady();
    while (!automations_.empty() && now - automations_.front().since >= patience_with_people) {
        const std::string run = std::move(automations_.front().run);
        automations_.pop_front();
        Entry& entry = entries_.at(run);
        entry.line = Line::people;
        wait_in_line(entry.user, run);
    }
}

void RunQueue::begin_next()
{
    admit_impatient();
    for (auto next = next_user(); next != users_.end(); next = next_user()) {
        User& user = next->second;
        const std::string run = std::move(user.line.front());
        user.line.pop_front();
        order_.remove(next->first);
        if (!user.line.empty()) order_.push_back(next->first);
        --waiting_;
        begin(entries_.at(run), user);
    }
    begin_automations();
}

// No person can take the places that are left.
void RunQueue::begin_automations()
{
    for (auto each = automations_.begin(); each != automations_.end() && running_ < max_running_;) {
        Entry& entry = entries_.at(each->run);
        User& user = users_[entry.user];
        if (!may_begin(user)) {
            ++each;
            continue;
        }
        each = automations_.erase(each);
        begin(entry, user);
    }
}

std::optional<std::size_t> RunQueue::position(const std::string& run) const
{
    const MutexLock lock(mutex_);
    const auto entry = entries_.find(run);
    if (entry == entries_.end() || entry->second.runs) return std::nullopt;
    if (entry->second.line == Line::automations) return position_of_automation(run);
    const User& own = users_.at(entry->second.user);
    const auto before = static_cast<std::size_t>(std::ranges::find(own.line, run) -
                                                 own.line.begin());  // Earlier runs of its user.
    // The run begins when its user has `level` running runs. Until then each other user gets as
    // many, and users earlier in the order get one more.
    const std::size_t level = own.running + before;
    std::size_t position = before + 1;
    bool stands_before = true;
    for (const std::string& name : order_) {
        if (name == entry->second.user) {
            stands_before = false;
            continue;
        }
        const User& user = users_.at(name);
        const std::size_t reached = level + (stands_before ? 1 : 0);
        if (reached > user.running) position += std::min(user.line.size(), reached - user.running);
    }
    return position;
}

// All people come first.
std::size_t RunQueue::position_of_automation(const std::string& run) const
{
    const auto own = std::ranges::find(automations_, run, &Patient::run);
    return waiting_ + static_cast<std::size_t>(own - automations_.begin()) + 1;
}

std::size_t RunQueue::waiting() const
{
    const MutexLock lock(mutex_);
    return waiting_people() + automations_.size();
}

std::size_t RunQueue::running() const
{
    const MutexLock lock(mutex_);
    return running_;
}

}  // namespace parley::chat
