// Copies of a whole database: made while others write, and restored if there is no database.
#pragma once

#include "base/error.hpp"
#include "store/sqlite/database.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace parley::store::sqlite {

// Writes the current content of `source` to `file`, which must not exist, with mode 0600, synced.
// Leaves nothing behind if it fails, or if `stop` becomes true; if the process is killed, FILE.part
// remains, which the next backup overwrites. Returns the size in bytes.
Result<std::uint64_t> copy_database(Database& source, const std::filesystem::path& file,
                                    const std::atomic<bool>& stop);

// Checks a backup and copies it to a database file that does not exist yet. The backup is not
// changed.
Result<std::uint64_t> restore_database(const std::filesystem::path& backup,
                                       const std::filesystem::path& file);

}  // namespace parley::store::sqlite
