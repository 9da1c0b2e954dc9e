#include "reference/yaml.hpp"

#include "base/ascii.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace parley::reference {
namespace {

// A key that all versions of YAML read as a text without quotes.
bool is_plain(std::string_view key)
{
    constexpr std::array words = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
    constexpr std::string_view letters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const std::string small = ascii::lower(key);
    const bool begins_with_letter =
        !small.empty() && ((small[0] >= 'a' && small[0] <= 'z') || small[0] == '_');
    return begins_with_letter && key.find_first_not_of(letters) == key.npos &&
           std::ranges::find(words, std::string_view(small)) == words.end();
}

bool is_block(const boost::json::value& value)
{
    return (value.is_object() && !value.get_object().empty()) ||
           (value.is_array() && !value.get_array().empty());
}

// Numbers without an exponent, which older YAML readers treat as a text.
std::string scalar(const boost::json::value& value)
{
    if (!value.is_double()) return boost::json::serialize(value);
    std::array<char, 64> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(),
                                            value.get_double(), std::chars_format::fixed);
    if (fault != std::errc()) return boost::json::serialize(value);
    return {text.data(), end};
}

void append(std::string& out, const boost::json::value& value, std::size_t depth);

void append_after_mark(std::string& out, const boost::json::value& value, std::size_t depth)
{
    if (is_block(value)) {
        out += '\n';
        append(out, value, depth);
    } else {
        out.append(" ").append(scalar(value)).append("\n");
    }
}

void append(std::string& out, const boost::json::value& value, std::size_t depth)
{
    const std::string indent(2 * depth, ' ');
    if (const auto* object = value.if_object()) {
        for (const auto& [key, member] : *object) {
            const std::string_view name = key;
            out.append(indent)
                .append(is_plain(name) ? std::string(name) : boost::json::serialize(key))
                .append(":");
            append_after_mark(out, member, depth + 1);
        }
    } else if (const auto* array = value.if_array()) {
        for (const auto& item : *array) {
            out.append(indent).append("-");
            append_after_mark(out, item, depth + 1);
        }
    }
}

}  // namespace

std::string yaml(const boost::json::value& value)
{
    std::string out;
    if (is_block(value))
        append(out, value, 0);
    else
        out = scalar(value) + "\n";
    return out;
}

}  // namespace parley::reference
