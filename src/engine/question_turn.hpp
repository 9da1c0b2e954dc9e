// The turns of users, as engine/tool_text.hpp writes them, with images: an image is at a place in
// the text, which moves if the text is escaped.
//
// Threads: plain functions.
#pragma once

#include "engine/engine.hpp"
#include "engine/tool_text.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::engine {

// The text of a user as a turn, and back.
void escape_question(Turn& turn);
void unescape_question(Turn& turn);

// The results at the beginning of a turn, and the question after them as its user wrote it. An
// image that is before or in the results is at the beginning of the question.
struct ReadTurn {
    std::vector<ToolResult> results = {};
    Turn question = {};
};
ReadTurn read_turn(const Turn& turn);

// A turn that gets further ones of the user, each after an empty line. Each of them is read once
// only: a request can have thousands.
class JoinedQuestions {
public:
    // With results, a question, or both.
    explicit JoinedQuestions(Turn first);

    void add(Turn question);
    Turn take() { return std::move(turn_); }

private:
    Turn turn_;
    bool has_question_ = false;
};

// Puts a text in the place of an image, or of all images.
void replace_image(Turn& turn, std::size_t index, std::string_view text);
void replace_images(Turn& turn, std::string_view text);

}  // namespace parley::engine
