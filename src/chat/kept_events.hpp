// The events of an ended run as they are stored: not as frames, which would repeat the question and
// the answer many times over, but as a recipe from which the same events are made again. A delta is
// the number of bytes that it takes of the answer; another event is its frame with references to
// the texts of question and answer. The recipe is compressed.
//
// Threads: values and plain functions.
#pragma once

#include "domain/run_event.hpp"
#include "store/runs.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::chat {

// How the answer was cut into deltas: about a byte for each.
class DeltaSizes {
public:
    void add(std::size_t bytes);
    std::int64_t count() const { return count_; }
    const std::string& recipe() const { return recipe_; }

private:
    std::string recipe_;
    std::int64_t count_ = 0;
};

// Packs the events of a run that has ended; `first` and `last` are its first and last event.
std::string keep_events(const store::RunWithMessages& ended, const RunEvent& first,
                        const DeltaSizes& deltas, const RunEvent& last);

// Reproduces the events. Must always be given the run that the events belong to. A copy has its own
// position and shares the memory, including the large frames.
class KeptEvents {
public:
    // Nothing if the bytes were damaged, or written by a later version.
    static std::optional<KeptEvents> open(std::string_view kept,
                                          const store::RunWithMessages& ended);

    // The events after a number, as many as `max_cost` allows, but at least one if there is one.
    // Numbers must not decrease from call to call. Nothing if the bytes were damaged.
    std::optional<std::vector<RunEvent>> next(const store::RunWithMessages& ended,
                                              std::int64_t after, std::size_t max_cost);

    // The frame of the last event.
    const std::shared_ptr<const std::string>& last_frame() const
    {
        return recipe_->frames.rbegin()->second.bytes;
    }
    std::size_t bytes() const;  // Memory that copies share.

private:
    // The frame of an event that is not a delta, and where the next item begins.
    struct Frame {
        std::shared_ptr<const std::string> bytes;
        std::size_t end = 0;
    };
    struct Recipe {
        std::string items;
        std::map<std::size_t, Frame> frames = {};  // By where they begin.
    };

    explicit KeptEvents(std::shared_ptr<const Recipe> recipe) : recipe_(std::move(recipe)) {}

    static bool make_frames(Recipe& recipe, const store::RunWithMessages& ended);
    enum class Step { made, skipped, at_end, damaged };
    Step make_next(const store::RunWithMessages& ended, std::int64_t after, RunEvent& event);

    std::shared_ptr<const Recipe> recipe_;
    std::size_t at_ = 0;                   // In the recipe.
    std::size_t text_at_ = 0;              // In the answer.
    std::int64_t number_ = 0;              // The last event that was made.
    std::optional<RunEvent> unsent_ = {};  // Did not fit into the last batch.
};

}  // namespace parley::chat
