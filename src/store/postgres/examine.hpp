// Looks at a PostgreSQL database without changing it, for `parley doctor`.
#pragma once

#include "store/postgres/options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::store::postgres {

struct Examined {
    std::string name;                  // Without user and password.
    std::string server_version;        // "15.4"
    std::int64_t schema = 0;           // 0: there is none yet.
    std::vector<std::string> dangers;  // Settings of the server with which data can be lost.
};

// Fails with storage_unavailable and a message for the operator.
Result<Examined> examine(const Options& options);

}  // namespace parley::store::postgres
