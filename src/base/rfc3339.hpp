// Times such as "2026-01-31T09:30:00.000Z" (clock.hpp writes one), read also with another offset
// from UTC and any number of decimals, rounded down to milliseconds.
#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley {

// Nothing if the text is not such a time, or the date does not exist. A leap second counts as the
// second after it.
std::optional<TimePoint> parse_rfc3339(std::string_view text);

// The text of a time that may be absent.
inline std::optional<std::string> rfc3339(const std::optional<TimePoint>& time)
{
    if (!time) return std::nullopt;
    return rfc3339(*time);
}

}  // namespace parley
