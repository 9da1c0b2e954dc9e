// The keys of one class and one group, in shards, so that event loops seldom wait for each other.
// The hash of a key selects its shard; without the file's secret, attackers cannot fill the shards
// unevenly.
//
// Threads: a shard has its mutex; the table itself never changes.
#pragma once

#include "limits/local/layout.hpp"
#include "limits/local/shard.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace parley::limits::local {

class Table {
public:
    Table(std::span<std::uint64_t> memory, const TableLayout& layout,
          std::chrono::nanoseconds width)
        : of_(layout.of), group_(layout.group), limit_(layout.shard.limit)
    {
        const std::size_t words = layout.shard.words();
        for (std::size_t i = 0; i < layout.shards; ++i)
            shards_.push_back(
                std::make_unique<Shard>(memory.subspan(i * words, words), layout.shard, width));
    }

    Class of() const { return of_; }
    Group group() const { return group_; }

    // The limit of a key without its own limit.
    std::uint32_t limit() const { return limit_; }

    // Their number is a power of two.
    Shard& shard(const KeyHash& key) { return *shards_[key.high & (shards_.size() - 1)]; }
    std::span<const std::unique_ptr<Shard>> shards() const { return shards_; }

private:
    Class of_;
    Group group_;
    std::uint32_t limit_;
    std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace parley::limits::local
