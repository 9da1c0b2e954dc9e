// Translates the steps of the schema (store/sql/schema.hpp) from SQLite's dialect:
// - INTEGER becomes bigint. TEXT and BLOB become bytea: text would refuse U+0000, compare by a
//   collation that an update of the system can change, and depend on the database's encoding.
// - INTEGER PRIMARY KEY becomes an identity column. SQLite appends this column to every index of
//   its table, and lists are read in that order, so it is appended here, too.
// - An index of a column that may be too long for a B-tree becomes a hash index.
// - CHECK goes: PostgreSQL parses the stored text of each one for every INSERT and UPDATE. SQLite
//   checks the same use cases.
// - PRAGMA, STRICT and WITHOUT ROWID go; the column name user is quoted.
//
// Threads: an object belongs to one thread.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace parley::store::postgres {

class SchemaDialect {
public:
    // The statements of the next step. To be called for all steps in order, since an index needs to
    // know its table.
    std::vector<std::string> translate(std::string_view step);

private:
    std::string statement(const std::string& text);

    std::map<std::string, std::string> row_numbers_;  // The identity column of each table.
};

// The functions of SQLite that queries and steps use, for a new database.
std::vector<std::string> functions_of_sqlite();

}  // namespace parley::store::postgres
