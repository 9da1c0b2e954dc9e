// Encrypts secrets before they are stored (XChaCha20-Poly1305), so that a copy of the table is not
// enough to use them. A sealed secret is bound to the id of its owner.
//
// Threads: from any thread.
#pragma once

#include "base/error.hpp"
#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace parley {

class Sealer {
public:
    // `key`: any bytes. Another purpose gives another key.
    Sealer(const Secret& key, std::string_view purpose);

    std::string seal(std::string_view id, const Secret& secret) const;

    // Fails with internal if it was sealed with another key or for another id.
    Result<Secret> open(std::string_view id, std::string_view sealed) const;

private:
    Secret key_;
};

}  // namespace parley
