// ASCII letters, independent of the locale: names of header fields, schemes and keywords are
// compared without case.
#pragma once

#include <string>
#include <string_view>

namespace parley::ascii {

constexpr char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

inline std::string lower(std::string_view text)
{
    std::string small(text);
    for (char& letter : small) letter = lower(letter);
    return small;
}

}  // namespace parley::ascii
