// Moves all data between a PostgreSQL database and a file. The file is a SQLite database with the
// same tables, which is what a backup of a server without PostgreSQL is: so a backup of either kind
// can be restored into either kind.
//
// Data of running servers stay behind: leases, rate limits, and the events of unfinished
// runs. Such runs start over, as after a restored backup of SQLite.
//
// Threads: any; each call has its own connections and takes long.
#pragma once

#include "base/error.hpp"
#include "store/postgres/options.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>

namespace parley::store::transfer {

// Writes the data of one moment to `file`, which must not exist, with mode 0600, synced; others may
// write meanwhile. Leaves nothing behind if it fails, or if `stop` becomes true. Returns the size
// in bytes.
Result<std::uint64_t> copy_to_file(const postgres::Options& database,
                                   const std::filesystem::path& file,
                                   const std::atomic<bool>& stop);

// Copies a backup of this version or an earlier one into a database without users, which gets the
// tables if it has none. `scratch` is a file that does not exist, for a copy of the backup. Refuses
// a database that a server uses. All or nothing.
Result<> copy_to_postgres(const std::filesystem::path& backup, const postgres::Options& database,
                          const std::filesystem::path& scratch);

}  // namespace parley::store::transfer
