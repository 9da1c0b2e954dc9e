#include "store/sql/abandoned_runs.hpp"

namespace parley::store::sql {
namespace {

struct AbandonedColumns {
    const Statement* in;
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::string> run{*in, "run"};
};

}  // namespace

// A newer row replaces only runs that began before it was entered, under the current `overlap`: it
// may have been another one before, and an older row may have been tried again.
Result<std::vector<Ledger::RunOf>> runs_to_cancel(Connection& connection)
{
    Query select = connection.query(
        "SELECT automations.user AS of_user, automations.test, attempts.run"
        " FROM automation_runs AS older INDEXED BY running_rows"
        " CROSS JOIN automations ON automations.position = older.automation"
        " CROSS JOIN attempts ON attempts.row = older.position AND attempts.completed_ms IS NULL"
        " WHERE older.status = 'running' AND (automations.removed = 1"
        " OR (automations.overlap = 'cancel' AND EXISTS"
        " (SELECT 1 FROM automation_runs AS newer INDEXED BY unfinished_rows"
        " WHERE newer.automation = older.automation"
        " AND newer.status IN ('queued', 'running', 'waiting')"
        " AND newer.position > older.position AND newer.revision = automations.revision"
        " AND newer.created_ms >= coalesce(attempts.clock_ms, attempts.started_ms)"
        " AND (newer.batch IS NULL OR older.batch IS NULL OR newer.batch <> older.batch))))");
    std::vector<Ledger::RunOf> runs;
    while (select.next()) {
        const auto& at = select.columns<AbandonedColumns>();
        runs.push_back({{select[at.user], select[at.test]}, select[at.run]});
    }
    return runs;
}

}  // namespace parley::store::sql
