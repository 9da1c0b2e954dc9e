#include "app/settings_text.hpp"

#include "base/ascii.hpp"
#include "base/json.hpp"

#include <algorithm>
#include <charconv>

namespace parley::app {
namespace {

using Texts = std::vector<std::string>;

Texts split_at_commas(std::string_view text)
{
    Texts parts;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (const auto part = ascii::trimmed(text.substr(0, comma)); !part.empty())
            parts.emplace_back(part);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return parts;
}

bool has_control_character(std::string_view text)
{
    return std::ranges::any_of(
        text, [](char each) { return (each >= 0 && each < 0x20) || each == 0x7f; });
}

// TOML's basic strings escape as JSON's do, except that JSON leaves U+007F alone; that one is
// refused as a value.
void append_toml(std::string& out, const std::string& text) { json::append_quoted(out, text); }

}  // namespace

std::optional<SettingValue> value_from_text(std::string_view text, const SettingValue& like)
{
    if (std::holds_alternative<bool>(like)) {
        if (text == "true") return true;
        if (text == "false") return false;
        return {};
    }
    if (std::holds_alternative<std::int64_t>(like)) {
        std::int64_t number = 0;
        const char* end = text.data() + text.size();
        const auto [at, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (failure != std::errc() || at != end) return {};
        return number;
    }
    if (std::holds_alternative<Texts>(like)) return split_at_commas(text);
    return std::string(text);
}

std::optional<std::string> fault_of_text(const SettingValue& value)
{
    const auto* text = std::get_if<std::string>(&value);
    const auto* list = std::get_if<Texts>(&value);
    const bool bad = (text && has_control_character(*text)) ||
                     (list && std::ranges::any_of(*list, has_control_character));
    if (bad) return "a value must not hold control characters.";
    return {};
}

std::string to_toml(const SettingValue& value)
{
    std::string shown;
    if (const auto* text = std::get_if<std::string>(&value)) append_toml(shown, *text);
    if (const auto* number = std::get_if<std::int64_t>(&value)) shown = std::to_string(*number);
    if (const auto* truth = std::get_if<bool>(&value)) shown = *truth ? "true" : "false";
    if (const auto* list = std::get_if<Texts>(&value)) {
        for (const auto& each : *list) append_toml(shown += shown.empty() ? "" : ", ", each);
        shown = "[" + shown + "]";
    }
    return shown;
}

}  // namespace parley::app
