// Lists of runs in SQLite.
#pragma once

#include "store/runs.hpp"
#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

using RunPage = Page<RunWithMessages, Runs::Position>;

// As Runs::list_runs says.
Result<RunPage> page_of_runs(Database& database, const Owner& owner, const RunFilter& filter,
                             std::optional<Runs::Position> after, std::size_t limit);

}  // namespace parley::store::sqlite
