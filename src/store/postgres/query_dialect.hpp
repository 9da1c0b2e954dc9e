// Translates the SQL of store/sql (store/sql/connection.hpp) for PostgreSQL.
#pragma once

#include <string>
#include <string_view>

namespace parley::store::postgres {

// ?1 becomes $1, CROSS JOIN … ON becomes JOIN … ON, and INDEXED BY name goes.
std::string translated_query(std::string_view sql);

// The table of an INSERT; empty for other statements.
std::string_view table_of_insert(std::string_view sql);

}  // namespace parley::store::postgres
