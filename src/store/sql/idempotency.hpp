// Idempotency keys (store/idempotency.hpp), for the use cases that take one.
#pragma once

#include "store/key_rules.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

// To be called before a key is looked up and bound: two requests with one key must not both find it
// free.
void lock_key(Connection& connection, const Owner& owner, const KeyClaim& claim);

// The object of the key, also if the fingerprint differs; nothing if the key is free, because it
// has expired or a run has freed it.
std::optional<BoundKey> find_key(Connection& connection, const Owner& owner, const KeyClaim& claim);

// The same for a request that creates an object of this kind: see made_before().
Result<std::optional<std::string>> made_before(Connection& connection, const Owner& owner,
                                               const KeyClaim& claim, Keyed kind);

// The run that has freed the key, if the fingerprint is the same.
std::optional<std::string> find_freed_run(Connection& connection, const Owner& owner,
                                          const KeyClaim& claim);

// Binds a key, which must be locked and free, to the object that its request created.
void bind_key(Connection& connection, const Owner& owner, const KeyClaim& claim, Keyed kind,
              const std::string& id);

// Removes expired keys; returns their number.
std::size_t forget_keys(Connection& connection, TimePoint now, std::size_t most);

}  // namespace parley::store::sql
