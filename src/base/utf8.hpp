// Checks whether bytes from outside are valid UTF-8. Well-formed means as Unicode defines it:
// nothing overlong, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace parley::utf8 {

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;  // 0: the text is empty, or does not begin with a well-formed character.
};

Character first(std::string_view text);

bool valid(std::string_view text);

// How many characters a well-formed text has.
std::size_t count(std::string_view text);

// The same text, with U+FFFD for each byte that belongs to no well-formed character.
std::string repaired(std::string_view text);

// The longest beginning of at most `bytes` bytes that does not split a character.
std::string_view cut(std::string_view text, std::size_t bytes);

}  // namespace parley::utf8
