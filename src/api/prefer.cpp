#include "api/prefer.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>

namespace parley::api {
namespace {

constexpr std::int64_t longest_wait = 86'400;

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

// One preference, with whatever parameters stand behind it.
std::optional<std::chrono::seconds> wait_in(std::string_view preference)
{
    preference = trimmed(preference.substr(0, preference.find(';')));
    const std::size_t equals = preference.find('=');
    if (equals == preference.npos) return std::nullopt;
    if (!http::same_name(trimmed(preference.substr(0, equals)), "wait")) return std::nullopt;
    std::string_view value = trimmed(preference.substr(equals + 1));
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
    std::int64_t seconds = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (fault != std::errc() || end != value.data() + value.size()) return std::nullopt;
    if (seconds < 0 || seconds > longest_wait) return std::nullopt;
    return std::chrono::seconds(seconds);
}

}  // namespace

std::optional<std::chrono::seconds> preferred_wait(const http::RequestHead& head)
{
    for (const http::Field& field : head.fields) {
        if (!http::same_name(field.name, "prefer")) continue;
        for (std::string_view rest = field.value; !rest.empty();) {
            const std::size_t comma = rest.find(',');
            if (const auto wait = wait_in(rest.substr(0, comma))) return wait;
            rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
        }
    }
    return std::nullopt;
}

}  // namespace parley::api
