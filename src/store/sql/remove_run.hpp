// Removal of a run with everything below it.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/event_log.hpp"

#include <string>

namespace parley::store::sql {

// As Runs::remove_run says.
Result<RemovedRun> remove(Connection& connection, const Owner& owner, const std::string& run,
                          const Occasion& occasion);

}  // namespace parley::store::sql
