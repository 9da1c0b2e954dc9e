#include "automation/start_limit.hpp"

#include <algorithm>
#include <limits>

namespace parley::automation {
namespace {

// A token without a limit is counted, too: it may get one.
constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

std::int64_t number_of(std::optional<std::uint32_t> limit)
{
    return limit ? std::int64_t{*limit} : unlimited;
}

template <class StartsById>
void remove_start(StartsById& all, const std::string& id, SteadyPoint start)
{
    const auto found = all.find(id);
    if (found == all.end()) return;
    auto& times = found->second.times;
    const auto its = std::ranges::find(times, start);
    if (its != times.end()) times.erase(its);  // Else it is older than a minute.
    if (times.empty()) all.erase(found);
}

}  // namespace

SteadyPoint StartLimit::count(const Payer& payer) { return add(payer, {}); }

void StartLimit::count_earlier(const Payer& payer, std::chrono::nanoseconds ago)
{
    add(payer, ago);
}

SteadyPoint StartLimit::add(const Payer& payer, std::chrono::nanoseconds ago)
{
    // The wall clock that measured it may have been set.
    const SteadyPoint at = clock_.steady() - std::clamp<std::chrono::nanoseconds>(ago, {}, window);
    if (payer.owner.test) return at;
    const MutexLock lock(mutex_);
    const auto note = [at](Starts& starts, std::int64_t most) {
        starts.times.push_back(at);
        starts.most = most;
    };
    note(users_[payer.owner.user], most_of(payer));
    if (payer.token) note(tokens_[*payer.token], number_of(payer.token_limit));
    return at;
}

void StartLimit::note_begun(const Payer& payer, SteadyPoint start)
{
    give_back(payer, start);
    count(payer);
}

void StartLimit::give_back(const Payer& payer, SteadyPoint start)
{
    if (payer.owner.test) return;
    const MutexLock lock(mutex_);
    remove_start(users_, payer.owner.user, start);
    if (payer.token) remove_start(tokens_, *payer.token, start);
}

void StartLimit::hold(const Payer& payer, std::chrono::nanoseconds wait)
{
    const MutexLock lock(mutex_);
    holds_[payer.owner.user] = {clock_.steady() + wait, most_of(payer)};
}

std::chrono::nanoseconds StartLimit::hold_of(const Payer& payer)
{
    const auto found = holds_.find(payer.owner.user);
    if (found == holds_.end()) return {};
    const auto left = found->second.until - clock_.steady();
    if (left.count() > 0 && found->second.most == most_of(payer)) return left;
    holds_.erase(found);
    return {};
}

void StartLimit::forget_old(Starts& starts) const
{
    const SteadyPoint now = clock_.steady();
    while (!starts.times.empty() && starts.times.front() <= now - window) starts.times.pop_front();
}

const StartLimit::Starts* StartLimit::starts_of(StartsById& all, const std::string& id,
                                                std::int64_t most) const
{
    const auto found = all.find(id);
    if (found == all.end()) return nullptr;
    forget_old(found->second);
    found->second.most = most;
    if (!found->second.times.empty()) return &found->second;
    all.erase(found);
    return nullptr;
}

std::chrono::nanoseconds StartLimit::wait(const Starts* starts) const
{
    if (!starts || std::ssize(starts->times) < starts->most) return {};
    const auto first = starts->times.size() - static_cast<std::size_t>(starts->most);
    return starts->times[first] + window - clock_.steady();
}

std::chrono::nanoseconds StartLimit::wait(const Payer& payer)
{
    if (payer.owner.test) return {};
    const MutexLock lock(mutex_);
    const auto of_user =
        std::max(hold_of(payer), wait(starts_of(users_, payer.owner.user, most_of(payer))));
    if (!payer.token) return of_user;
    return std::max(of_user, wait(starts_of(tokens_, *payer.token, number_of(payer.token_limit))));
}

StartLimit::Left StartLimit::left(const Starts* starts, std::int64_t most) const
{
    if (!starts) return {.limit = most, .remaining = most};
    return {.limit = most,
            .remaining = std::max<std::int64_t>(0, most - std::ssize(starts->times)),
            .reset = std::chrono::ceil<std::chrono::seconds>(starts->times.front() + window -
                                                             clock_.steady())};
}

StartLimit::Left StartLimit::left(const Payer& payer)
{
    const std::int64_t most = most_of(payer);
    if (payer.owner.test) return left(nullptr, most);
    const MutexLock lock(mutex_);
    Left of_user = left(starts_of(users_, payer.owner.user, most), most);
    if (const auto held = hold_of(payer); held.count() > 0)
        of_user = {.limit = most, .reset = std::chrono::ceil<std::chrono::seconds>(held)};
    if (!payer.token || !payer.token_limit) return of_user;
    const std::int64_t of_token = *payer.token_limit;
    const Left own = left(starts_of(tokens_, *payer.token, of_token), of_token);
    return own.remaining < of_user.remaining ? own : of_user;
}

StartLimit::Held StartLimit::held()
{
    const MutexLock lock(mutex_);
    Held held;
    for (auto each = tokens_.begin(); each != tokens_.end();) {
        forget_old(each->second);
        if (each->second.times.empty()) {
            each = tokens_.erase(each);
            continue;
        }
        if (const auto its_wait = wait(&each->second); its_wait.count() > 0) {
            held.tokens.append(each->first).append("=");
            held.tokens.append(std::to_string(each->second.most)).append(" ");
            held.wait = std::min(held.wait.value_or(its_wait), its_wait);
        }
        ++each;
    }
    return held;
}

}  // namespace parley::automation
