// Runs of automations that a crash kept from being cancelled.
#pragma once

#include "store/ledger.hpp"
#include "store/sql/connection.hpp"

#include <vector>

namespace parley::store::sql {

// As Ledger::abandoned_runs().
Result<std::vector<Ledger::RunOf>> runs_to_cancel(Connection& connection);

}  // namespace parley::store::sql
