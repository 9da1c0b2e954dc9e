// The format of tokens: pl + kind + _ + 32 random base62 characters + 6 of a checksum. With the
// checksum, a mistyped or invented token is refused without a look-up in the store; the 190 random
// bits before it are the secret.
#pragma once

#include "base/secret.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace parley::auth {

enum class TokenKind : char {
    personal = 'p',
    access = 's',   // Belongs to a login.
    refresh = 'r',  // Belongs to a login.
    client = 'c',   // May only log in and refresh.
    test = 't',     // Personal, always answered by the scripted model.
    hook = 'h',     // May only start one automation and read the runs that it started.
};

Secret new_token(TokenKind kind);

// Nothing if the text is not a token with a correct checksum.
std::optional<TokenKind> token_kind(std::string_view text);

// The SHA-256 of a token: stored instead of the token, and used to find it.
using TokenHash = std::array<unsigned char, 32>;
TokenHash hash_token(std::string_view text);

// "plp_…a1B2": enough to recognise a token, useless to others.
std::string token_hint(std::string_view text);

// The text with each token reduced to its hint: for addresses that are logged.
std::string without_tokens(std::string_view text);

}  // namespace parley::auth
