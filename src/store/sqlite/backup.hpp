// Copies of a whole database: made while others write, and put back where there is none.
#pragma once

#include "base/error.hpp"
#include "store/sqlite/database.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace parley::store::sqlite {

// Writes what `source` sees at this moment to `file`, which must not exist, with mode 0600, synced.
// Leaves nothing behind where it fails, or where `stop` becomes true; where the process is killed,
// FILE.part, which the next one writes over. Gives the size in bytes.
Result<std::uint64_t> copy_database(Database& source, const std::filesystem::path& file,
                                    const std::atomic<bool>& stop);

// Puts a backup in the place of a database that does not exist yet, after examining it. The backup
// stays as it is.
Result<std::uint64_t> restore_database(const std::filesystem::path& backup,
                                       const std::filesystem::path& file);

}  // namespace parley::store::sqlite
