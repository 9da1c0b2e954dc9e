// A request for a chat completion as bytes, with a gap where the model's name goes: each server has
// its own for it.
#pragma once

#include "base/error.hpp"
#include "engine/engine.hpp"

#include <string>
#include <string_view>

namespace parley::engine::upstream {

struct CompletionRequest {
    std::string before;
    std::string after;
    std::string trace = {};  // A `traceparent` to send along; empty: none.

    std::string to(std::string_view model) const;
};

// Of a prompt, to be answered as a stream with its usage.
CompletionRequest request_of(const Prompt& prompt);

// Of a JSON object whose members stay as they are, but for its "model" and those that mean
// something to this server alone. Fails with invalid_json if it is none, or names a model twice:
// the other side might read the one that we did not.
Result<CompletionRequest> request_of(std::string_view body);

// Whether this has the outer shape of one JSON object and is UTF-8; what its values hold is not
// looked at.
bool is_shaped_as_object(std::string_view text);

}  // namespace parley::engine::upstream
