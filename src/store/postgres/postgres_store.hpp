// The store of servers that share a PostgreSQL database (store.url).
#pragma once

#include "store/postgres/options.hpp"
#include "store/store.hpp"

#include <memory>

namespace parley::store {

// Creates or updates the schema. Fails with a message for the operator, which never contains the
// password.
Result<std::unique_ptr<Store>> open_postgres_store(const postgres::Options& options);

}  // namespace parley::store
