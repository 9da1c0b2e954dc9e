// Times are stored as milliseconds since 1970, the precision of the API.
#pragma once

#include "base/clock.hpp"

#include <cstdint>

namespace parley::store::sql {

inline std::int64_t to_ms(TimePoint time)
{
    return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}
inline TimePoint from_ms(std::int64_t ms) { return TimePoint(std::chrono::milliseconds(ms)); }

}  // namespace parley::store::sql
