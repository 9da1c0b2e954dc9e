// Runs of automations that are to be cancelled, and may not know it after a crash.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/connection.hpp"

#include <vector>

namespace parley::store::sql {

// As Ledger::abandoned_runs().
Result<std::vector<Ledger::RunOf>> runs_to_cancel(Connection& connection);

}  // namespace parley::store::sql
