#include "engine/upstream/chunk.hpp"

#include "base/json.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace parley::engine::upstream {
namespace {

using boost::json::object;
using boost::json::value;

constexpr std::size_t most_of_a_complaint = 300;

// Null if there is no member of that name.
const value* member(const value* from, std::string_view name)
{
    const object* members = from ? from->if_object() : nullptr;
    return members ? members->if_contains(name) : nullptr;
}

std::string_view text_at(const value* from)
{
    const auto* text = from ? from->if_string() : nullptr;
    return text ? std::string_view(*text) : std::string_view();
}

// A server may send any number, and sums of these are stored and sent.
constexpr std::int64_t most_tokens = 1'000'000'000'000;

std::int64_t count_at(const value* from)
{
    const auto* count = from ? from->if_int64() : nullptr;
    return count ? std::clamp<std::int64_t>(*count, 0, most_tokens) : 0;
}

bool is_there(const value* found) { return found && !found->is_null(); }

std::optional<Usage> usage_of(const value* usage)
{
    if (!usage || !usage->is_object()) return {};
    Usage told{.input_tokens = count_at(member(usage, "prompt_tokens")),
               .output_tokens = count_at(member(usage, "completion_tokens")),
               .cached_input_tokens =
                   count_at(member(member(usage, "prompt_tokens_details"), "cached_tokens"))};
    told.cached_input_tokens = std::min(told.cached_input_tokens, told.input_tokens);
    return told;
}

void read_reason(const value& choice, Chunk& chunk)
{
    const std::string_view reason = text_at(member(&choice, "finish_reason"));
    if (reason.empty()) return;
    if (reason == "content_filter") {
        chunk.fault = "its content filter ended the answer";
    } else if (reason == "function_call") {
        chunk.fault = "it called a function in the deprecated form";
    } else if (reason == "tool_calls") {
        chunk.ends_with_calls = true;
        chunk.reason = StopReason::end_turn;
    } else if (reason == "length") {
        chunk.reason = StopReason::max_tokens;
    } else {
        // Some servers (vLLM, SGLang) report in another member which of both it was.
        const value* matched = member(&choice, "stop_reason");
        if (!matched) matched = member(&choice, "matched_stop");
        chunk.reason =
            matched && matched->is_string() ? StopReason::stop_sequence : StopReason::end_turn;
    }
}

void read_calls(const value* calls, Chunk& chunk)
{
    if (!is_there(calls)) return;
    const auto* list = calls->if_array();
    if (!list) {
        chunk.fault = "its tool calls are not a list";
        return;
    }
    for (const value& call : *list) {
        const value* function = member(&call, "function");
        const value* index = member(&call, "index");
        chunk.calls.push_back(
            {.index = index && index->is_int64() ? index->as_int64() : std::int64_t{0},
             .id = std::string(text_at(member(&call, "id"))),
             .name = std::string(text_at(member(function, "name"))),
             .arguments = std::string(text_at(member(function, "arguments")))});
    }
}

// Only the first choice is read; the request asks for one.
void read_choice(const value& choice, Chunk& chunk)
{
    const value* content = member(member(&choice, "delta"), "content");
    if (is_there(content) && !content->is_string()) {
        chunk.fault = "it sent invalid text";
        return;
    }
    chunk.text = text_at(content);
    read_calls(member(member(&choice, "delta"), "tool_calls"), chunk);
    read_reason(choice, chunk);
}

std::string_view complaint_of(const value& root)
{
    const value* error = member(&root, "error");
    if (error && error->is_string()) return text_at(error);
    const std::string_view message = text_at(member(error, "message"));
    return message.empty() ? text_at(member(&root, "message")) : message;
}

}  // namespace

Chunk read_chunk(std::string_view data)
{
    Chunk chunk;
    const auto root = json::parse(data);
    if (!root || !root->is_object()) {
        chunk.fault = "it sent an event that is not a JSON object";
        return chunk;
    }
    if (is_there(member(&*root, "error"))) {
        chunk.fault = "it sent an error: " + complaint_in(data);
        return chunk;
    }
    chunk.usage = usage_of(member(&*root, "usage"));
    const value* choices = member(&*root, "choices");
    if (!is_there(choices)) return chunk;
    const auto* list = choices->if_array();
    if (!list)
        chunk.fault = "its choices are not a list";
    else if (!list->empty())
        read_choice(list->front(), chunk);
    return chunk;
}

std::optional<Usage> read_usage(std::string_view text)
{
    const auto parsed = json::parse(text);
    return parsed ? usage_of(&*parsed) : std::nullopt;
}

bool is_about_length(std::string_view body)
{
    const auto root = json::parse(body);
    if (!root) return false;
    const value* error = member(&*root, "error");
    const std::string_view code = text_at(member(error, "code"));
    const std::string_view type = text_at(member(error, "type"));
    // OpenAI and most others; llama.cpp.
    if (code == "context_length_exceeded" || type == "exceed_context_size_error") return true;
    // vLLM and others say it only in the message.
    const std::string_view said = complaint_of(*root);
    constexpr std::array<std::string_view, 3> words{"maximum context length", "context size",
                                                    "context window"};
    return std::ranges::any_of(words, [&](auto each) { return said.find(each) != said.npos; });
}

std::string complaint_in(std::string_view body)
{
    const auto root = json::parse(body);
    if (!root) return "(not JSON)";
    return std::string(utf8::cut(complaint_of(*root), most_of_a_complaint));
}

}  // namespace parley::engine::upstream
