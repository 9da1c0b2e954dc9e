// Ids of objects: a prefix such as "req_", then 8 characters of time and 18 random ones (107 bits).
// Ids of one kind sort by the millisecond of their creation.
#pragma once

#include "base/clock.hpp"

#include <string>
#include <string_view>

namespace parley {

inline constexpr std::size_t max_id_length = 40;

// `prefix` has no underscore at its end, and 13 characters at most (std::logic_error).
std::string new_id(std::string_view prefix, TimePoint now);

}  // namespace parley
