// The events of an ended run as they are kept: not as frames, which would repeat the question and
// the answer many times over, but as a recipe from which the same bytes are made again. A delta is
// the number of bytes that it takes of the answer; another event is its frame with references to
// the texts of question and answer. The recipe is compressed.
//
// Threads: values and plain functions.
#pragma once

#include "chat/events.hpp"
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

// Of a run that has ended, with its first and its last event.
std::string keep_events(const store::RunWithMessages& ended, std::string_view first,
                        const DeltaSizes& deltas, std::string_view terminal);

// Makes the frames again. Always given the run that the events belong to. A copy goes on by itself
// and shares all that takes memory, the large frames included.
class KeptEvents {
public:
    // Nothing where the bytes were damaged, or written by a later version.
    static std::optional<KeptEvents> open(std::string_view kept,
                                          const store::RunWithMessages& ended);

    // The frames after a number, as many as fit into `max_bytes`, but at least one if there is one.
    // Numbers may grow from call to call, not fall. Nothing where the bytes were damaged.
    std::optional<std::vector<Frame>> next(const store::RunWithMessages& ended, std::int64_t after,
                                           std::size_t max_bytes);

    const Frame& last() const { return recipe_->frames.rbegin()->second.frame; }
    std::size_t bytes() const;  // Of what copies share.

private:
    // A frame that is more than a delta, and where the next item begins.
    struct Made {
        Frame frame;
        std::size_t end = 0;
    };
    struct Recipe {
        std::string items;
        std::map<std::size_t, Made> frames = {};  // By where they begin.
    };

    explicit KeptEvents(std::shared_ptr<const Recipe> recipe) : recipe_(std::move(recipe)) {}

    static bool make_frames(Recipe& recipe, const store::RunWithMessages& ended);
    std::optional<Frame> make_next(const store::RunWithMessages& ended, std::int64_t after);

    std::shared_ptr<const Recipe> recipe_;
    std::size_t at_ = 0;       // In the recipe.
    std::size_t text_at_ = 0;  // In the answer.
    std::int64_t number_ = 0;  // Of the last event that was made.
    Frame unsent_ = {};        // One that did not fit any more.
};

}  // namespace parley::chat
