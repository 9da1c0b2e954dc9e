#include "engine/answer_reader.hpp"

#include "base/json.hpp"
#include "engine/written_call.hpp"

#include <algorithm>
#include <utility>

namespace parley::engine {
namespace {

constexpr std::string_view closing_tag = "</tool_call>";
constexpr std::string_view end_of_arguments = "}\n</tool_call>";
constexpr std::string_view white_space = " \t\r\n";

constexpr std::size_t longest_header = 4096;
constexpr std::size_t longest_call = std::size_t{1} * 1024 * 1024;

// The length of the end of a text with which the pattern may begin.
std::size_t overlap(std::string_view text, std::string_view pattern)
{
    std::size_t length = std::min(text.size(), pattern.size() - 1);
    while (length > 0 && !text.ends_with(pattern.substr(0, length))) --length;
    return length;
}

}  // namespace

bool may_call(const ToolsRef& tools, ToolUse use)
{
    return tools && tools->choice != ToolChoice::none &&
           (use != ToolUse::demanded || demands_call(tools, use));
}

AnswerReader::AnswerReader(const ToolsRef& tools, ToolUse use)
    : reads_calls_(may_call(tools, use)),
      is_demanded_(demands_call(tools, use)),
      max_calls_(use == ToolUse::by_choice && tools && !tools->parallel ? 1 : max_calls),
      is_checked_(reads_calls_ && use == ToolUse::by_choice && !is_demanded_)
{
    if (is_checked_)
        for (const Function& function : tools->functions) functions_.insert(function.name);
}

std::vector<AnswerPart> AnswerReader::add(std::string_view delta)
{
    rest_ += delta;
    return read(false);
}

std::vector<AnswerPart> AnswerReader::end() { return read(true); }

std::vector<AnswerPart> AnswerReader::read(bool is_end)
{
    const auto step = [&] {
        switch (state_) {
            case State::text:
                return read_text(is_end);
            case State::escaped:
                return read_escaped(is_end);
            case State::header:
                return read_header(is_end);
            case State::arguments:
                return read_arguments(is_end);
            case State::whole_call:
                return read_whole_call(is_end);
            case State::rest:
                read_ = rest_.size();
                return false;
        }
        return false;
    };
    while (step()) {
    }
    rest_.erase(0, std::exchange(read_, 0));  // Once: an answer may have very many calls.
    return std::exchange(parts_, {});
}

// False if there is nothing more to read until the next delta.
bool AnswerReader::read_text(bool is_end)
{
    if (!reads_calls_) {
        add_text(left());
        read_ = rest_.size();
        return false;
    }
    // White space around calls is no part of the answer.
    if (is_line_start_ && calls_ > 0)
        read_ += std::min(left().find_first_not_of(white_space), left().size());
    const std::string_view text = left();
    if (is_line_start_ && !is_end && text.size() < call_tag.size() && call_tag.starts_with(text))
        return false;
    const bool is_first = is_line_start_ && text.starts_with(call_tag);
    tag_ = is_first ? std::string(call_tag) : '\n' + std::string(call_tag);
    const std::size_t found = is_first ? 0 : text.find(tag_);
    if (found != text.npos) {
        add_text(text.substr(0, found));
        read_ += found;
        is_line_start_ = is_first;
        return read_tag(is_end);
    }
    const std::size_t kept = is_end ? 0 : overlap(text, tag_);
    add_text(text.substr(0, text.size() - kept));
    read_ += text.size() - kept;
    return false;
}

// left() begins with tag_.
bool AnswerReader::read_tag(bool is_end)
{
    if (is_checked_) {
        read_ += tag_.size();
        state_ = State::whole_call;
        return true;
    }
    const std::string_view after = left().substr(tag_.size());
    if (after.empty() && !is_end) return false;
    if (after.starts_with('\n')) {
        tag_ += '\n';
        read_ += tag_.size();
        state_ = State::header;
        return true;
    }
    add_text(tag_);
    read_ += tag_.size();
    if (after.starts_with('\\')) state_ = State::escaped;
    return !after.empty();
}

// Backslashes after a tag. If a line break follows, the last of them was added by TextEscape.
bool AnswerReader::read_escaped(bool is_end)
{
    const std::string_view text = left();
    const std::size_t count = std::min(text.find_first_not_of('\\'), text.size());
    if (count == text.size() && !is_end) {
        add_text(text.substr(0, count - 1));
        read_ += count - 1;
        return false;
    }
    const bool is_escape = text.substr(count).starts_with('\n');
    add_text(text.substr(0, count - (is_escape ? 1 : 0)));
    read_ += count;
    state_ = State::text;
    return !left().empty();
}

bool AnswerReader::read_header(bool is_end)
{
    constexpr std::string_view before_arguments = R"(,"arguments":)";
    constexpr std::size_t most = longest_header + before_arguments.size();
    const std::string_view text = left().substr(0, most);
    if (!text.empty() && text.front() != '{') return take_for_text();
    const std::size_t found = text.find(before_arguments);
    const std::string_view header = text.substr(0, found);
    if (header.find('\n') != header.npos || (found == text.npos && text.size() == most))
        return take_for_text();
    if (found != text.npos) {
        const auto call = call_in_header(std::string(header) + '}');
        if (!call) return take_for_text();
        read_ += found + before_arguments.size();
        add_call(*call);
        state_ = State::arguments;
        return true;
    }
    if (!is_end) return false;
    if (!is_demanded_) return take_for_text();
    read_ = rest_.size();  // It was cut before the name of the function was known.
    return false;
}

bool AnswerReader::read_arguments(bool is_end)
{
    const std::string_view text = left();
    const std::size_t found = text.find(end_of_arguments);
    if (found != text.npos) {
        add_arguments(text.substr(0, found));
        return end_call(found + end_of_arguments.size());
    }
    const std::size_t kept = overlap(text, end_of_arguments);
    add_arguments(text.substr(0, text.size() - kept));
    read_ += text.size() - kept;
    // An answer that was cut: the last brace may belong to the arguments.
    if (is_end && !left().empty() && !json::parse(arguments_)) add_arguments(left());
    if (is_end) read_ = rest_.size();
    return false;
}

// The tag that ends the call. One inside of a string is an argument; strings have no line breaks.
std::size_t AnswerReader::end_of_whole_call() const
{
    const std::string_view text = left();
    bool in_string = false;
    std::size_t read = 0;
    for (std::size_t found = text.find(closing_tag); found != text.npos;
         found = text.find(closing_tag, found + 1)) {
        for (; read < found; ++read) {
            const char c = text[read];
            if (c == '"' || c == '\n')
                in_string = c == '"' && !in_string;
            else if (c == '\\' && in_string)
                ++read;
        }
        if (!in_string) return found;
    }
    return text.npos;
}

bool AnswerReader::read_whole_call(bool is_end)
{
    const std::size_t found = end_of_whole_call();
    const bool is_whole = found != std::string_view::npos;
    const std::string_view text = left().substr(0, found);
    if (text.size() > longest_call) return take_for_text();
    if (!is_whole && !is_end) return false;
    const auto call = call_of_model(text, functions_);
    if (!call) return take_for_text();
    add_call(*call);
    add_arguments(call->arguments);
    return end_call(is_whole ? found + closing_tag.size() : text.size());
}

void AnswerReader::add_text(std::string_view text)
{
    if (text.empty()) return;
    is_line_start_ = false;
    parts_.push_back({.kind = AnswerPart::Kind::text, .text = std::string(text)});
}

void AnswerReader::add_call(const ToolCall& call)
{
    ++calls_;
    arguments_.clear();
    parts_.push_back({.kind = AnswerPart::Kind::call, .id = call.id, .name = call.name});
}

void AnswerReader::add_arguments(std::string_view text)
{
    if (text.empty()) return;
    arguments_ += text;
    parts_.push_back({.kind = AnswerPart::Kind::arguments, .text = std::string(text)});
}

bool AnswerReader::end_call(std::size_t size)
{
    read_ += size;
    is_line_start_ = true;
    state_ = calls_ < max_calls_ ? State::text : State::rest;
    return !left().empty();
}

// It only looked like a call.
bool AnswerReader::take_for_text()
{
    add_text(tag_);
    state_ = State::text;
    return !left().empty();
}

ReadAnswer read_answer(std::string_view text, const ToolsRef& tools, ToolUse use)
{
    AnswerReader reader(tools, use);
    ReadAnswer answer;
    const auto take = [&](std::vector<AnswerPart> parts) {
        for (AnswerPart& part : parts) {
            if (part.kind == AnswerPart::Kind::text)
                answer.text += part.text;
            else if (part.kind == AnswerPart::Kind::call)
                answer.calls.push_back({.id = std::move(part.id), .name = std::move(part.name)});
            else
                answer.calls.back().arguments += part.text;
        }
    };
    take(reader.add(text));
    take(reader.end());
    return answer;
}

bool has_call(std::string_view text)
{
    const std::string inside = '\n' + std::string(call_begins);
    return text.starts_with(call_begins) || text.find(inside) != text.npos;
}

bool has_call_tag(std::string_view text) { return text.find(call_tag) != text.npos; }

}  // namespace parley::engine
