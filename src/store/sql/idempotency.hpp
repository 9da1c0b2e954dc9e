// Keys of requests (store/idempotency.hpp), for the use cases that take one.
#pragma once

#include "store/key_rules.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

// Before a use case looks for a key that it may bind: two requests with one key must not both find
// it free.
void lock_key(Connection& connection, const Owner& owner, const KeyClaim& claim);

// What the key is bound to, also where that has another fingerprint; nothing where it is
// free, by its time or by a run that freed it.
std::optional<BoundKey> find_key(Connection& connection, const Owner& owner, const KeyClaim& claim);

// The same for a request that makes an object of this kind: see made_before().
Result<std::optional<std::string>> made_before(Connection& connection, const Owner& owner,
                                               const KeyClaim& claim, Keyed kind);

// The run that has freed the key, where it was asked with the same fingerprint.
std::optional<std::string> find_freed_run(Connection& connection, const Owner& owner,
                                          const KeyClaim& claim);

// Binds a key, which is locked and free, to what its request has made.
void bind_key(Connection& connection, const Owner& owner, const KeyClaim& claim, Keyed kind,
              const std::string& id);

// Forgets keys that have expired; gives how many there were.
std::size_t forget_keys(Connection& connection, TimePoint now, std::size_t most);

}  // namespace parley::store::sql
