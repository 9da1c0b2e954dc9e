#include "store/sql/automation_reads.hpp"

#include "fields/write.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/people.hpp"

// Without automations of owners with a test clock.
#define IN_REAL_TIME                                                 \
    "(automations.test = 0 OR NOT EXISTS (SELECT 1 FROM test_clocks" \
    " WHERE test_clocks.user = automations.user))"

namespace parley::store::sql {
namespace {

struct DisabledColumn {
    const Statement* in;
    Column<bool> disabled{*in, "disabled"};
};

struct OwnerColumns {
    const Statement* in;
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
};

std::vector<DueAutomation> due_rows(Query& select)
{
    std::vector<DueAutomation> due;
    while (select.next())
        due.push_back({scheduled_automation_of(select).automation,
                       select[select.columns<DisabledColumn>().disabled]});
    return due;
}

AutomationPage page_of(Connection& connection, Query& select, std::size_t limit)
{
    return roomy_page_of<Automation>(
        select, limit, [&](const Query& row) { return automation_of(connection, row).automation; },
        [](const Automation& item) { return json::quoted_size(item.definition); });
}

}  // namespace

Result<AutomationPage> page_after(Connection& connection, const Owner& owner,
                                  const AutomationFilter& filter, Automations::Position after,
                                  std::size_t limit)
{
    std::optional<std::string_view> state;
    if (filter.state) state = fields::name_of(*filter.state);
    Query select = connection.query(
        "SELECT automations.position AS page_position, " AUTOMATION_COLUMNS
        " FROM automations INDEXED BY automations_of_user" JOIN_DEFINITION
        " WHERE automations.user = ?1 AND automations.test = ?2 AND automations.position < ?3"
        " AND (?4 IS NULL OR automations.state = ?4)"
        " AND (?5 = '' OR instr(automations.name_key, ?5) > 0)"
        " ORDER BY automations.position DESC LIMIT ?6");
    select.bind(owner.user, owner.test, after, state, filter.name_part,
                static_cast<std::int64_t>(limit + 1));  // One more: is there a next page?
    return page_of(connection, select, limit);
}

Result<std::vector<DueAutomation>> due_until(Connection& connection, TimePoint until,
                                             std::size_t most)
{
    Query select =
        connection.query("SELECT users.disabled, " AUTOMATION_COLUMNS
                         " FROM automations INDEXED BY due_automations" JOIN_DEFINITION
                         " CROSS JOIN users ON users.id = automations.user"
                         " WHERE automations.state = 'active' AND automations.next_ms <= ?1"
                         " AND " IN_REAL_TIME " ORDER BY automations.next_ms LIMIT ?2");
    select.bind(until, at_most(most));
    return due_rows(select);
}

Result<std::vector<Owner>> owners_that_listen(Connection& connection)
{
    Query select = connection.query(
        "SELECT DISTINCT automations.user AS of_user, test"
        " FROM automations INDEXED BY listening_automations"
        " WHERE state = 'active' AND listens = 1");
    std::vector<Owner> owners;
    while (select.next()) {
        const auto& at = select.columns<OwnerColumns>();
        owners.push_back({select[at.user], select[at.test]});
    }
    return owners;
}

Result<std::vector<DueAutomation>> listeners_of(Connection& connection, const Owner& owner)
{
    Query select =
        connection.query("SELECT users.disabled, " AUTOMATION_COLUMNS
                         " FROM automations INDEXED BY listening_automations" JOIN_DEFINITION
                         " CROSS JOIN users ON users.id = automations.user"
                         " WHERE automations.state = 'active' AND automations.listens = 1"
                         " AND automations.user = ?1 AND automations.test = ?2"
                         " ORDER BY automations.position");
    select.bind(owner.user, owner.test);
    return due_rows(select);
}

Result<std::optional<TimePoint>> first_due(Connection& connection)
{
    Query select = connection.query(
        "SELECT next_ms FROM automations INDEXED BY due_automations"
        " WHERE state = 'active' AND next_ms IS NOT NULL AND " IN_REAL_TIME
        " ORDER BY next_ms LIMIT 1");
    if (!select.next()) return std::optional<TimePoint>();
    return std::optional(select.only<TimePoint>());
}

// The sum keeps SQLite from the index by time, from which each page would have to be sorted.
Result<AutomationPage> scheduled_after(Connection& connection, Automations::Position after,
                                       std::size_t limit)
{
    Query select = connection.query(
        "SELECT automations.position AS page_position, " AUTOMATION_COLUMNS
        " FROM automations" JOIN_DEFINITION
        " WHERE automations.position > ?1 AND automations.state = 'active'"
        " AND automations.next_ms + 0 IS NOT NULL ORDER BY automations.position LIMIT ?2");
    select.bind(after, static_cast<std::int64_t>(limit + 1));  // One more: is there a next page?
    return page_of(connection, select, limit);
}

}  // namespace parley::store::sql
