#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace parley::schema {

// The body of a grammar rule for the integers between both bounds, of up to 15 digits, without
// leading zeros and without "-0".
std::string integers_between(std::optional<std::int64_t> least, std::optional<std::int64_t> most);

}  // namespace parley::schema
