// Attempts of the ledger's rows: runs that begin and end in the same transaction as their row.
#pragma once

#include "store/runs.hpp"
#include "store/sql/automation_rows.hpp"

#include <functional>

namespace parley::store::sql {

// Begins a run as an attempt, as Runs::begin_run says.
Result<BegunRun> begin_attempt(
    Connection& connection, const NewRun& wanted,
    const std::function<Result<BegunRun>(Connection&, const NewRun&)>& begin);

// The effects of the end of a run on its row.
struct SettledRow {
    RowEvents events = {};
    std::string automation = {};  // Empty: the run is no attempt, or its row is gone.
    std::int64_t depth = 0;       // The depth of the row.

    void add_to(std::vector<NewEvent>& to) const { events.add_to(to); }
    Cause cause_of(const Run& run) const;
};
SettledRow settle(Connection& connection, const Run& ended, const FinishedRun& finished);

// Counts a row that has failed; tells that this pauses the automation.
void note_failure(Connection& connection, const KeptRow& failed, TimePoint now, RowEvents& events);
// For a row that is tried again: it counts once, however often it fails.
void withdraw_failure(Connection& connection, const KeptRow& failed);

// Rows and automations that were in a session that is gone: what had not ended is cancelled.
RowEvents leave_session(Connection& connection, const std::string& session, TimePoint now);
using LostRows = RowEvents;

}  // namespace parley::store::sql
