// The tables that are moved, as SQLite knows them.
#pragma once

#include "store/sqlite/database.hpp"

#include <memory>
#include <string>
#include <vector>

namespace parley::store::transfer {

enum class Kind { integer, text, blob };

struct Column {
    std::string name;
    Kind kind = Kind::blob;
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    bool never_reuses_numbers = false;  // AUTOINCREMENT.

    // "a", "b", …
    std::string list_of_columns() const;
};

// Without tables of SQLite itself, and without the index of words: each database has its own kind,
// and a server makes it from the messages.
std::vector<Table> tables_of(sqlite::Database& database);

// The counters without which a server makes the index of words anew.
inline constexpr const char* forget_index =
    "DELETE FROM counters WHERE name IN ('searchable', 'search_version', 'search_index')";

std::unique_ptr<sqlite::SqliteStatement> prepared(sqlite::Database& database,
                                                  const std::string& sql);

std::string quoted(const std::string& name);

// Whether a column is not copied: the server that executes a run is another one after the move.
bool is_left_out(const Table& table, const Column& column);

}  // namespace parley::store::transfer
