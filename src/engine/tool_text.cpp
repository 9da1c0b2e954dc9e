#include "engine/tool_text.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine {
namespace {

constexpr std::string_view result_begins = "<tool_response";
constexpr std::string_view result_ends = "\n</tool_response>";
constexpr std::string_view before_question = "\n\n";  // After results.

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

constexpr std::string_view end_in_result = "/tool_response>";

// The places after `<`, and backslashes after it, at which a result would end.
template <class Change>
std::string changed_ends(std::string_view text, Change change)
{
    std::string changed;
    std::size_t begin = 0;
    for (;;) {
        const std::size_t found = text.find(end_in_result, begin);
        if (found == text.npos) break;
        std::size_t tag = found;
        while (tag > begin && text[tag - 1] == '\\') --tag;
        changed += text.substr(begin, found - begin);
        if (tag > begin && text[tag - 1] == '<') change(changed, found - tag);
        changed += end_in_result;
        begin = found + end_in_result.size();
    }
    return changed.append(text.substr(begin));
}

std::string escaped_result(std::string_view text)
{
    return changed_ends(text, [](std::string& out, std::size_t) { out += '\\'; });
}

std::string unescaped_result(std::string_view text)
{
    return changed_ends(text, [](std::string& out, std::size_t backslashes) {
        if (backslashes > 0) out.pop_back();
    });
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
    ToolResult result{.id = std::move(*id), .text = unescaped_result(rest.substr(0, end))};
    text = rest.substr(end + result_ends.size());
    return result;
}

// The first part with text, if the whole text begins with the tag of a result after `<` and at
// least so many backslashes; otherwise null.
std::string* tag_of_result(std::vector<std::string>& parts, std::size_t backslashes)
{
    const auto first =
        std::ranges::find_if(parts, [](const std::string& part) { return !part.empty(); });
    if (first == parts.end() || first->front() != '<') return nullptr;
    std::string text;
    for (auto part = first; part != parts.end(); ++part) text += *part;
    const std::size_t name = text.find_first_not_of('\\', 1);
    const bool is_tag = name != text.npos && name > backslashes &&
                        std::string_view(text).substr(name).starts_with(result_begins.substr(1));
    return is_tag ? &*first : nullptr;
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

std::string TextEscape::add(std::string_view text)
{
    constexpr std::size_t other_line = call_tag.size() + 1;
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        if (c == '\n') {
            escaped += end_line();
        } else if (!is_tag() || c != '\\') {
            const bool goes_on = matched_ < call_tag.size() && c == call_tag[matched_];
            matched_ = goes_on ? matched_ + 1 : other_line;
        }
        escaped += c;
    }
    return escaped;
}

std::string TextEscape::end_line()
{
    const bool was_tag = is_tag();
    matched_ = 0;
    return was_tag ? "\\" : "";
}

std::string unescaped(std::string_view text)
{
    std::string plain;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        const bool has_break = end != text.npos;
        text.remove_prefix(has_break ? end + 1 : text.size());
        const bool is_escaped = has_break && line.starts_with(call_tag) &&
                                line.size() > call_tag.size() &&
                                line.find_first_not_of('\\', call_tag.size()) == line.npos;
        plain += line.substr(0, line.size() - (is_escaped ? 1 : 0));
        if (has_break) plain += '\n';
    }
    return plain;
}

void end_line(std::string& answer)
{
    TextEscape escape;
    const std::size_t line = answer.rfind('\n');
    escape.add(std::string_view(answer).substr(line == answer.npos ? 0 : line + 1));
    answer += escape.end_line();
}

std::string text_of_calls(std::string_view text, const std::vector<ToolCall>& calls)
{
    std::string answer = TextEscape().add(text);
    append_calls(answer, calls);
    return answer;
}

void append_calls(std::string& answer, const std::vector<ToolCall>& calls)
{
    if (!calls.empty()) end_line(answer);
    for (const ToolCall& call : calls) append_call(answer, call);
}

void append_call(std::string& answer, const ToolCall& call)
{
    if (!answer.empty()) answer += '\n';
    answer += beginning_of(call);
    if (const auto parsed = json::parse(call.arguments); parsed && !parsed->is_string())
        answer += in_one_line(call.arguments);
    else
        json::append_quoted(answer, call.arguments);
    answer += '}';
    answer += call_ends;
}

std::string given_arguments(std::string arguments)
{
    if (!arguments.starts_with('"')) return arguments;
    const auto quoted = json::parse(arguments);
    return quoted && quoted->is_string() ? std::string(quoted->as_string()) : arguments;
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
        text.append(">\n").append(escaped_result(result.text)).append(result_ends);
    }
    return text;
}

ReadResults read_results(std::string_view turn)
{
    ReadResults read;
    std::string_view rest = turn;
    while (auto result = take_result(rest)) {
        read.results.push_back(std::move(*result));
        if (rest.starts_with("\n<tool_response")) rest.remove_prefix(1);
    }
    if (!read.results.empty() && rest.starts_with(before_question))
        rest.remove_prefix(before_question.size());
    read.text_at = turn.size() - rest.size();
    read.text = unescaped_question(std::string(rest));
    return read;
}

bool begins_with_result(std::string_view turn) { return turn.starts_with(result_begins); }

void escape_question(std::vector<std::string>& parts)
{
    if (std::string* first = tag_of_result(parts, 0)) first->insert(1, 1, '\\');
}

void unescape_question(std::vector<std::string>& parts)
{
    if (std::string* first = tag_of_result(parts, 1)) first->erase(1, 1);
}

std::string escaped_question(std::string text)
{
    std::vector<std::string> parts{std::move(text)};
    escape_question(parts);
    return std::move(parts.front());
}

std::string unescaped_question(std::string turn)
{
    std::vector<std::string> parts{std::move(turn)};
    unescape_question(parts);
    return std::move(parts.front());
}

}  // namespace parley::engine
