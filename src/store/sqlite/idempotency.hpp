// Keys of requests (store/idempotency.hpp) in SQLite, for the use cases that take one.
#pragma once

#include "store/key_rules.hpp"
#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

// What the key is bound to, also where that has another fingerprint; nothing where it is
// free, by its time or by a run that freed it.
std::optional<BoundKey> find_key(Database& database, const Owner& owner, const KeyClaim& claim);

// The same for a request that makes an object of this kind: see made_before().
Result<std::optional<std::string>> made_before(Database& database, const Owner& owner,
                                               const KeyClaim& claim, Keyed kind);

// The run that has freed the key, where it was asked with the same fingerprint.
std::optional<std::string> find_freed_run(Database& database, const Owner& owner,
                                          const KeyClaim& claim);

// Binds a key that is free to what its request has made.
void bind_key(Database& database, const Owner& owner, const KeyClaim& claim, Keyed kind,
              const std::string& id);

// Forgets keys that have expired; gives how many there were.
std::size_t forget_keys(Database& database, TimePoint now, std::size_t most);

}  // namespace parley::store::sqlite
