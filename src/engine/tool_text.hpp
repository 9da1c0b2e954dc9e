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
// Text that looks like one of these tags is escaped by a backslash, so that it can be told apart
// and read back: `<tool_call>\` at the end of a line, `<\/tool_response>` in a result,
// `<\tool_response` at the beginning of a question.
//
// Threads: plain functions.
#pragma once

#include <cstddef>
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
    std::string id = {};  // The id of its call.
    std::string text = {};

    bool operator==(const ToolResult&) const = default;
};

inline constexpr std::string_view call_tag = "<tool_call>";
inline constexpr std::string_view call_begins = "<tool_call>\n";
inline constexpr std::string_view call_ends = "\n</tool_call>";

// The beginning of a call, up to its arguments. After them comes `}`, then call_ends.
std::string beginning_of(const ToolCall& call);

// Escapes the text of an answer as it comes.
class TextEscape {
public:
    std::string add(std::string_view text);
    // A line break follows that is no part of the text. Returns what must come before it.
    std::string end_line();

private:
    bool is_tag() const { return matched_ == call_tag.size(); }

    // How much of the tag the current line has; more: it is another line.
    std::size_t matched_ = 0;
};

// The text without the backslashes of TextEscape.
std::string unescaped(std::string_view text);

// Ends the last line of an escaped text: a line break follows that is no part of the text.
void end_line(std::string& answer);

// An answer with calls after its text, which may be empty. Arguments that are not JSON are written
// as a JSON string.
std::string text_of_calls(std::string_view text, const std::vector<ToolCall>& calls);

// Adds calls to such an answer.
void append_calls(std::string& answer, const std::vector<ToolCall>& calls);
void append_call(std::string& answer, const ToolCall& call);

// The arguments as they were given to text_of_calls(), but for white space.
std::string given_arguments(std::string arguments);

std::string text_of_results(const std::vector<ToolResult>& results);

// The results at the beginning of a turn, and the question after them. No results if the turn does
// not begin with one.
struct ReadResults {
    std::vector<ToolResult> results = {};
    std::string text = {};
    std::size_t text_at = 0;  // The offset of the question in the turn.
};
ReadResults read_results(std::string_view turn);

// Whether a turn begins with results: a question never does, because it is escaped.
bool begins_with_result(std::string_view turn);

// The text of a user as a turn, and back. The parts of a question are read as one text.
std::string escaped_question(std::string text);
std::string unescaped_question(std::string turn);
void escape_question(std::vector<std::string>& parts);
void unescape_question(std::vector<std::string>& parts);

}  // namespace parley::engine
