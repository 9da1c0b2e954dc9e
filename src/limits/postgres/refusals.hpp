// Remembers for a moment which keys were refused: a client that keeps asking costs the database
// nothing.
//
// Threads: any. Bounded: if it is full, it forgets all.
#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

namespace parley::limits::postgres {

class Refusals {
public:
    explicit Refusals(std::chrono::nanoseconds memory) : memory_(memory) {}

    struct Refusal {
        std::int64_t limit = 0;  // With another limit the key may be admitted.
        SteadyPoint noted_at = {};
        SteadyPoint frees_at = {};       // One more is free.
        std::int64_t frees_at_wall = 0;  // The same in nanoseconds since 1970.
    };

    void note(const std::string& id, const Refusal& refusal)
    {
        const MutexLock lock(mutex_);
        if (refusals_.size() >= most) refusals_.clear();
        refusals_[id] = refusal;
    }

    std::optional<Refusal> find(const std::string& id, std::int64_t limit, SteadyPoint now) const
    {
        const MutexLock lock(mutex_);
        const auto found = refusals_.find(id);
        if (found == refusals_.end()) return std::nullopt;
        const Refusal& refusal = found->second;
        const bool is_known = refusal.limit == limit && now >= refusal.noted_at &&
                              now < refusal.noted_at + memory_ && now < refusal.frees_at;
        return is_known ? std::optional(refusal) : std::nullopt;
    }

    // Their admissions are given back.
    void forget(std::span<const std::string> ids)
    {
        const MutexLock lock(mutex_);
        for (const std::string& id : ids) refusals_.erase(id);
    }

private:
    static constexpr std::size_t most = 10'000;

    const std::chrono::nanoseconds memory_;
    mutable Mutex mutex_;
    std::unordered_map<std::string, Refusal> refusals_ GUARDED_BY(mutex_);
};

}  // namespace parley::limits::postgres
