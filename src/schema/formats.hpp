// Formats of strings: whether a text has one, its smallest text, and a grammar for it.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

std::optional<Format> format_named(std::string_view name);
bool has_format(Format format, std::string_view text);
std::string_view smallest_of(Format format);

// A rule's body for what stands between the quotes. Years of 29 February are not told apart, so
// that day is never written.
std::string_view grammar_of(Format format);

}  // namespace parley::schema
