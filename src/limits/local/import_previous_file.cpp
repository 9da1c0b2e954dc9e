#include "limits/local/import_previous_file.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace parley::limits::local {
namespace {

struct Entry {
    KeyHash key;
    std::vector<Moment> times;  // Sorted, and never empty.
};

// The admissions of a table that are still in the window.
struct Holdings {
    std::vector<Entry> entries;
    std::vector<std::vector<Moment>> shared;  // For each shard.
};

// A kill may have occurred after the newest time was written but before the ring was advanced. Only
// the order of the times counts, so the new ring begins with the sorted times.
std::vector<Moment> live_times(std::span<const Stamp> ring, const TimeTranslation& passage)
{
    std::vector<Moment> times;
    for (const Stamp stamp : ring)
        if (const auto moment = passage.carry(stamp)) times.push_back(*moment);
    std::ranges::sort(times);
    return times;
}

// Consecutive places.
struct Places {
    std::uint32_t count;
    std::uint32_t limit;
    bool have_keys = true;
};

// Advances `offset` past them.
Result<std::vector<Entry>> read_places(const OldFile& old, std::uint64_t& offset,
                                       const Places& places, const TimeTranslation& passage)
{
    const std::size_t words = ShardLayout::words_of_place(places.limit);
    const std::size_t at_once = std::max<std::size_t>(65536 / words, 1);
    std::vector<std::uint64_t> buffer(std::min<std::size_t>(at_once, places.count) * words);
    std::vector<Entry> entries;
    for (std::size_t rest = places.count; rest > 0;) {
        const auto part = std::span(buffer).first(std::min(rest, at_once) * words);
        if (auto read = old.read(offset, part); !read) return read.error();
        for (std::size_t at = 0; at < part.size(); at += words) {
            const KeyHash key{part[at], part[at + 1]};
            if (places.have_keys && key == KeyHash()) continue;  // It was never used.
            if (auto times = live_times(part.subspan(at + 2, places.limit), passage);
                !times.empty())
                entries.push_back({key, std::move(times)});
        }
        offset += part.size_bytes();
        rest -= part.size() / words;
    }
    return entries;
}

Result<Holdings> read_table(const OldFile& old, std::uint64_t offset, const TableLayout& layout,
                            const TimeTranslation& passage)
{
    Holdings holdings;
    const ShardLayout& shard = layout.shard;
    for (std::uint32_t i = 0; i < layout.shards; ++i) {
        for (const Places& each :
             {Places{shard.places, shard.limit}, Places{shard.large_places, shard.large_limit}}) {
            auto entries = read_places(old, offset, each, passage);
            if (!entries) return entries.error();
            std::ranges::move(*entries, std::back_inserter(holdings.entries));
        }
        const Places one{shard.shares ? 1U : 0U, shard.limit, false};
        auto shared = read_places(old, offset, one, passage);
        if (!shared) return shared.error();
        holdings.shared.push_back(shared->empty() ? std::vector<Moment>()
                                                  : std::move(shared->front().times));
    }
    // A shard keeps its places in the order of their last admissions.
    std::ranges::sort(holdings.entries, {}, [](const Entry& entry) { return entry.times.back(); });
    return holdings;
}

bool put(Table& table, const Entry& entry)
{
    Shard& shard = table.shard(entry.key);
    const auto limit = static_cast<std::uint32_t>(entry.times.size());
    // A kill may have occurred while a key moved from one place to a larger one.
    if (const auto found = shard.find(entry.key)) {
        if (shard.window(*found, limit).held() >= limit) return true;
        shard.release(*found);
    }
    auto place = shard.claim(entry.key, limit, entry.times.back());
    if (!place && shard.shares()) place = shard.shared_place();
    if (!place) return false;
    for (const Moment time : entry.times) shard.admit(*place, time);
    return true;
}

// Keys that shared a place in one shard keep sharing it, even if the number of shards changes.
void put_shared(const Table& table, std::span<const std::vector<Moment>> old)
{
    const auto shards = table.shards();
    const std::size_t common = std::min(shards.size(), old.size());
    for (std::size_t to = 0; to < shards.size(); ++to) {
        if (!shards[to]->shares()) continue;
        std::vector<Moment> times;
        for (std::size_t from = 0; from < old.size(); ++from)
            if (from % common == to % common)
                std::ranges::copy(old[from], std::back_inserter(times));
        std::ranges::sort(times);
        for (const Moment time : times) shards[to]->admit(shards[to]->shared_place(), time);
    }
}

}  // namespace

Result<CarriedOver> import_previous_file(const OldFile& old, const TimeTranslation& passage,
                                         std::span<Table> into)
{
    CarriedOver result;
    std::uint64_t offset = tables_begin;
    for (const TableLayout& layout : tables_of(*old.header())) {
        const auto table = std::ranges::find_if(into, [&](const Table& each) {
            return each.of() == layout.of && each.group() == layout.group;
        });
        if (table != into.end()) {
            auto holdings = read_table(old, offset, layout, passage);
            if (!holdings) return holdings.error();
            for (const Entry& entry : holdings->entries)
                ++(put(*table, entry) ? result.kept : result.lost);
            put_shared(*table, holdings->shared);
        }
        offset += layout.bytes();
    }
    return result;
}

}  // namespace parley::limits::local
