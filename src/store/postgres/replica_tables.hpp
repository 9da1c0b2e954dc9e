// The tables of servers that share a database (replicas).
//
//   replicas    each server process that joined; its incarnation is never used again. A fenced one
//               can change nothing any more.
//   run_events  the events of active runs, read by all servers (journal/postgres).
//   heard       changes that all servers must hear of: rights and deletions. Numbers are those of
//               the counter "heard", taken under its row lock: a sequence would commit out of
//               order, and a server would miss a number.
//   grown_logs  the event logs that a server has extended, by its number of the message; kept for
//               seconds.
#pragma once

#include <span>

namespace parley::store::postgres {

// Statements that create them, after the step of the schema for replicas.
std::span<const char* const> replica_tables();

// Runs that wait or have a place are counted often, and are few.
inline constexpr const char* index_of_active_runs =
    "CREATE INDEX active_runs ON runs (status, owner) WHERE completed_ms IS NULL";

}  // namespace parley::store::postgres
