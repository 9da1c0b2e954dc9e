#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::schema {

// A text as a grammar quotes it.
std::string quoted_literal(std::string_view text);

// The body of a grammar rule for these texts. A common beginning is written once, so that few
// alternatives are open at the same time.
std::string literals_grammar(std::vector<std::string> texts);

}  // namespace parley::schema
