// The names of things: "req_" and so on, then 8 characters of time and 18 that nobody can guess
// (107 bits). Ids of one kind sort by the millisecond in which they were made.
#pragma once

#include "base/clock.hpp"

#include <string>
#include <string_view>

namespace parley {

inline constexpr std::size_t max_id_length = 40;

// `prefix` has no underscore at its end, and 13 characters at most (std::logic_error).
std::string new_id(std::string_view prefix, TimePoint now);

}  // namespace parley
