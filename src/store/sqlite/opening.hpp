// Checks a database before anything is written to it. A file that is damaged, of a newer version or
// not a Parley database is refused with a message, and not changed.
#pragma once

#include "store/sqlite/database.hpp"
#include "store/sqlite/options.hpp"

#include <cstdint>

namespace parley::store::sqlite {

// The facts about a usable database file.
struct Found {
    std::int64_t version = 0;  // 0: it is empty.
};

// The name of a database or backup while it is being written; it is renamed once it is complete.
std::filesystem::path unfinished(const std::filesystem::path& file);

// Reads every page (PRAGMA quick_check), which takes long for a large file: progress is logged.
// Changes nothing but SQLite's own lock file beside it. Fails with storage_unavailable.
Result<Found> examine(const std::filesystem::path& file, const char* vfs = nullptr);

// The connection that writes: creates the file (0600) if it is missing, checks it, and migrates its
// schema. Fails with storage_unavailable.
Result<Database> open_for_writing(const Options& options);

// A connection to a new database in memory. Throws Failure.
Database open_in_memory();

}  // namespace parley::store::sqlite
