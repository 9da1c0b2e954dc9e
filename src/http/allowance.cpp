#include "http/allowance.hpp"

#include <functional>
#include <utility>

namespace parley::http {

bool Allowance::take(const std::string& payer, std::size_t bytes)
{
    if (bytes == 0) return true;
    const std::size_t before = taken_.fetch_add(bytes);
    if (before + bytes <= all_ && (payer.empty() || take_of_share(payer, bytes))) return true;
    taken_.fetch_sub(bytes);
    return false;
}

void Allowance::give_back(const std::string& payer, std::size_t bytes)
{
    if (bytes == 0) return;
    if (!payer.empty()) give_back_to_share(payer, bytes);
    taken_.fetch_sub(bytes);
}

Allowance::Shard& Allowance::shard_of(const std::string& payer)
{
    return shards_[std::hash<std::string>()(payer) % shards_.size()];
}

bool Allowance::take_of_share(const std::string& payer, std::size_t bytes)
{
    Shard& shard = shard_of(payer);
    const MutexLock lock(shard.mutex);
    const auto [entry, is_new] = shard.taken.try_emplace(payer, 0);
    if (!is_new && entry->second + bytes > each_) return false;
    entry->second += bytes;
    return true;
}

void Allowance::give_back_to_share(const std::string& payer, std::size_t bytes)
{
    Shard& shard = shard_of(payer);
    const MutexLock lock(shard.mutex);
    const auto entry = shard.taken.find(payer);
    if (entry == shard.taken.end()) return;
    entry->second -= bytes;
    if (entry->second == 0) shard.taken.erase(entry);
}

std::size_t Allowance::payers() const
{
    std::size_t count = 0;
    for (const Shard& shard : shards_) {
        const MutexLock lock(shard.mutex);
        count += shard.taken.size();
    }
    return count;
}

void Share::charge_to(std::string payer)
{
    reset();
    payer_ = std::move(payer);
}

bool Share::take(std::size_t bytes)
{
    if (!allowance_.take(payer_, bytes)) return false;
    taken_ += bytes;
    return true;
}

void Share::shrink_to(std::size_t bytes)
{
    if (bytes >= taken_) return;
    allowance_.give_back(payer_, taken_ - bytes);
    taken_ = bytes;
}

void Share::reset()
{
    allowance_.give_back(payer_, std::exchange(taken_, 0));
    payer_.clear();
}

}  // namespace parley::http
