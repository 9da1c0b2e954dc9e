// Encrypts the secrets of webhooks and hooks before they are stored (XChaCha20-Poly1305), so that a
// copy of the table is not enough to sign in the name of this server or of a sender. A sealed
// secret is bound to its webhook or hook.
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace parley::webhook {

class Sealer {
public:
    // Any bytes; a key is derived from them.
    explicit Sealer(const Secret& key);

    std::string seal(std::string_view id, const Secret& secret) const;

    // Fails with internal if it was sealed with another key or for another id.
    Result<Secret> open(std::string_view id, std::string_view sealed) const;

private:
    Secret key_;
};

}  // namespace parley::webhook
