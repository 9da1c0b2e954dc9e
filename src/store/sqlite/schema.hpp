// The tables, as numbered steps that bring a database of any earlier version to this one. A step
// that was released is never changed: what follows is a new step.
#pragma once

#include "store/sqlite/database.hpp"

#include <span>

namespace parley::store::sqlite {

// "Parl": says whose file it is.
inline constexpr std::int64_t application_id = 0x5061726c;

// The first step makes version 1 of an empty database, and so on.
std::span<const char* const> migrations();
inline std::int64_t newest_version() { return static_cast<std::int64_t>(migrations().size()); }

// Does the steps that are missing, each in a transaction with its number.
void migrate(Database& database);

}  // namespace parley::store::sqlite
