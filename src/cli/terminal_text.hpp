// Text of others on a terminal: a terminal obeys control characters, so these are escaped. Quotes,
// backslashes and joined emoji stay as they are, unlike with visible(): answers are full of them.
#pragma once

#include <string>
#include <string_view>

namespace parley::cli {

// Line breaks and tabs stay. Characters that change the direction of the text around them, and
// bytes that are no UTF-8, are escaped like control characters.
std::string for_terminal(std::string_view text);

}  // namespace parley::cli
