// Bytes as hexadecimal digits, and back.
#pragma once

#include <sodium.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parley {

inline std::string to_hex(std::span<const unsigned char> bytes)
{
    std::string digits(2 * bytes.size() + 1, '\0');
    sodium_bin2hex(digits.data(), digits.size(), bytes.data(), bytes.size());
    digits.pop_back();
    return digits;
}

// Nothing if it is not pairs of digits; case does not count.
inline std::optional<std::string> from_hex(std::string_view digits)
{
    std::string bytes(digits.size() / 2, '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    const int status = sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(),
                                      digits.data(), digits.size(), nullptr, &size, &end);
    if (status != 0 || end != digits.data() + digits.size()) return std::nullopt;
    return bytes;
}

}  // namespace parley
