// What clients may attach to sessions and questions: a few texts of their own.
#pragma once

#include "base/field.hpp"

#include <map>
#include <string>

namespace parley::api {

using Metadata = std::map<std::string, std::string>;

// The rules of a field of that type.
inline constexpr auto metadata_size = wire::length(0, 16);
inline constexpr auto metadata_keys = wire::keys(wire::characters(1, 64));
inline constexpr auto metadata_values = wire::each(wire::characters(0, 512));

}  // namespace parley::api
