// Lists of runs.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

using RunPage = Page<RunWithMessages, Runs::Position>;

// As Runs::list_runs says.
Result<RunPage> page_of_runs(Connection& connection, const Owner& owner, const RunFilter& filter,
                             std::optional<Runs::Position> after, std::size_t limit);

}  // namespace parley::store::sql
