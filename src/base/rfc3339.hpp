// Reads times as they travel: "2026-01-31T09:30:00.000Z", also with another offset from UTC and any
// number of decimals, of which milliseconds are kept.
#pragma once

#include "base/clock.hpp"

#include <optional>
#include <string_view>

namespace parley {

// Nothing where the text is no such time, or no day of the calendar. A leap second counts as the
// second after it.
std::optional<TimePoint> parse_rfc3339(std::string_view text);

}  // namespace parley
