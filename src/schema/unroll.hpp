// Copies a schema without recursion: references are followed as deep as an answer may be nested.
// Choices that would need more levels are removed.
#pragma once

#include "schema/schema.hpp"

#include <optional>

namespace parley::schema {

// The nodes that the copy has. Nothing if every value is nested too deeply, or if the copy would be
// too large. Counts them only, which is many times faster.
std::optional<std::size_t> unrolled_size(const Schema& schema);

// Nothing if unrolled_size() has none.
std::optional<Schema> unrolled(const Schema& schema);

}  // namespace parley::schema
