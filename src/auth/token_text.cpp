#include "auth/token_text.hpp"

#include "base/base62.hpp"
#include "base/random.hpp"
#include "base/sha256.hpp"

#include <algorithm>
#include <string>
#include <zlib.h>

namespace parley::auth {
namespace {

constexpr std::string_view kinds = "psrcth";
constexpr std::size_t prefix_length = 4;
constexpr std::size_t random_length = 32;
constexpr std::size_t checksum_length = 6;
constexpr std::size_t token_length = prefix_length + random_length + checksum_length;

void append_checksum(std::string& out, std::string_view text)
{
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size()));
    append_base62(out, checksum, checksum_length);
}

}  // namespace

Secret new_token(TokenKind kind)
{
    std::string text = {'p', 'l', static_cast<char>(kind), '_'};
    text.reserve(token_length);
    append_random_base62(text, random_length);
    append_checksum(text, std::string(text));
    return Secret::taken_from(text);
}

std::optional<TokenKind> token_kind(std::string_view text)
{
    if (text.size() != token_length || !text.starts_with("pl") || text[3] != '_' ||
        kinds.find(text[2]) == kinds.npos ||
        text.find_first_not_of(base62_alphabet, prefix_length) != text.npos)
        return std::nullopt;
    std::string expected;
    append_checksum(expected, text.substr(0, token_length - checksum_length));
    if (!text.ends_with(expected)) return std::nullopt;
    return static_cast<TokenKind>(text[2]);
}

TokenHash hash_token(std::string_view text) { return sha256(text); }

std::string token_hint(std::string_view text)
{
    constexpr std::size_t shown_at_end = 4;
    if (text.size() < prefix_length + shown_at_end) return {};
    return std::string(text.substr(0, prefix_length))
        .append("…")
        .append(text.substr(text.size() - shown_at_end));
}

std::string without_tokens(std::string_view text)
{
    // Also removes texts that only look like a token: a typo must not expose the rest of it.
    constexpr std::size_t shortest = 16;
    std::string safe;
    while (!text.empty()) {
        const bool begins = text.size() > prefix_length && text.starts_with("pl") &&
                            kinds.find(text[2]) != kinds.npos && text[3] == '_';
        const std::size_t end =
            begins ? std::min(text.find_first_not_of(base62_alphabet, prefix_length), text.size())
                   : 0;
        if (end >= prefix_length + shortest) {
            safe.append(text.substr(0, prefix_length)).append("…");
            text.remove_prefix(end);
        } else {
            safe += text.front();
            text.remove_prefix(1);
        }
    }
    return safe;
}

}  // namespace parley::auth
