#include "base/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace parley::utf8 {
namespace {

constexpr bool continues(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Whether the first eight bytes are ASCII; there must be as many.
bool starts_with_ascii(std::string_view text)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data(), sizeof(bytes));
    return (bytes & 0x8080808080808080U) == 0;
}

}  // namespace

Character first(std::string_view text)
{
    if (text.empty()) return {};
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {lead, 1};

    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
    char32_t code = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if (!continues(next)) return {};
        code = code << 6U | (next & 0x3FU);
    }
    const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (overlong || surrogate || code > 0x10FFFF) return {};
    return {code, bytes};
}

bool valid(std::string_view text)
{
    while (true) {
        while (text.size() >= sizeof(std::uint64_t) && starts_with_ascii(text))
            text.remove_prefix(sizeof(std::uint64_t));
        if (text.empty()) return true;
        const Character character = first(text);
        if (character.bytes == 0) return false;
        text.remove_prefix(character.bytes);
    }
}

std::size_t count(std::string_view text)
{
    std::size_t characters = 0;
    for (const char byte : text) characters += !continues(static_cast<unsigned char>(byte));
    return characters;
}

std::string repaired(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t bytes = first(text).bytes;
        out += bytes > 0 ? text.substr(0, bytes) : "\xEF\xBF\xBD";
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return out;
}

std::string_view cut(std::string_view text, std::size_t bytes)
{
    if (text.size() <= bytes) return text;
    while (bytes > 0 && continues(static_cast<unsigned char>(text[bytes]))) --bytes;
    return text.substr(0, bytes);
}

}  // namespace parley::utf8
