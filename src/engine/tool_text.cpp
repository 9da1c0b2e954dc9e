#include "engine/tool_text.hpp"

#include "base/json.hpp"

#include <algorithm>

namespace parley::engine {
namespace {

constexpr std::string_view result_begins = "<tool_response";
constexpr std::string_view result_ends = "\n</tool_response>";

// The id in ` id="…">` or `>`, followed by a line break; the rest of the text stays.
std::optional<std::string> take_id(std::string_view& text)
{
    constexpr std::string_view before = " id=";
    std::string id;
    if (text.starts_with(before)) {
        const std::size_t end = text.find(">\n");
        if (end == text.npos) return {};
        const auto quoted = json::parse(text.substr(before.size(), end - before.size()));
        if (!quoted || !quoted->is_string()) return {};
        id = std::string(quoted->as_string());
        text.remove_prefix(end);
    }
    if (!text.starts_with(">\n")) return {};
    text.remove_prefix(2);
    return id;
}

std::optional<ToolResult> take_result(std::string_view& text)
{
    std::string_view rest = text;
    if (!rest.starts_with(result_begins)) return {};
    rest.remove_prefix(result_begins.size());
    auto id = take_id(rest);
    if (!id) return {};
    const std::size_t end = rest.find(result_ends);
    if (end == rest.npos) return {};
    ToolResult result{.id = std::move(*id), .text = std::string(rest.substr(0, end))};
    text = rest.substr(end + result_ends.size());
    return result;
}

// The end of a call is found by its line break. JSON has none inside of strings.
std::string in_one_line(std::string json)
{
    std::ranges::replace(json, '\n', ' ');
    return json;
}

}  // namespace

std::string beginning_of(const ToolCall& call)
{
    std::string text(call_begins);
    text += '{';
    if (!call.id.empty()) {
        text += R"("id":)";
        json::append_quoted(text, call.id);
        text += ',';
    }
    text += R"("name":)";
    json::append_quoted(text, call.name);
    text += R"(,"arguments":)";
    return text;
}

std::string text_of_calls(std::string text, const std::vector<ToolCall>& calls)
{
    for (const ToolCall& call : calls) {
        if (!text.empty()) text += '\n';
        text += beginning_of(call);
        if (json::parse(call.arguments))
            text += in_one_line(call.arguments);
        else
            json::append_quoted(text, call.arguments);
        text += '}';
        text += call_ends;
    }
    return text;
}

std::string text_of_results(const std::vector<ToolResult>& results)
{
    std::string text;
    for (const ToolResult& result : results) {
        if (!text.empty()) text += '\n';
        text += result_begins;
        if (!result.id.empty()) {
            text += " id=";
            json::append_quoted(text, result.id);
        }
        text.append(">\n").append(result.text).append(result_ends);
    }
    return text;
}

ReadResults read_results(std::string_view message)
{
    ReadResults read;
    std::string_view rest = message;
    while (auto result = take_result(rest)) {
        read.results.push_back(std::move(*result));
        if (rest.starts_with("\n<tool_response")) rest.remove_prefix(1);
    }
    while (!read.results.empty() && rest.starts_with('\n')) rest.remove_prefix(1);
    read.text = rest;
    return read;
}

}  // namespace parley::engine
