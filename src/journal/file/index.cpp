#include "journal/file/index.hpp"

#include <algorithm>
#include <limits>

namespace parley::journal::file {

std::optional<std::uint32_t> Index::claim(const RunName& name, std::uint32_t first,
                                          std::size_t count)
{
    const MutexLock lock(mutex_);
    const auto known = runs_.find(name);
    const std::uint32_t last =
        known == runs_.end() ? 0 : std::max(known->second.last(), known->second.claimed);
    const bool fits = count <= std::numeric_limits<std::uint32_t>::max() - last;
    if (first != last + 1 || !fits) return last + 1;
    Run& run = known == runs_.end() ? runs_[name] : known->second;
    run.claimed = first + static_cast<std::uint32_t>(count) - 1;
    return std::nullopt;
}

void Index::settle(const SegmentPtr& segment, std::span<const Placed> records)
{
    const MutexLock lock(mutex_);
    for (const Placed& record : records)
        if (const auto run = runs_.find(record.run); run != runs_.end())
            place(run->second, segment, record);
}

void Index::give_up(const RunName& name)
{
    const MutexLock lock(mutex_);
    const auto run = runs_.find(name);
    if (run == runs_.end()) return;
    run->second.claimed = 0;
    if (run->second.stretches.empty()) runs_.erase(run);
}

bool Index::restore(const SegmentPtr& segment, const Placed& record)
{
    const MutexLock lock(mutex_);
    const auto run = runs_.find(record.run);
    const std::uint32_t last = run == runs_.end() ? 0 : run->second.last();
    if (record.number <= last) return false;
    place(run == runs_.end() ? runs_[record.run] : run->second, segment, record);
    return true;
}

void Index::place(Run& run, const SegmentPtr& segment, const Placed& record)
{
    const bool fresh = run.stretches.empty() || run.stretches.back().segment != segment ||
                       run.last() + 1 != record.number;
    if (fresh) {
        run.stretches.push_back({segment, record.number, {}});
        ++segments_.at(segment->number).stretches;
    }
    run.stretches.back().offsets.push_back(record.offset);
}

bool Index::end(const RunName& name)
{
    const MutexLock lock(mutex_);
    const auto run = runs_.find(name);
    if (run == runs_.end()) return false;
    bool freed = false;
    for (const Stretch& stretch : run->second.stretches)
        freed |= --segments_.at(stretch.segment->number).stretches == 0;
    runs_.erase(run);
    return freed;
}

std::optional<std::vector<Index::Location>> Index::find(const RunName& name, std::uint32_t after,
                                                        std::size_t limit) const
{
    const MutexLock lock(mutex_);
    const auto run = runs_.find(name);
    if (run == runs_.end() || run->second.stretches.empty()) return std::nullopt;
    const auto& stretches = run->second.stretches;
    auto stretch = std::ranges::upper_bound(stretches, after, {}, &Stretch::last);
    std::vector<Location> places;
    for (; stretch != stretches.end(); ++stretch) {
        const std::uint32_t begin = after < stretch->first ? 0 : after - stretch->first + 1;
        for (std::uint32_t i = begin; i < stretch->offsets.size(); ++i) {
            if (places.size() == limit) return places;
            places.push_back({stretch->segment, stretch->first + i, stretch->offsets[i]});
        }
    }
    return places;
}

std::optional<RunState> Index::state(const RunName& name) const
{
    const MutexLock lock(mutex_);
    const auto run = runs_.find(name);
    if (run == runs_.end() || run->second.stretches.empty()) return std::nullopt;
    RunState state{.first = run->second.stretches.front().first, .last = run->second.last()};
    std::uint32_t next = 1;
    for (const Stretch& stretch : run->second.stretches) {
        state.whole = state.whole && stretch.first == next;
        next = stretch.last() + 1;
    }
    return state;
}

std::vector<RunName> Index::runs() const
{
    const MutexLock lock(mutex_);
    std::vector<RunName> names;
    names.reserve(runs_.size());
    for (const auto& [name, run] : runs_)
        if (!run.stretches.empty()) names.push_back(name);
    return names;
}

std::size_t Index::run_count() const
{
    const MutexLock lock(mutex_);
    return runs_.size();
}

void Index::add_segment(SegmentPtr segment)
{
    const MutexLock lock(mutex_);
    const std::uint32_t number = segment->number;
    segments_[number] = {std::move(segment)};
}

std::vector<SegmentPtr> Index::take_free_segments()
{
    const MutexLock lock(mutex_);
    std::vector<SegmentPtr> free;
    for (auto each = segments_.begin(); each != segments_.end();) {
        if (each->second.stretches > 0) {
            ++each;
            continue;
        }
        free.push_back(std::move(each->second.segment));
        each = segments_.erase(each);
    }
    return free;
}

}  // namespace parley::journal::file
