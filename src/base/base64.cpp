#include "base/base64.hpp"

#include <sodium.h>

#include <array>
#include <cstdint>

namespace parley {
namespace {

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t not_a_digit = 0x80000000U;

constexpr auto digit_values = [] {
    std::array<std::uint32_t, 256> table{};
    table.fill(not_a_digit);
    for (std::size_t i = 0; i < base64_digits.size(); ++i)
        table.at(static_cast<unsigned char>(base64_digits[i])) = static_cast<std::uint32_t>(i);
    return table;
}();

std::uint32_t value_of_digit(char digit) { return digit_values[static_cast<unsigned char>(digit)]; }

char low_byte(std::uint32_t bits) { return static_cast<char>(bits & 0xffU); }

}  // namespace

std::string base64(std::span<const unsigned char> bytes)
{
    std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(),
                      sodium_base64_VARIANT_ORIGINAL);
    text.pop_back();  // The final NUL of C.
    return text;
}

std::optional<std::string> base64_decoded(std::string_view text)
{
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && text.ends_with('=')) {
        text.remove_suffix(1);
        ++padding;
    }
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    const std::size_t whole = text.size() / 4 * 4;
    std::uint32_t wrong = 0;
    for (std::size_t i = 0; i < whole; i += 4) {
        const std::uint32_t a = value_of_digit(text[i]);
        const std::uint32_t b = value_of_digit(text[i + 1]);
        const std::uint32_t c = value_of_digit(text[i + 2]);
        const std::uint32_t d = value_of_digit(text[i + 3]);
        wrong |= a | b | c | d;
        const std::uint32_t bits = a << 18U | b << 12U | c << 6U | d;
        bytes += low_byte(bits >> 16U);
        bytes += low_byte(bits >> 8U);
        bytes += low_byte(bits);
    }
    if (padding > 0) {
        std::uint32_t bits = 0;
        for (const char digit : text.substr(whole)) {
            wrong |= value_of_digit(digit);
            bits = bits << 6U | value_of_digit(digit);
        }
        const std::uint32_t unused = padding == 1 ? 2U : 4U;
        if ((bits & ((1U << unused) - 1)) != 0) return std::nullopt;
        bits >>= unused;
        if (padding == 1) bytes += low_byte(bits >> 8U);
        bytes += low_byte(bits);
    }
    if ((wrong & not_a_digit) != 0) return std::nullopt;
    return bytes;
}

void append_base64(std::string& out, std::string_view bytes)
{
    out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
    const auto at = [&](std::size_t i) -> std::uint32_t {
        return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U;
    };
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t bits = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
        out += base64_digits[bits >> 18U];
        out += base64_digits[bits >> 12U & 63U];
        out += i + 1 < bytes.size() ? base64_digits[bits >> 6U & 63U] : '=';
        out += i + 2 < bytes.size() ? base64_digits[bits & 63U] : '=';
    }
}

}  // namespace parley
