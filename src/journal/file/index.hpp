// The locations of each run's events: in memory, rebuilt from the segments at start.
//
// An event costs 4 bytes (up to 8 while a list grows), a run 48 more for each segment that it has
// events in, and about 200 for itself. A full segment of 100,000 small events takes 0.4 to 0.8 MB.
//
// Numbers of a run go 1, 2, 3 … without a gap. The writer claims them before it writes and settles
// the claim after; no claim is given for any other number. Only what is read back from damaged
// segments may have gaps, and `whole` says so.
//
// Threads: from any thread; claims, settling and free segments are the writer's alone.
#pragma once

#include "base/mutex.hpp"
#include "journal/file/record.hpp"
#include "journal/file/segment.hpp"
#include "journal/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::journal::file {

class Index {
public:
    struct Placed {
        RunName run;
        std::uint32_t number;
        std::uint32_t offset;
    };
    // The location of an event.
    struct Location {
        SegmentPtr segment;
        std::uint32_t number;
        std::uint32_t offset;
    };

    // Reserves `count` numbers for a write. Nothing on success; if they are not the next ones,
    // returns the next number.
    std::optional<std::uint32_t> claim(const RunName& run, std::uint32_t first, std::size_t count);
    // The write succeeded, or it failed and the numbers are free again. A run that was ended
    // meanwhile stays ended.
    void settle(const SegmentPtr& segment, std::span<const Placed> records);
    void give_up(const RunName& run);

    // Adds a record of an earlier process. False if the run already has that number or a later one.
    bool restore(const SegmentPtr& segment, const Placed& record);

    // Removes the run. True if that leaves a segment without runs.
    bool end(const RunName& run);

    // The first events after a number, at most `limit`; nothing at all for an unknown run.
    std::optional<std::vector<Location>> find(const RunName& run, std::uint32_t after,
                                              std::size_t limit) const;

    // Nothing for an unknown run.
    std::optional<RunState> state(const RunName& run) const;
    std::vector<RunName> runs() const;  // In no order.
    std::size_t run_count() const;

    void add_segment(SegmentPtr segment);
    // Returns and removes the segments that no run has events in.
    std::vector<SegmentPtr> take_free_segments();

private:
    // Consecutive numbers in one segment.
    struct Stretch {
        SegmentPtr segment;
        std::uint32_t first;
        std::vector<std::uint32_t> offsets;

        std::uint32_t last() const
        {
            return first + static_cast<std::uint32_t>(offsets.size()) - 1;
        }
    };
    struct Run {
        std::vector<Stretch> stretches;  // Empty while its first write is under way.
        std::uint32_t claimed = 0;       // The last number of the write in progress.

        std::uint32_t last() const { return stretches.empty() ? 0 : stretches.back().last(); }
    };
    struct Held {
        SegmentPtr segment;
        std::size_t stretches = 0;  // The number of stretches of runs that have not ended.
    };

    void place(Run& run, const SegmentPtr& segment, const Placed& record) REQUIRES(mutex_);

    mutable Mutex mutex_;
    std::unordered_map<RunName, Run> runs_ GUARDED_BY(mutex_);
    std::map<std::uint32_t, Held> segments_ GUARDED_BY(mutex_);
};

}  // namespace parley::journal::file
