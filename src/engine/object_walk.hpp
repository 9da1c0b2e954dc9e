// Finds the members of a JSON object, and the items of an array, without parsing their values: for
// bodies that are passed on unchanged, where a parser would do a hundred times the work. It never
// reads beyond the text, but accepts much that is not JSON; use a parser to check.
#pragma once

#include <boost/json/parse.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace parley::engine {

struct Member {
    std::string_view key;    // With its quotes.
    std::string_view value;  // Without the space around it.

    bool is_named(std::string_view name) const
    {
        if (key.find('\\') == key.npos) return key.substr(1, key.size() - 2) == name;
        boost::system::error_code failure;
        const auto read = boost::json::parse({key.data(), key.size()}, failure);
        return !failure && read.as_string() == name;
    }
};

namespace walk {

inline constexpr std::size_t max_depth = 64;

inline void skip_space(std::string_view& text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\r' ||
                             text.front() == '\t'))
        text.remove_prefix(1);
}

// Takes a string off the front, with its quotes; empty if there is none.
inline std::string_view take_string(std::string_view& text)
{
    if (!text.starts_with('"')) return {};
    std::size_t quote = 0;
    std::size_t escapes = 0;
    do {  // A quote is the end unless an odd number of backslashes stands before it.
        quote = text.find('"', quote + 1);
        if (quote == text.npos) return {};
        for (escapes = 0; text[quote - 1 - escapes] == '\\'; ++escapes) {
        }
    } while (escapes % 2 == 1);
    const std::string_view taken = text.substr(0, quote + 1);
    text.remove_prefix(quote + 1);
    return taken;
}

// The end of a number, a word, or other text between brackets and strings.
inline std::size_t end_of_plain(std::string_view text, bool nested)
{
    const auto ends_it = [nested](char each) {
        switch (each) {
            case '"':
            case '{':
            case '}':
            case '[':
            case ']':
                return true;
            case ',':
            case ' ':
            case '\t':
            case '\r':
            case '\n':
                return !nested;
            default:
                return false;
        }
    };
    return static_cast<std::size_t>(std::ranges::find_if(text, ends_it) - text.begin());
}

// Takes a value off the front; empty if there is none.
inline std::string_view take_value(std::string_view& text)
{
    const std::string_view begin = text;
    std::size_t depth = 0;
    std::array<char, max_depth> closing{};
    do {
        if (text.empty()) return {};
        const char first = text.front();
        if (first == '"') {
            if (take_string(text).empty()) return {};
        } else if (first == '{' || first == '[') {
            if (depth == max_depth) return {};
            closing[depth++] = first == '{' ? '}' : ']';
            text.remove_prefix(1);
        } else if (first == '}' || first == ']') {
            if (depth == 0 || closing[depth - 1] != first) return {};
            --depth;
            text.remove_prefix(1);
        } else {
            const std::size_t size = end_of_plain(text, depth > 0);
            if (size == 0) return {};
            text.remove_prefix(size);
        }
    } while (depth > 0);
    return begin.substr(0, begin.size() - text.size());
}

}  // namespace walk

// Calls `found` with each member. False if the text is not one object.
template <class Found>
bool walk_object(std::string_view text, Found found)
{
    walk::skip_space(text);
    if (!text.starts_with('{')) return false;
    for (char expected = '{';;) {
        text.remove_prefix(1);
        walk::skip_space(text);
        if (expected == '{' && text.starts_with('}')) break;
        Member member;
        member.key = walk::take_string(text);
        walk::skip_space(text);
        if (member.key.empty() || !text.starts_with(':')) return false;
        text.remove_prefix(1);
        walk::skip_space(text);
        member.value = walk::take_value(text);
        if (member.value.empty()) return false;
        found(member);
        walk::skip_space(text);
        if (text.starts_with('}')) break;
        if (!text.starts_with(',')) return false;
        expected = ',';
    }
    text.remove_prefix(1);
    walk::skip_space(text);
    return text.empty();
}

// Calls `found` with the text of each item. False if the text is not one array.
template <class Found>
bool walk_array(std::string_view text, Found found)
{
    walk::skip_space(text);
    if (!text.starts_with('[')) return false;
    for (char expected = '[';;) {
        text.remove_prefix(1);
        walk::skip_space(text);
        if (expected == '[' && text.starts_with(']')) break;
        const std::string_view item = walk::take_value(text);
        if (item.empty()) return false;
        found(item);
        walk::skip_space(text);
        if (text.starts_with(']')) break;
        if (!text.starts_with(',')) return false;
        expected = ',';
    }
    text.remove_prefix(1);
    walk::skip_space(text);
    return text.empty();
}

}  // namespace parley::engine
