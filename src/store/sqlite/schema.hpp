// The schema, as numbered migrations from any earlier version to this one. A released migration is
// never changed: later changes are new migrations.
#pragma once

#include "store/sqlite/database.hpp"

#include <span>

namespace parley::store::sqlite {

// "Parl": identifies a Parley database.
inline constexpr std::int64_t application_id = 0x5061726c;

// The first migration creates version 1 in an empty database, and so on.
std::span<const char* const> migrations();
inline std::int64_t newest_version() { return static_cast<std::int64_t>(migrations().size()); }

// Runs the missing migrations, each in a transaction with its number.
void migrate(Database& database);

}  // namespace parley::store::sqlite
