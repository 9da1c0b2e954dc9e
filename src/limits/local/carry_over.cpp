#include "limits/local/carry_over.hpp"

#include <algorithm>
#include <vector>

namespace parley::limits {
namespace {

struct Entry {
    KeyHash key;
    std::vector<Moment> times;  // In order, and never none.
};

// A kill may have come when the newest time was written and the ring not yet turned. Only the order
// of the times counts, so the new ring begins with them sorted.
std::vector<Moment> live_times(std::span<const Stamp> ring, const Passage& passage)
{
    std::vector<Moment> times;
    for (const Stamp stamp : ring)
        if (const auto moment = passage.carry(stamp)) times.push_back(*moment);
    std::ranges::sort(times);
    return times;
}

Result<std::vector<Entry>> live_entries(const OldFile& old, std::uint64_t offset,
                                        const TableLayout& layout, const Passage& passage)
{
    const std::size_t words = Shard::words(layout.limit);
    const std::size_t at_once = std::max<std::size_t>(65536 / words, 1);
    std::vector<std::uint64_t> buffer(at_once * words);
    std::vector<Entry> entries;
    for (std::size_t rest = std::size_t{layout.shards} * layout.places; rest > 0;) {
        const auto part = std::span(buffer).first(std::min(rest, at_once) * words);
        if (auto read = old.read(offset, part); !read) return read.error();
        for (std::size_t at = 0; at < part.size(); at += words)
            if (auto times = live_times(part.subspan(at + 2, layout.limit), passage);
                !times.empty())
                entries.push_back({{part[at], part[at + 1]}, std::move(times)});
        offset += part.size_bytes();
        rest -= part.size() / words;
    }
    // A shard keeps its places in the order of their last admissions.
    std::ranges::sort(entries, {}, [](const Entry& entry) { return entry.times.back(); });
    return entries;
}

bool put(Table& table, const Entry& entry)
{
    Shard& shard = table.shard(entry.key);
    // Two entries of one key cannot come from a sound file; if they do, the first one counts on.
    auto place = shard.find(entry.key);
    if (!place) place = shard.claim(entry.key, entry.times.back());
    if (!place) return false;
    for (const Moment time : entry.times) shard.admit(*place, time);
    return true;
}

}  // namespace

Result<CarriedOver> carry_over(const OldFile& old, const Passage& passage, std::span<Table> into)
{
    CarriedOver result;
    std::uint64_t offset = tables_begin;
    for (const TableLayout& layout : tables_of(*old.header())) {
        const auto table = std::ranges::find_if(into, [&](const Table& each) {
            return each.of() == layout.of && each.group() == layout.group;
        });
        if (table != into.end()) {
            auto entries = live_entries(old, offset, layout, passage);
            if (!entries) return entries.error();
            for (const Entry& entry : *entries) ++(put(*table, entry) ? result.kept : result.lost);
        }
        offset += layout.bytes();
    }
    return result;
}

}  // namespace parley::limits
