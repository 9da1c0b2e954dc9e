#include "auth/caller_cache.hpp"

namespace parley::auth {
namespace {

constexpr std::chrono::minutes between_noted_uses{1};

}  // namespace

void CallerCache::remember(const TokenHash& hash, CallerRef caller,
                           std::optional<TimePoint> expires_at, Epoch epoch)
{
    Shard& at = shard(hash);
    const MutexLock lock(at.mutex);
    if (at.known.size() >= most_in_a_shard) at.known.clear();
    const auto old = at.known.find(hash);
    // The time of the last recorded use survives an update of the entry.
    const TimePoint noted = old == at.known.end() ? TimePoint() : old->second.use_noted_at;
    at.known.insert_or_assign(hash, Known{.caller = std::move(caller),
                                          .expires_at = expires_at.value_or(TimePoint::max()),
                                          .epoch = epoch,
                                          .use_noted_at = noted});
}

CallerRef CallerCache::find(const TokenHash& hash, TimePoint now)
{
    const Epoch current = epoch();
    Shard& at = shard(hash);
    const MutexLock lock(at.mutex);
    const auto found = at.known.find(hash);
    if (found == at.known.end()) return nullptr;
    const Known& known = found->second;
    const bool is_good = known.epoch == current && known.expires_at > now &&
                         now - known.use_noted_at < between_noted_uses;
    return is_good ? known.caller : nullptr;
}

bool CallerCache::note_use(const TokenHash& hash, TimePoint now)
{
    Shard& at = shard(hash);
    const MutexLock lock(at.mutex);
    const auto found = at.known.find(hash);
    if (found == at.known.end() || now - found->second.use_noted_at < between_noted_uses)
        return false;
    found->second.use_noted_at = now;
    return true;
}

}  // namespace parley::auth
