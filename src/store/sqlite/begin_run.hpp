// How a run begins: the largest of the use cases, with a file of its own.
#pragma once

#include "store/runs.hpp"
#include "store/sqlite/database.hpp"

namespace parley::store::sqlite {

// As Runs::begin_run says.
Result<BegunRun> begin(Database& database, const NewRun& wanted);

}  // namespace parley::store::sqlite
