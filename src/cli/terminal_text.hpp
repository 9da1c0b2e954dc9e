// Prints untrusted text on a terminal: control characters are escaped, because a terminal obeys
// them. Quotes, backslashes and joined emoji stay as they are, unlike with escape_control():
// answers are full of them.
#pragma once

#include <string>
#include <string_view>

namespace parley::cli {

// Line breaks and tabs stay. Characters that change the direction of the text around them, and
// bytes that are no UTF-8, are escaped like control characters.
std::string for_terminal(std::string_view text);

}  // namespace parley::cli
