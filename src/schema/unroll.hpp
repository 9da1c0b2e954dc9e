// Copies a schema without recursion: references are followed as deep as an answer may be nested.
// Choices that would need more levels are removed.
#pragma once

#include "schema/schema.hpp"

#include <optional>

namespace parley::schema {

// Nothing if every value is nested too deeply, or if the copy would be too large.
std::optional<Schema> unrolled(const Schema& schema);

}  // namespace parley::schema
