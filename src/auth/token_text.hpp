// How a token looks: pl + kind + _ + 32 random base62 characters + 6 of a checksum.
// The checksum lets a mistyped or invented token be refused without a look at the store; what is
// secret are the 190 random bits before it.
#pragma once

#include "base/secret.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace parley::auth {

enum class TokenKind : char {
    personal = 'p',
    access = 's',   // Of a login.
    refresh = 'r',  // Of a login.
    client = 'c',   // May only log in and refresh.
    test = 't',     // Personal, always answered by the scripted model.
};

Secret new_token(TokenKind kind);

// Nothing where the text is not a token with a right checksum.
std::optional<TokenKind> token_kind(std::string_view text);

// What a store keeps of a token, and what it is found by: its SHA-256.
using TokenHash = std::array<unsigned char, 32>;
TokenHash hash_token(std::string_view text);

// "plp_…a1B2": enough to recognise a token by, of no use to anybody else.
std::string token_hint(std::string_view text);

// The text with all but the hint of each token in it left out: for addresses that are logged.
std::string without_tokens(std::string_view text);

}  // namespace parley::auth
