// Remembers which keys were refused: a client that keeps asking costs the database nothing. For a
// moment, as another server may give an admission back, or until one more is free, if none can.
// After that moment one request asks again; until its answer comes, the refusal is repeated to the
// others, so that a flood does not ask together.
//
// Threads: any. Bounded: if it is full, it forgets all.
#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"

#include <chrono>
#include <cstddef>
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
        bool is_final = false;           // None of its admissions is ever given back.
        SteadyPoint frees_at = {};       // One more is free.
        std::int64_t frees_at_wall = 0;  // The same in nanoseconds since 1970.
    };

    void note(const std::string& id, const Refusal& refusal)
    {
        const MutexLock lock(mutex_);
        if (refusals_.size() >= most) refusals_.clear();
        refusals_[id] = refusal;
    }

    struct Found {
        std::size_t index = 0;
        Refusal refusal = {};
    };

    // The refusal of one of a request's keys, to be repeated; otherwise the request is to ask.
    std::optional<Found> find(std::span<const std::string> ids,
                              std::span<const std::int64_t> limits, SteadyPoint now)
    {
        const MutexLock lock(mutex_);
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (const Refusal* known = find_one(ids[i], limits[i], now);
                known && (known->is_final || now < known->noted_at + memory_))
                return Found{i, *known};
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (Refusal* known = find_one(ids[i], limits[i], now)) known->noted_at = now;
        return std::nullopt;
    }

    // They have admissions left again.
    void forget(std::span<const std::string> ids)
    {
        const MutexLock lock(mutex_);
        for (const std::string& id : ids) refusals_.erase(id);
    }

private:
    static constexpr std::size_t most = 10'000;

    Refusal* find_one(const std::string& id, std::int64_t limit, SteadyPoint now) REQUIRES(mutex_)
    {
        const auto found = refusals_.find(id);
        if (found == refusals_.end()) return nullptr;
        Refusal& refusal = found->second;
        const bool is_known =
            refusal.limit == limit && now >= refusal.noted_at && now < refusal.frees_at;
        return is_known ? &refusal : nullptr;
    }

    const std::chrono::nanoseconds memory_;
    Mutex mutex_;
    std::unordered_map<std::string, Refusal> refusals_ GUARDED_BY(mutex_);
};

}  // namespace parley::limits::postgres
