// Formats of strings: whether a text has one, its smallest text, and a grammar for it.
#pragma once

#include "schema/schema.hpp"

namespace parley::schema {

std::optional<Format> format_named(std::string_view name);
bool has_format(Format format, std::string_view text);
std::string_view smallest_of(Format format);

// The body of a grammar rule for the text between the quotes. The grammar cannot check leap years,
// so it never allows 29 February.
std::string_view grammar_of(Format format);

}  // namespace parley::schema
