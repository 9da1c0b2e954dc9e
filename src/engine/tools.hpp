// Tools: functions that a model may call instead of answering with text, and how it must choose.
// One type for all doors: the doors of OpenAI read it from their requests, a run stores it with its
// parameters (Sampling::tools), and engines get it with the prompt.
//
//   tool_text.hpp       calls and results as text, which is how conversations hold them
//   answer_reader.hpp   finds the calls in the text of an answer, as it comes
//   tool_prompt.hpp     how a model in this process is told about them
//
// Threads: plain functions; Tools do not change once they are made.
#pragma once

#include "base/error.hpp"
#include "fields/path.hpp"
#include "schema/schema.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::engine {

inline constexpr std::size_t max_tools = 128;
inline constexpr std::size_t max_function_name = 64;
inline constexpr std::size_t max_calls = 128;  // In one answer.

// Bounds for calls that other programs wrote, so that they can be read again as text
// (answer_reader.hpp).
inline constexpr std::size_t max_written_name = 128;
inline constexpr std::size_t max_written_id = 512;

struct Function {
    std::string name;
    std::string description = {};
    std::string parameters = {};  // A JSON Schema, compact; empty: it takes none.
    std::size_t place = 0;        // Its index among the tools of the request.
};

enum class ToolChoice {
    automatic,  // Text or calls, as the model likes.
    none,       // Text.
    required,   // A call of one of the functions.
};

// How an engine uses tools.
enum class ToolUse {
    demanded,   // Its model calls a function only if it must: ToolChoice::required.
    by_choice,  // Its model was trained to call functions.
    passed_on,  // Another server does it.
};

// How a request writes a tool: {"type":"function","function":{"name":…}} in chat completions,
// {"type":"function","name":…} in responses.
enum class ToolShape { nested, flat };

struct Tools {
    std::vector<Function> functions = {};  // Those that may be called.
    ToolChoice choice = ToolChoice::automatic;
    bool parallel = true;  // An answer may have several calls.
    // The members tools, tool_choice and parallel_tool_calls of a chat completion, as an object.
    std::string given = {};
};
using ToolsRef = std::shared_ptr<const Tools>;

// Reads the three members from a request; `at` is the path of the request. Records all faults.
// Null if there are no tools, or a fault. Tools of types other than `function` are only for
// ToolUse::passed_on; other engines do not call them.
ToolsRef read_tools(const boost::json::object& request, ToolShape shape, ToolUse use,
                    const fields::FieldPath& at);

// From Tools::given; null if it is not valid.
ToolsRef restored_tools(std::string_view given);

// The values that a demanded call can have: {"name": …, "arguments": …}. Records all faults of the
// parameters, with the codes of schema::check. Null if there is one.
schema::SchemaRef call_schema(const Tools& tools, ToolShape shape, const fields::FieldPath& at);

// Whether the model must answer with a call that this program has to enforce.
inline bool demands_call(const ToolsRef& tools, ToolUse use)
{
    return tools && tools->choice == ToolChoice::required && use != ToolUse::passed_on;
}

}  // namespace parley::engine
