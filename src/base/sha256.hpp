// SHA-256 of a text.
#pragma once

#include <sodium.h>

#include <array>
#include <string_view>

namespace parley {

using Sha256 = std::array<unsigned char, crypto_hash_sha256_BYTES>;

inline Sha256 sha256(std::string_view text)
{
    Sha256 hash{};
    crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(text.data()),
                       text.size());
    return hash;
}

}  // namespace parley
