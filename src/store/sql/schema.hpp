// The schema, as numbered migrations from any earlier version to this one. A released migration is
// never changed: later changes are new migrations.
//
// The steps are declared once, in SQLite's dialect. Other drivers translate them
// (store/postgres/schema_dialect.hpp), so a step keeps to CREATE TABLE, CREATE INDEX, ADD COLUMN
// and plain statements. Servers of two versions may use one PostgreSQL database during an upgrade:
// a step from 9 on only adds, and a step that removes something raises oldest_program.
#pragma once

#include <cstdint>
#include <span>

namespace parley::store::sql {

// The first migration creates version 1 in an empty database, and so on.
std::span<const char* const> migrations();
inline std::int64_t newest_version() { return static_cast<std::int64_t>(migrations().size()); }

// A program that knows at least this version of the schema can use a database of the newest one.
inline constexpr std::int64_t oldest_program = 8;

}  // namespace parley::store::sql
