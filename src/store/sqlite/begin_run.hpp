// How a run begins: the largest of the use cases, with a file of its own.
#pragma once

#include "store/runs.hpp"
#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

// As Runs::begin_run says.
Result<BegunRun> begin(Database& database, const NewRun& wanted);

// As Runs::find_replay says.
Result<std::optional<RunWithMessages>> find_replay(Database& database, const Owner& owner,
                                                   const KeyClaim& claim);

}  // namespace parley::store::sqlite
