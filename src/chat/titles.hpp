// Titles of sessions: made from the first message, until a user sets one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace parley::chat {

// The beginning of a message on one line: white space and control characters become single spaces,
// and what is too long ends at a word, with an ellipsis.
std::string title_from(const std::vector<std::string>& parts);

// The title as it is searched: without case. `query` in ?q= is brought into the same form.
std::string title_key(std::string_view title);

}  // namespace parley::chat
