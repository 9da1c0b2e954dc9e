// ASCII text, independent of the locale: names of header fields, schemes and keywords are
// compared without case, and values are read without the blanks around them.
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

constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t")
{
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace parley::ascii
