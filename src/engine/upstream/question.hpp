// A request for a chat completion as bytes, with a gap where the model's name goes: each server has
// its own for it.
#pragma once

#include "base/error.hpp"
#include "engine/engine.hpp"

#include <string>
#include <string_view>

namespace parley::engine {

struct Question {
    std::string before;
    std::string after;

    std::string to(std::string_view model) const;
};

// Of a prompt, to be answered as a stream with its usage.
Question question_of(const Prompt& prompt);

// Of a JSON object that stays as it is but for its "model". Fails with invalid_json where it is
// none, or names a model twice: the other side might read the one that we did not.
Result<Question> question_of(std::string body);

// Whether this has the outer shape of one JSON object and is UTF-8; what its values hold is not
// looked at.
bool is_shaped_as_object(std::string_view text);

}  // namespace parley::engine
