// One event of a streamed chat completion: text, parts of calls, stop reason, usage.
#pragma once

#include "base/error.hpp"
#include "domain/chat.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine::upstream {

inline constexpr std::string_view end_of_stream = "[DONE]";

// A part of a call: the first one has id and name.
struct CallDelta {
    std::int64_t index = 0;
    std::string id = {};
    std::string name = {};
    std::string arguments = {};
};

struct Chunk {
    std::string text = {};
    std::vector<CallDelta> calls = {};
    bool ends_with_calls = false;
    std::optional<StopReason> reason = {};
    std::optional<Usage> usage = {};
    // If the upstream failed: a message for the log.
    std::optional<std::string> fault = {};
};

// Reads the data of an event other than the end of the stream. Memory is bounded by the size of the
// data.
Chunk read_chunk(std::string_view data);

// The value of a "usage" member.
std::optional<Usage> read_usage(std::string_view text);

// Whether the body of a refusal says that the conversation is too long for the model.
bool is_about_length(std::string_view body);

// The error message in the body of a refusal or in an event, shortened, for the log.
std::string complaint_in(std::string_view body);

}  // namespace parley::engine::upstream
