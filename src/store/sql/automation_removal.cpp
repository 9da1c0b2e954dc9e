#include "store/sql/automation_removal.hpp"

#include "store/ledger_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/hook_rows.hpp"
#include "store/sql/people.hpp"
#include "store/times.hpp"

// Attempts of the last minute count for limits.automation (attempts.cpp), also if their automation
// was removed: otherwise a user would pass the limit by deleting it. ?1 and ?2: the time in which
// they count.
#define COUNTS "attempts.started_ms > ?1 AND attempts.started_ms < ?2"

namespace parley::store::sql {
namespace {

std::vector<std::string> active_attempts(Connection& connection, std::int64_t automation)
{
    Query select = connection.query(
        "SELECT run FROM attempts INDEXED BY attempts_by_start"
        " WHERE automation = ?1 AND completed_ms IS NULL");
    return select.bind(automation).texts();
}

// Without its definitions, neither it nor its rows are found.
void hide(Connection& connection, std::int64_t position)
{
    Query update = connection.query(
        "UPDATE automations SET removed = 1, state = 'ended', next_ms = NULL, listens = 0,"
        " session = NULL WHERE position = ?1");
    update.bind(position).run();
    save_hook(connection, position, std::nullopt);
    connection.query("DELETE FROM automation_definitions WHERE automation = ?1")
        .bind(position)
        .run();
}

// The first one of which something can be deleted: all of it, or rows whose attempts do not count,
// as none in test mode does.
std::optional<std::int64_t> first_removed(Connection& connection, TimePoint now)
{
    Query select = connection.query(
        "SELECT position FROM automations INDEXED BY removed_automations WHERE removed = 1"
        " AND (test = 1 OR NOT EXISTS (SELECT 1 FROM attempts INDEXED BY attempts_by_start"
        " WHERE attempts.automation = automations.position AND " COUNTS
        ") OR EXISTS (SELECT 1 FROM automation_runs INDEXED BY rows_of_automation"
        " WHERE automation_runs.automation = automations.position AND NOT EXISTS"
        " (SELECT 1 FROM attempts WHERE attempts.row = automation_runs.position AND " COUNTS
        "))) ORDER BY position LIMIT 1");
    if (!select.bind(now - window_of_starts, now + window_of_starts).next()) return std::nullopt;
    return select.only<std::int64_t>();
}

}  // namespace

Result<std::vector<std::string>> remove_automation(Connection& connection, const Owner& owner,
                                                   const std::string& id,
                                                   std::optional<std::int64_t> expected,
                                                   TimePoint now, const Cause& cause,
                                                   std::optional<AuditEvent> audit)
{
    connection.lock(Lock::automation, {id});
    const auto found = find_automation(connection, owner, id);
    if (!found) return not_found("The automation");
    if (expected && *expected != found->automation.revision) return automation_was_changed();
    if (found->automation.hook && audit) {
        audit->target = found->automation.hook->id;
        if (auto noted = note(connection, audit); !noted) return noted.error();
    }
    auto runs = active_attempts(connection, found->position);
    hide(connection, found->position);
    record_events(connection, owner, {now, cause}, {{{EventType::automation_deleted, id}}});
    return runs;
}

Result<bool> has_removed(Connection& connection)
{
    return first_removed(connection, system_clock().now()).has_value();
}

Result<bool> delete_removed(Connection& connection, std::size_t most)
{
    const TimePoint now = system_clock().now();
    const auto position = first_removed(connection, now);
    if (!position) return false;
    Query rows = connection.query(
        "DELETE FROM automation_runs WHERE position IN (SELECT position FROM automation_runs"
        " INDEXED BY rows_of_automation WHERE automation = ?3 AND NOT EXISTS"
        " (SELECT 1 FROM attempts JOIN automations ON automations.position = attempts.automation"
        " WHERE attempts.row = automation_runs.position AND automations.test = 0 AND " COUNTS
        ") LIMIT ?4)");
    rows.bind(now - window_of_starts, now + window_of_starts, *position, at_most(most));
    const std::size_t deleted = rows.run();
    if (deleted == most) return true;
    Query automation = connection.query(
        "DELETE FROM automations WHERE position = ?1 AND NOT EXISTS (SELECT 1 FROM automation_runs"
        " INDEXED BY rows_of_automation WHERE automation_runs.automation = ?1)");
    automation.bind(*position).run();
    return first_removed(connection, now).has_value();
}

}  // namespace parley::store::sql
