// Keys of requests (store/idempotency.hpp) in SQLite, for the use cases that take one.
#pragma once

#include "store/chat_rules.hpp"
#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

// What the key is bound to, also where that has another fingerprint; nothing where it is free.
std::optional<BoundKey> find_key(Database& database, const Owner& owner, const KeyClaim& claim);

// Binds a key that is free.
void bind_key(Database& database, const Owner& owner, const KeyClaim& claim, const BoundKey& bound);

// Forgets keys that have expired; gives how many there were.
std::size_t forget_keys(Database& database, TimePoint now, std::size_t most);

}  // namespace parley::store::sqlite
