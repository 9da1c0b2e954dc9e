// Rules for idempotency keys, shared by all stores.
#pragma once

#include "store/idempotency.hpp"
#include "store/refusals.hpp"

#include <optional>
#include <string>

namespace parley::store {

// The object of a key that has not expired.
struct BoundKey {
    Fingerprint fingerprint{};
    Keyed kind = Keyed::run;
    std::string id = {};
};

// The id of the object that an earlier request with this claim created; nothing if the key is free.
// Fails with idempotency_mismatch.
inline Result<std::optional<std::string>> made_before(const std::optional<BoundKey>& bound,
                                                      const KeyClaim& claim, Keyed kind)
{
    if (!bound) return std::optional<std::string>();
    if (bound->fingerprint != claim.fingerprint || bound->kind != kind)
        return key_is_bound_otherwise();
    return std::optional(bound->id);
}

}  // namespace parley::store
