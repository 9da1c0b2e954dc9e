// Numbers in letters and digits. The alphabet is in the order of ASCII, so texts of equal width
// sort as their numbers do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

inline constexpr std::string_view base62_alphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Most significant digit first, padded with zeros; only the last `width` digits of a larger number.
inline void append_base62(std::string& out, std::uint64_t number, std::size_t width)
{
    out.append(width, '0');
    for (std::size_t at = out.size(); width-- > 0; number /= 62)
        out[--at] = base62_alphabet[number % 62];
}

}  // namespace parley
