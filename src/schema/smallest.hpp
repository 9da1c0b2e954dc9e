#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

// Schemas with a larger smallest value are refused: a short schema can require gigabytes.
inline constexpr std::size_t max_smallest_bytes = std::size_t{256} * 1024;

// Nothing if there is no finite value, or only one that is too large.
std::optional<std::string> smallest_if_any(const Schema& schema);

}  // namespace parley::schema
