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

// `max_attempts` is 0 in rows that were marked as cancelled.
Result<std::vector<Ledger::RunOf>> runs_to_cancel(Connection& connection)
{
    Query select = connection.query(
        "SELECT automations.user AS of_user, automations.test, attempts.run"
        " FROM automation_runs INDEXED BY running_rows"
        " CROSS JOIN automations ON automations.position = automation_runs.automation"
        " CROSS JOIN attempts ON attempts.row = automation_runs.position"
        " AND attempts.completed_ms IS NULL"
        " WHERE automation_runs.status = 'running'"
        " AND (automations.removed = 1 OR automation_runs.max_attempts = 0)");
    std::vector<Ledger::RunOf> runs;
    while (select.next()) {
        const auto& at = select.columns<AbandonedColumns>();
        runs.push_back({{select[at.user], select[at.test]}, select[at.run]});
    }
    return runs;
}

}  // namespace parley::store::sql
