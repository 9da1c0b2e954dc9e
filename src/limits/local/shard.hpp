// A part of a table: a fixed number of places, each for one key and its last N admissions. The keys
// and times lie in memory that outlives the process; how to find them is rebuilt at each start.
//
// A place whose key was not admitted in the last window is free for another key. A key that was
// keeps its place. Finding, claiming and charging cost the same however many places are taken.
//
// Threads: every call needs the shard's mutex, which the caller holds.
#pragma once

#include "limits/window.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace parley::limits {

// A key as the file knows it: 128 bits that say nothing to whoever lacks the file's secret.
struct KeyHash {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend bool operator==(const KeyHash&, const KeyHash&) = default;
};

// On cache lines of its own: two threads at two shards have nothing to do with each other.
class alignas(64) Shard {
public:
    using Place = std::uint32_t;

    // Words of memory that a place takes: the key, and N stamps.
    static constexpr std::size_t words(std::uint32_t limit) { return 2 + std::size_t{limit}; }

    // `memory` is all zero and holds a whole number of places.
    Shard(std::span<std::uint64_t> memory, std::uint32_t limit, std::chrono::nanoseconds width);

    // To be held during every call of the others.
    std::unique_lock<std::mutex> lock();

    std::optional<Place> find(const KeyHash& key) const;

    // A place for a key that has none, with nothing admitted. None if all keys here are live.
    std::optional<Place> claim(const KeyHash& key, Moment now);

    // Undoes a claim that came to nothing.
    void release(Place place);

    Window window(Place place)
    {
        return {std::span(key_words(place) + 2, limit_), nodes_[place].oldest, width_};
    }
    void admit(Place place, Moment now);

    // Until a place is free.
    std::chrono::nanoseconds until_free(Moment now);

private:
    // Places in the order of their last admissions, so that a free one, if any, is the first.
    struct Node {
        Place before;
        Place after;
        std::uint32_t oldest = 0;  // See Window.
        bool known = false;        // The key of this place can be found.
    };
    struct Cell {
        std::uint32_t tag = 0;  // The part of the key that says where to begin to look.
        Place place = 0;
    };

    std::uint64_t* key_words(Place place) { return memory_.data() + place * words(limit_); }
    bool holds(Place place, const KeyHash& key) const
    {
        const std::size_t at = place * words(limit_);
        return memory_[at] == key.high && memory_[at + 1] == key.low;
    }
    std::size_t next(std::size_t cell) const { return (cell + 1) & (cells_.size() - 1); }
    void index(const KeyHash& key, Place place);
    void forget(Place place);
    void unlink(Place place);
    void append(Place place);
    void prepend(Place place);

    std::mutex mutex_;
    std::span<std::uint64_t> memory_;
    std::uint32_t limit_;
    std::chrono::nanoseconds width_;
    std::vector<Node> nodes_;
    std::vector<Cell> cells_;  // At least half of them empty.
    Place first_;
    Place last_;
};

}  // namespace parley::limits
