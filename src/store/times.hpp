// Every store keeps times to the millisecond, the precision of the API.
#pragma once

#include "base/clock.hpp"

#include <optional>

namespace parley::store {

inline TimePoint to_the_millisecond(TimePoint time)
{
    return TimePoint(std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()));
}
inline std::optional<TimePoint> to_the_millisecond(const std::optional<TimePoint>& time)
{
    if (!time) return std::nullopt;
    return to_the_millisecond(*time);
}

inline bool has_expired(const std::optional<TimePoint>& expires_at, TimePoint now)
{
    return expires_at && *expires_at <= now;
}

}  // namespace parley::store
