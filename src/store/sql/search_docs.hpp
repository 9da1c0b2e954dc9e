// The numbers of messages in the index: they grow with the time of the message. Messages of the
// same millisecond have numbers one after another, in the order in which they were indexed; if
// there are more than a millisecond has numbers for, they take those of the next one.
#pragma once

#include "base/clock.hpp"
#include "store/sql/time.hpp"

#include <algorithm>
#include <cstdint>

namespace parley::store::sql {

inline constexpr int doc_bits = 10;
// Times of imported messages may be any: those before 1970 and after 2100 are not in order.
inline constexpr std::int64_t last_ordered_ms = (std::int64_t{1} << 42) - 1;

inline std::int64_t first_doc_of_ms(std::int64_t ms)
{
    return std::clamp<std::int64_t>(ms, 0, last_ordered_ms) << doc_bits;
}
inline std::int64_t first_doc_at(TimePoint time) { return first_doc_of_ms(to_ms(time)); }

// Behind all numbers of the millisecond that a number belongs to.
inline std::int64_t end_of_ms(std::int64_t doc) { return ((doc >> doc_bits) + 1) << doc_bits; }

// Behind the messages of this time, also if many are of the same millisecond.
inline std::int64_t first_doc_after(TimePoint time)
{
    constexpr std::int64_t most_crowded_ms = 60'000;
    return ((first_doc_at(time) >> doc_bits) + most_crowded_ms + 1) << doc_bits;
}

}  // namespace parley::store::sql
