// One event of a streamed chat completion, as far as an answer needs it: text, why it ended, usage.
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
    // Where the other side has no answer: a sentence for the log.
    std::optional<std::string> fault = {};
};

// The data of an event that is not the end of the stream. Whatever it is, memory is bounded by it.
Chunk read_chunk(std::string_view data);

// The value of a "usage" member.
std::optional<Usage> read_usage(std::string_view text);

// Whether the body of a refusal says that the conversation is too long for the model.
bool is_about_length(std::string_view body);

// What the body of a refusal, or an event, says is wrong: some of it, for the log.
std::string complaint_in(std::string_view body);

}  // namespace parley::engine::upstream
