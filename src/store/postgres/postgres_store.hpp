// The store of servers that share a PostgreSQL database (store.url).
#pragma once

#include "store/postgres/options.hpp"
#include "store/store.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

namespace parley::store {

// Writes a backup to a file and returns its size, unless `stop` becomes true
// (store/transfer/transfer.hpp).
using MakeBackup = std::function<Result<std::uint64_t>(const postgres::Options& database,
                                                       const std::filesystem::path& file,
                                                       const std::atomic<bool>& stop)>;

// Creates or updates the schema. Fails with a message for the operator, which never contains the
// password. Without `back_up` there are no backups.
Result<std::unique_ptr<Store>> open_postgres_store(const postgres::Options& options,
                                                   MakeBackup back_up = {});

}  // namespace parley::store
