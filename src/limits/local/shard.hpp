// A part of a table: a fixed number of places, each for one key and its last admissions. The keys
// and times are in memory that outlives the process; the index is rebuilt at each start.
//
// A place whose key was not admitted in the last window is free for another key. A key that was
// keeps its place. Finding, claiming and charging cost the same however many places are taken.
//
// Some places are large: they remember more admissions than the table's limit, for keys whose own
// limit is higher. A key has one place, large or not. It moves to a large one when its limit is
// raised, with all that it was admitted, and stays there when the limit falls again; so a change
// applies at once and exactly.
//
// In tables for unknown clients, keys without a place share one more. A key that gets its own place
// inherits the admissions of the shared one, because some of them may be its own: a key is never
// admitted more often than its limit says.
//
// Threads: every call needs the shard's mutex, which the caller holds.
#pragma once

#include "limits/window.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace parley::limits::local {

// A key in the file: 128 bits that reveal nothing without the file's secret.
struct KeyHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend bool operator==(const KeyHash&, const KeyHash&) = default;
};

// The memory of a shard, in this order: places, large places, the shared place.
struct ShardLayout {
    std::uint32_t limit = 0;  // Admissions that a place remembers.
    std::uint32_t places = 0;
    std::uint32_t large_limit = 0;
    std::uint32_t large_places = 0;
    bool shares = false;

    // Words of memory that a place takes: the key, and the stamps.
    static constexpr std::size_t words_of_place(std::uint32_t limit)
    {
        return 2 + std::size_t{limit};
    }
    constexpr std::size_t words() const
    {
        return (std::size_t{places} + (shares ? 1 : 0)) * words_of_place(limit) +
               large_places * words_of_place(large_limit);
    }
};

// On separate cache lines, so that threads on two shards do not slow each other down.
class alignas(64) Shard {
public:
    using Place = std::uint32_t;

    // `memory` is all zero and as large as the layout says.
    Shard(std::span<std::uint64_t> memory, const ShardLayout& layout,
          std::chrono::nanoseconds width);

    // To be held during every call of the others.
    std::unique_lock<std::mutex> lock();

    std::optional<Place> find(const KeyHash& key) const;

    // The place for a key with this limit: the current one, or a larger one that it moves to. If no
    // large place is free, the current one is used.
    Place place_for(Place place, std::uint32_t limit, Moment now);

    // A place for a key that has none, with the admissions of the shared place. None if all places
    // are in use.
    std::optional<Place> claim(const KeyHash& key, std::uint32_t limit, Moment now);

    // Undoes a claim that was not used.
    void release(Place place);

    // With this limit, or the maximum of the place if that is lower.
    Window window(Place place, std::uint32_t limit)
    {
        const std::span<Stamp> stamps = ring(place);
        return {stamps, nodes_[place].oldest, width_,
                std::min(limit, static_cast<std::uint32_t>(stamps.size()))};
    }
    Stamp admit(Place place, Moment now);

    // The shared place. Only if the layout has one.
    bool shares() const { return layout_.shares; }
    Place shared_place() const { return shared_; }

    // Removes an admission of a key by its stamp, from its own place or from the shared one.
    void give_back(const KeyHash& key, Stamp stamp, bool was_shared, Moment now);

    // Until a place is free.
    std::chrono::nanoseconds until_free(Moment now);

private:
    struct Node {
        Place before;
        Place after;
        std::uint32_t oldest = 0;  // See Window.
        bool known = false;        // The key of this place can be found.
    };
    // Places in the order of their last admissions, so that a free one, if any, is the first.
    struct Queue {
        Place first;
        Place last;
    };
    struct Cell {
        std::uint32_t tag = 0;  // The part of the key that says where to begin to look.
        Place place = 0;
    };

    bool is_large(Place place) const { return place >= layout_.places && place != shared_; }
    Queue& queue_of(Place place) { return queues_[is_large(place) ? 1 : 0]; }
    std::size_t words_before(Place place) const
    {
        if (place < layout_.places) return place * small_words_;
        return layout_.places * small_words_ + (place - layout_.places) * large_words_;
    }
    std::span<Stamp> ring(Place place)
    {
        return memory_.subspan(words_before(place) + 2,
                               is_large(place) ? layout_.large_limit : layout_.limit);
    }
    bool holds(Place place, const KeyHash& key) const
    {
        const std::size_t at = words_before(place);
        return memory_[at] == key.high && memory_[at + 1] == key.low;
    }
    KeyHash key_of(Place place) const
    {
        const std::size_t at = words_before(place);
        return {memory_[at], memory_[at + 1]};
    }
    Window whole_window(Place place) { return {ring(place), nodes_[place].oldest, width_}; }
    std::size_t next(std::size_t cell) const { return (cell + 1) & (cells_.size() - 1); }
    std::optional<Place> take_first(Queue& queue, const KeyHash& key, Moment now);
    void index(const KeyHash& key, Place place);
    void forget(Place place);
    void unlink(Place place);
    void append(Place place);
    void prepend(Place place);

    std::mutex mutex_;  // Several shards are locked at once, which the compiler cannot follow.
    std::span<std::uint64_t> memory_;
    ShardLayout layout_;
    std::size_t small_words_;
    std::size_t large_words_;
    Place shared_;
    std::chrono::nanoseconds width_;
    std::vector<Node> nodes_;
    std::vector<Cell> cells_;  // At least half of them empty.
    std::array<Queue, 2> queues_;
};

}  // namespace parley::limits::local
