// One event of a streamed chat completion: text, stop reason, usage.
#pragma once

#include "base/error.hpp"
#include "domain/chat.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::engine::upstream {

inline constexpr std::string_view end_of_stream = "[DONE]";

struct Chunk {
    std::string text = {};
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
