#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parley::schema {

// A rule's body for the integers between both, which are within 15 digits; nothing is written with
// leading zeros, and 0 without a sign.
std::string integers_between(std::optional<std::int64_t> least, std::optional<std::int64_t> most);

}  // namespace parley::schema
