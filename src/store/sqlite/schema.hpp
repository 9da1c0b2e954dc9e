// Runs the migrations of the schema (store/sql/schema.hpp) on a SQLite database.
#pragma once

#include "store/sql/schema.hpp"
#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

// "Parl": identifies a Parley database.
inline constexpr std::int64_t application_id = 0x5061726c;

using sql::migrations;
using sql::newest_version;

// Also what only SQLite has of this step. Without a transaction of its own.
void apply_step(Database& database, const char* step);

// Runs the missing migrations, each in a transaction with its number.
void migrate(Database& database);

}  // namespace parley::store::sqlite
