#include "store/sql/chains.hpp"

#include "store/ledger_rules.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sql {

// An event about a row that has not begun has no automation as its cause: the row is its subject.
std::string root_of(Connection& connection, const Owner& owner, const HeardEvents& heard)
{
    Query select = connection.query(
        "SELECT coalesce(automation_runs.root, automation_runs.id) FROM events"
        " CROSS JOIN automation_runs ON automation_runs.id ="
        " CASE WHEN events.automation_run <> '' THEN events.automation_run ELSE events.subject END"
        " WHERE events.owner = ?1 AND events.number = ?2");
    select.bind(owner_number(connection, owner).value_or(0), heard.new_until);
    return select.next() ? select.only<std::string>() : heard.row->key;
}

NextRow next_row_of(Connection& connection, const std::string& root)
{
    {
        Query last = connection.query(
            "SELECT 1 FROM automation_runs INDEXED BY rows_of_root WHERE root = ?1"
            " LIMIT 1 OFFSET ?2");
        if (!last.bind(root, most_rows_of_root - 1).next()) return NextRow::due;
    }
    Query told = connection.query(
        "SELECT 1 FROM automation_runs INDEXED BY rows_of_root"
        " WHERE root = ?1 AND skip_reason = 'loop' LIMIT 1");
    return told.bind(root).next() ? NextRow::none : NextRow::skipped;
}

void set_root(Connection& connection, const std::string& row, const std::string& root)
{
    connection.query("UPDATE automation_runs SET root = ?2 WHERE id = ?1").bind(row, root).run();
}

}  // namespace parley::store::sql
