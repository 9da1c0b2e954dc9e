// Removal of a run with everything below it.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"
#include "store/sql/event_log.hpp"

#include <string>

namespace parley::store::sql {

struct RunRemoval {
    RemovedRun removed = {};
    bool has_hidden = false;  // Rows of the session remain for delete_hidden().
};

// As Runs::remove_run says.
Result<RunRemoval> remove(Connection& connection, const Owner& owner, const std::string& run,
                          const Occasion& occasion);

}  // namespace parley::store::sql
