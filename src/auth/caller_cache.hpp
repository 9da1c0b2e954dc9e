// A cache of callers by token, so that most requests need no look-up. Every change of rights (a
// token revoked, a user disabled, changed or removed, a password changed) invalidates the whole
// cache by starting the next epoch: results of look-ups that began in an earlier epoch are not
// used.
//
// Threads: any. Bounded: a full shard is cleared.
#pragma once

#include "auth/caller.hpp"
#include "base/clock.hpp"
#include "base/mutex.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <unordered_map>

namespace parley::auth {

class CallerCache {
public:
    using Epoch = std::uint64_t;

    // To be called before the look-up whose result is cached.
    Epoch epoch() const { return epoch_.load(std::memory_order_acquire); }

    void forget_all() { epoch_.fetch_add(1, std::memory_order_acq_rel); }

    void remember(const TokenHash& hash, CallerRef caller, std::optional<TimePoint> expires_at,
                  Epoch epoch);

    // Null if the token is not cached, has expired, or if its use was not recorded for a minute:
    // the new look-up then records it.
    CallerRef find(const TokenHash& hash, TimePoint now);

    // Whether recording the use is due. The caller that gets true must do it; others get false for
    // a minute.
    bool note_use(const TokenHash& hash, TimePoint now);

private:
    struct Known {
        CallerRef caller;
        TimePoint expires_at;
        Epoch epoch = 0;
        TimePoint use_noted_at;
    };
    struct HashOfHash {
        std::size_t operator()(const TokenHash& hash) const
        {
            std::size_t start = 0;
            std::memcpy(&start, hash.data(), sizeof(start));
            return start;
        }
    };
    struct Shard {
        Mutex mutex;
        std::unordered_map<TokenHash, Known, HashOfHash> known GUARDED_BY(mutex);
    };

    static constexpr std::size_t shard_count = 16;
    static constexpr std::size_t most_in_a_shard = 4096;

    // Uses other bytes than those that choose the bucket.
    Shard& shard(const TokenHash& hash) { return shards_[hash.back() % shard_count]; }

    std::atomic<Epoch> epoch_ = 1;
    std::array<Shard, shard_count> shards_;
};

}  // namespace parley::auth
