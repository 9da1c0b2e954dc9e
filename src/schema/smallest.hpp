#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

// Schemas whose smallest value takes more are refused: few lines can ask for gigabytes.
inline constexpr std::size_t max_smallest_bytes = std::size_t{256} * 1024;

// Nothing where no value ends, or only one that is too large.
std::optional<std::string> smallest_if_any(const Schema& schema);

}  // namespace parley::schema
