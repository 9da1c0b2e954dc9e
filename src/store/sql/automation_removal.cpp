#include "store/sql/automation_removal.hpp"

#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/hook_rows.hpp"
#include "store/sql/people.hpp"
#include "store/times.hpp"

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

std::optional<std::int64_t> first_removed(Connection& connection)
{
    Query select = connection.query(
        "SELECT position FROM automations INDEXED BY removed_automations WHERE removed = 1"
        " ORDER BY position LIMIT 1");
    if (!select.next()) return std::nullopt;
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
    tell(connection, owner, {now, cause}, {{{EventType::automation_deleted, id}}});
    return runs;
}

Result<bool> has_removed(Connection& connection) { return first_removed(connection).has_value(); }

Result<bool> delete_removed(Connection& connection, std::size_t most)
{
    const auto position = first_removed(connection);
    if (!position) return false;
    Query rows = connection.query(
        "DELETE FROM automation_runs WHERE position IN (SELECT position FROM automation_runs"
        " INDEXED BY rows_of_automation WHERE automation = ?1 LIMIT ?2)");
    const std::size_t deleted = rows.bind(*position, at_most(most)).run();
    if (deleted == most) return true;
    connection.query("DELETE FROM automations WHERE position = ?1").bind(*position).run();
    return first_removed(connection).has_value();
}

}  // namespace parley::store::sql
