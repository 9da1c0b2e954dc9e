// Callers whose tokens were looked up before, so that a request costs no look-up. Whatever takes a
// right away (a token revoked, a user disabled, changed or removed, a password changed) forgets all
// of them at once, by moving on to the next epoch: what was looked up in an earlier epoch is never
// believed, also if the look-up ends after the change.
//
// Threads: any. Bounded: a shard that is full forgets what it holds.
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

    // To be asked before the look-up whose result is to be remembered.
    Epoch epoch() const { return epoch_.load(std::memory_order_acquire); }

    void forget_all() { epoch_.fetch_add(1, std::memory_order_acq_rel); }

    void remember(const TokenHash& hash, CallerRef caller, std::optional<TimePoint> expires_at,
                  Epoch epoch);

    // Null where it is not known, has expired, or where nobody has noted for a minute that the
    // token is in use: the one who then looks it up anew does that.
    CallerRef find(const TokenHash& hash, TimePoint now);

    // Whether that is due; whoever is told so has to do it, others are not told for a minute.
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

    // Not by the bytes that choose the bucket in it.
    Shard& shard(const TokenHash& hash) { return shards_[hash.back() % shard_count]; }

    std::atomic<Epoch> epoch_ = 1;
    std::array<Shard, shard_count> shards_;
};

}  // namespace parley::auth
