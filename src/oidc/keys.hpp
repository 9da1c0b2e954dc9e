// The public keys with which a provider signs ID tokens: its JSON Web Key Set (RFC 7517).
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"

#include <openssl/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::oidc {

// The others are refused: `none`, and HS256, whose key would be the client secret.
enum class Algorithm { rs256, es256 };

struct Key {
    std::string id;  // May be empty.
    Algorithm algorithm = Algorithm::rs256;
    std::shared_ptr<EVP_PKEY> key;
};

using Keys = std::vector<Key>;

// Keys of other kinds and for other purposes are left out: RSA from 2048 to 8192 bits and P-256
// remain. Fails with provider_error if the text is not a key set, or has no key that can be used.
Result<Keys> read_keys(std::string_view text);

bool verifies(const Key& key, std::string_view text, std::string_view signature);

}  // namespace parley::oidc
