// The places of the keys of one request: for each key a shard, and a place in it if it has one. All
// of them are locked, checked and charged together.
//
// Threads: for one decision; the shards' mutexes keep others out meanwhile.
#pragma once

#include "limits/limiter.hpp"
#include "limits/local/shard.hpp"
#include "limits/local/table.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>

namespace parley::limits::local {

struct KeySlot {
    Shard* shard = nullptr;
    KeyHash hash;
    std::optional<Shard::Place> place;  // None: nothing of it was admitted in the last window.
    std::uint32_t limit = 0;
    std::size_t key = 0;  // Its number among the request's keys.
    Key::Kind kind = Key::Kind::user;
    Stamp mark = never;  // The stamp of the admission, once it is charged.

    // Its own place, or the shared one.
    std::optional<Window> window() const
    {
        if (place) return shard->window(*place, limit);
        if (shard->shares()) return shard->window(shard->shared_place(), limit);
        return std::nullopt;
    }
    std::uint32_t limit_now() const
    {
        const auto counted = window();
        return counted ? counted->limit() : limit;
    }
    bool is_shared() const { return place && *place == shard->shared_place(); }
};

class KeySlots {
public:
    void add(const Key& key, const KeyHash& hash, Table& table)
    {
        KeySlot slot{.shard = &table.shard(hash),
                     .hash = hash,
                     .place = {},
                     .limit = key.own_limit() > 0 ? std::min(key.own_limit(), Limits::max_own_limit)
                                                  : table.limit(),
                     .key = added_++,
                     .kind = key.kind()};
        for (KeySlot& each : all()) {
            if (each.shard != slot.shard || each.hash != slot.hash) continue;
            each.limit = std::min(each.limit, slot.limit);  // The same key once more.
            return;
        }
        slots_[count_++] = slot;
    }

    using Locks = std::array<std::unique_lock<std::mutex>, Keys::most>;
    Locks lock() const
    {
        // Always in the same order, or two requests could wait for each other.
        std::array<Shard*, Keys::most> shards{};
        for (std::size_t i = 0; i < count_; ++i) shards[i] = slots_[i].shard;
        if (count_ > 1) std::sort(shards.begin(), shards.begin() + count_, std::less<>());
        Locks locks;
        for (std::size_t i = 0; i < count_; ++i)
            if (i == 0 || shards[i] != shards[i - 1]) locks[i] = shards[i]->lock();
        return locks;
    }

    // Finds the places of the keys. True if all have room.
    bool find_room(Moment now)
    {
        bool room = true;
        for (KeySlot& each : all()) {
            each.place = each.shard->find(each.hash);
            if (each.place) each.place = each.shard->place_for(*each.place, each.limit, now);
            const auto window = each.window();
            room = room && (!window || window->has_room(now));
        }
        return room;
    }

    // Only if all have room. False if a key cannot get a place; then nothing is charged.
    bool charge(Moment now)
    {
        std::array<bool, Keys::most> claimed{};
        for (std::size_t i = 0; i < count_; ++i) {
            KeySlot& each = slots_[i];
            if (each.place) continue;
            each.place = each.shard->claim(each.hash, each.limit, now);
            claimed[i] = each.place.has_value();
            if (!each.place && each.shard->shares()) each.place = each.shard->shared_place();
            if (each.place) continue;
            for (std::size_t j = 0; j < i; ++j)
                if (claimed[j]) slots_[j].shard->release(*slots_[j].place);
            return false;
        }
        for (KeySlot& each : all()) each.mark = each.shard->admit(*each.place, now);
        return true;
    }

    // After a charge that found no place.
    std::chrono::nanoseconds until_free(Moment now)
    {
        const auto full =
            std::ranges::find_if(all(), [](const KeySlot& each) { return !each.place; });
        return full->shard->until_free(now);
    }

    struct Tightest {
        const KeySlot* slot;
        std::uint32_t remaining;
        std::chrono::nanoseconds wait;  // Until one more is free.
    };
    Tightest tightest(Moment now) const
    {
        Tightest found{};
        for (const KeySlot& each : std::span(slots_).first(count_)) {
            const auto window = each.window();
            const std::uint32_t remaining = window ? window->remaining(now) : each.limit;
            const auto wait =
                window ? window->until_one_more(now, remaining) : std::chrono::nanoseconds(0);
            const bool tighter = !found.slot || remaining < found.remaining ||
                                 (remaining == found.remaining && wait > found.wait);
            if (tighter) found = {&each, remaining, wait};
        }
        return found;
    }

    Receipt receipt() const
    {
        Receipt receipt;
        for (const KeySlot& each : std::span(slots_).first(count_)) {
            receipt.marks[each.key] = each.mark;
            if (each.is_shared()) receipt.shared |= static_cast<std::uint8_t>(1U << each.key);
        }
        return receipt;
    }

private:
    std::span<KeySlot> all() { return std::span(slots_).first(count_); }

    std::array<KeySlot, Keys::most> slots_;
    std::size_t count_ = 0;
    std::size_t added_ = 0;
};

}  // namespace parley::limits::local
