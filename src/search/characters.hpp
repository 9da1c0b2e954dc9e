// The kinds of characters that the search knows, and texts without case and accents.
#pragma once

#include <string>
#include <string_view>

namespace parley::search {

enum class Kind {
    separator,
    letter,    // Part of a word; digits and marks, too.
    unspaced,  // A letter of a script that is written without spaces.
    symbol,    // A word by itself: emoji and others.
    joiner,    // Invisible inside of a word: soft hyphens and the like.
};
Kind kind_of(char32_t code);

// Changes the character before it.
bool is_mark(char32_t code);

// Letters of a text without case and accents, composed (NFKC). Other characters are left out. The
// text must be valid UTF-8, and short: the time grows with the square of the number of marks.
std::string folded(std::string_view text);

// The same for one symbol, which stays what it is if it does not consist of letters ("№" does).
std::string folded_symbol(std::string_view symbol);

std::string unicode_version();

}  // namespace parley::search
