// Looks at a database before anything is written to it. What is damaged, of a newer Parley or not a
// database of Parley's is refused, with one sentence, and left as it was.
#pragma once

#include "store/sqlite/database.hpp"
#include "store/sqlite/options.hpp"

#include <cstdint>

namespace parley::store::sqlite {

// What was found in a database file that can be used.
struct Found {
    std::int64_t version = 0;  // 0: nothing is in it yet.
};

// The name of a database or backup while it is being written: it gets its own once it is complete.
std::filesystem::path unfinished(const std::filesystem::path& file);

// Reads every page (PRAGMA quick_check), which takes long for a large file: progress is logged.
// Changes nothing but SQLite's own lock file beside it. Fails with storage_unavailable.
Result<Found> examine(const std::filesystem::path& file, const char* vfs = nullptr);

// The connection that writes: makes the file (0600) where there is none, examines it, and brings
// its tables up to date. Fails with storage_unavailable.
Result<Database> open_for_writing(const Options& options);

// A connection to a database of its own that is nowhere else. Throws Failure.
Database open_in_memory();

}  // namespace parley::store::sqlite
