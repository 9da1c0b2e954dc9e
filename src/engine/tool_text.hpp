// Calls of functions and their results as text. Conversations are text for every model and in the
// store; this is the form that many models were trained with (Hermes, Qwen), and people can read
// it:
//
//   <tool_call>
//   {"name":"weather","arguments":{"city":"Paris"}}
//   </tool_call>
//
//   <tool_response>
//   18 °C
//   </tool_response>
//
// A call has an `id` in this text, and a response likewise, only if another server gave or needs
// it.
//
// Threads: plain functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine {

struct ToolCall {
    std::string id = {};
    std::string name = {};
    std::string arguments = {};  // JSON, as the model wrote it.

    bool operator==(const ToolCall&) const = default;
};

struct ToolResult {
    std::string id = {};  // Of its call.
    std::string text = {};

    bool operator==(const ToolResult&) const = default;
};

inline constexpr std::string_view call_begins = "<tool_call>\n";
inline constexpr std::string_view call_ends = "\n</tool_call>";

// The beginning of a call, up to its arguments. After them comes `}`, then call_ends.
std::string beginning_of(const ToolCall& call);

// An answer with calls after its text, which may be empty. Arguments that are not JSON are written
// as a JSON string.
std::string text_of_calls(std::string text, const std::vector<ToolCall>& calls);

std::string text_of_results(const std::vector<ToolResult>& results);

// The results at the beginning of a message, and the text after them. No results if the message
// does not begin with one.
struct ReadResults {
    std::vector<ToolResult> results = {};
    std::string text = {};
};
ReadResults read_results(std::string_view message);

}  // namespace parley::engine
