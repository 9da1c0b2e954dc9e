// Keys by which a client can send a request again without doing it twice. A key is bound in the
// transaction of what it stands for, to a fingerprint of the request; each owner has keys of their
// own. It outlives what it was bound to, so that a retry never does anything twice.
//
// A use case that takes a claim: where the key is bound to the same fingerprint, it changes nothing
// and gives what the key was bound to (not_found where that was deleted since); where it is bound
// to another one, it fails with idempotency_mismatch. A key that has expired is free.
#pragma once

#include "base/clock.hpp"

#include <array>
#include <string>

namespace parley::store {

using Fingerprint = std::array<unsigned char, 32>;  // SHA-256.

struct KeyClaim {
    std::string key;
    Fingerprint fingerprint{};
    TimePoint now;
    TimePoint expires_at;
};

}  // namespace parley::store
