// The store of a server on one machine: a SQLite database in the data directory, with a thread that
// writes and some that read.
#pragma once

#include "store/sqlite/options.hpp"
#include "store/store.hpp"

#include <memory>

namespace parley::store {

// Fails with storage_unavailable and a message for the operator: see sqlite/opening.hpp.
Result<std::unique_ptr<Store>> open_sqlite_store(const sqlite::Options& options);

}  // namespace parley::store
