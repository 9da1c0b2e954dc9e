#include "http/allowance.hpp"

#include <functional>
#include <utility>

namespace parley::http {

bool Allowance::take(const Payers& payers, std::size_t bytes)
{
    if (bytes == 0) return true;
    const std::size_t before = taken_.fetch_add(bytes);
    std::size_t paid = 0;
    if (before + bytes <= all_)
        while (paid < payers.size() && take_one(payers[paid], bytes)) ++paid;
    if (before + bytes <= all_ && paid == payers.size()) return true;
    while (paid > 0) give_back_one(payers[--paid], bytes);
    taken_.fetch_sub(bytes);
    return false;
}

void Allowance::give_back(const Payers& payers, std::size_t bytes)
{
    if (bytes == 0) return;
    for (const std::string& payer : payers) give_back_one(payer, bytes);
    taken_.fetch_sub(bytes);
}

Allowance::Shard& Allowance::shard_of(const std::string& payer)
{
    return shards_[std::hash<std::string>()(payer) % shards_.size()];
}

bool Allowance::take_one(const std::string& payer, std::size_t bytes)
{
    Shard& shard = shard_of(payer);
    const MutexLock lock(shard.mutex);
    const auto [entry, is_new] = shard.taken.try_emplace(payer, 0);
    if (!is_new && entry->second + bytes > each_) return false;
    entry->second += bytes;
    return true;
}

void Allowance::give_back_one(const std::string& payer, std::size_t bytes)
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

void Share::charge_to(Allowance::Payers payers)
{
    reset();
    payers_ = std::move(payers);
}

bool Share::take(std::size_t bytes)
{
    if (!allowance_.take(payers_, bytes)) return false;
    taken_ += bytes;
    return true;
}

void Share::shrink_to(std::size_t bytes)
{
    if (bytes >= taken_) return;
    allowance_.give_back(payers_, taken_ - bytes);
    taken_ = bytes;
}

void Share::reset()
{
    allowance_.give_back(payers_, std::exchange(taken_, 0));
    payers_ = {};
}

}  // namespace parley::http
