#include "api/prefer.hpp"

#include "api/field_value.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>

namespace parley::api {
namespace {

constexpr std::int64_t longest_wait = 86'400;

std::optional<std::chrono::seconds> seconds_of(std::string_view value)
{
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
        for (std::string_view preferences = field.value; !preferences.empty();) {
            std::string_view preference = take_until(',', preferences);
            const FieldParameter named = take_parameter(preference);
            if (!http::same_name(named.name, "wait")) continue;
            if (const auto wait = seconds_of(named.value)) return wait;
        }
    }
    return std::nullopt;
}

}  // namespace parley::api
