// The use case that begins a run.
#pragma once

#include "store/runs.hpp"
#include "store/sql/connection.hpp"

namespace parley::store::sql {

// As Runs::begin_run says.
Result<BegunRun> begin(Connection& connection, const NewRun& wanted);

// As Runs::find_replay says.
Result<std::optional<RunWithMessages>> find_replay(Connection& connection, const Owner& owner,
                                                   const KeyClaim& claim);

}  // namespace parley::store::sql
