// A request of OpenAI's API as bytes, with a gap for the model's name, which differs between
// servers.
#pragma once

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "engine/relay.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

struct CompletionRequest {
    std::string before;
    std::string after;
    std::string trace = {};              // A `traceparent` to send along; empty: none.
    std::string path{completions_path};  // Below the base URL.
    std::int64_t choices = 1;            // The answers that it asks for.
    std::int64_t max_output = 0;         // Tokens of all choices together; 0: not limited.

    std::string to(std::string_view model) const;
};

// The request for a prompt, to be answered as a stream with its usage.
CompletionRequest request_of(const Prompt& prompt);

// From a JSON object whose members stay unchanged, except "model" and those that are only for this
// server. Fails with invalid_json if it is not an object, or has two models: the upstream might
// read the other one.
Result<CompletionRequest> request_of(std::string_view body);

}  // namespace parley::engine::upstream
