// Lengths of time as people type them: "90d", "12h", "30m".
#pragma once

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace parley::cli {

// Nothing if the text is no such length, or one of more than a hundred years.
inline std::optional<std::chrono::seconds> read_duration(std::string_view text)
{
    std::int64_t count = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
    const std::string_view unit(end, static_cast<std::size_t>(last - end));
    const std::int64_t seconds = unit == "d" ? 86'400 : unit == "h" ? 3600 : unit == "m" ? 60 : 0;
    constexpr std::int64_t longest_in_seconds = std::int64_t{100} * 366 * 86'400;
    if (failure != std::errc() || seconds == 0 || count < 1 || count > longest_in_seconds / seconds)
        return std::nullopt;
    return std::chrono::seconds(count * seconds);
}

}  // namespace parley::cli
