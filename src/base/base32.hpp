// Base32 in capital letters, without padding (RFC 4648, section 6).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

inline std::string base32(std::string_view bytes)
{
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    constexpr unsigned digit_bits = 5;
    std::string text;
    text.reserve((bytes.size() * 8 + digit_bits - 1) / digit_bits);
    std::uint32_t waiting = 0;  // Bits that are not written yet, at its end.
    unsigned count = 0;
    for (const char byte : bytes) {
        waiting = (waiting << 8 | static_cast<unsigned char>(byte)) & 0xfffU;
        for (count += 8; count >= digit_bits; count -= digit_bits)
            text += alphabet[waiting >> (count - digit_bits) & 31U];
    }
    if (count > 0) text += alphabet[waiting << (digit_bits - count) & 31U];
    return text;
}

}  // namespace parley
