#include "store/sql/ledger_reads.hpp"

#include "fields/write.hpp"
#include "store/sql/automation_rows.hpp"
#include "store/sql/people.hpp"
#include "store/sql/test_clocks.hpp"

#include <algorithm>
#include <array>
#include <charconv>

// The index is named: a page must not cost more because there are many other rows. All parameters
// stand in all of them, so that all are bound alike.
#define LIST_ROWS(index, condition)                                                          \
    "SELECT automation_runs.position AS page_position, " LEDGER_COLUMNS                      \
    " FROM automation_runs INDEXED BY " index JOIN_LEDGER " WHERE " condition                \
    " AND (?2 IS NULL OR automation_runs.automation = ?2) AND automation_runs.position < ?3" \
    " AND (?4 IS NULL OR automation_runs.status = ?4)"                                       \
    " AND (?5 IS NULL OR automation_runs.trigger_type = ?5)"                                 \
    " AND (?6 IS NULL OR automation_runs.batch = ?6)"                                        \
    " ORDER BY automation_runs.position DESC LIMIT ?7"

#define LIST_ROWS_BOTH(index_of_automation, index_of_owner, condition)             \
    {                                                                              \
        LIST_ROWS(index_of_automation,                                             \
                  "?1 IS NOT NULL AND automation_runs.automation = ?2" condition), \
        LIST_ROWS(index_of_owner, "automation_runs.owner = ?1" condition),         \
    }

namespace parley::store::sql {
namespace {

// By the filter that leaves the fewest rows. The indexes leave out what most rows have.
const char* list_statement(const AutomationRunFilter& filter)
{
    using OfAutomationOrOwner = std::array<const char*, 2>;
    static constexpr OfAutomationOrOwner by_batch =
        LIST_ROWS_BOTH("rows_of_batch", "rows_of_batch",
                       " AND automation_runs.batch IS NOT NULL AND automation_runs.batch = ?6");
    static constexpr OfAutomationOrOwner by_status = LIST_ROWS_BOTH(
        "rows_by_status", "rows_of_owner_by_status",
        " AND automation_runs.status <> 'completed' AND automation_runs.status = ?4");
    static constexpr OfAutomationOrOwner by_trigger =
        LIST_ROWS_BOTH("rows_by_trigger", "rows_of_owner_by_trigger",
                       " AND automation_runs.trigger_type <> 'schedule'"
                       " AND automation_runs.trigger_type = ?5");
    static constexpr OfAutomationOrOwner plain =
        LIST_ROWS_BOTH("rows_of_automation", "rows_of_owner", "");
    const std::size_t which = filter.automation ? 0 : 1;
    if (filter.batch) return by_batch.at(which);
    if (filter.status && *filter.status != AutomationRunStatus::completed)
        return by_status.at(which);
    if (filter.trigger && *filter.trigger != TriggerType::schedule) return by_trigger.at(which);
    return plain.at(which);
}

// Rows read of each owner beyond its share: some are just being started.
constexpr std::size_t spare_rows = 2;

struct StartColumns {
    const Statement* in;
    Column<std::string> user{*in, "of_user"};
    Column<TimePoint> started_at{*in, "started_ms"};
    Column<std::optional<std::string>> token{*in, "token"};
};

struct SeenColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<std::int64_t> revision{*in, "revision"};
};

struct LimitColumns {
    const Statement* in;
    Column<std::optional<std::uint32_t>> user{*in, "user_limit"};
    Column<std::optional<std::uint32_t>> token{*in, "token_limit"};
};

// The tokens that still have the limit given for them; `held` is as startable() takes it.
std::string with_the_same_limit(Connection& connection, std::string_view held)
{
    std::string same;
    while (!held.empty()) {
        const std::size_t end = std::min(held.find(' '), held.size());
        const std::string_view pair = held.substr(0, end);
        held.remove_prefix(std::min(end + 1, held.size()));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const std::string_view number = pair.substr(std::min(equals + 1, pair.size()));
        std::int64_t limit = 0;
        std::from_chars(number.data(), number.data() + number.size(), limit);
        Query select =
            connection.query("SELECT 1 FROM tokens WHERE id = ?1 AND automation_limit = ?2");
        if (select.bind(pair.substr(0, equals), limit).next())
            same.append(pair.substr(0, equals)).append(" ");
    }
    return same;
}

std::vector<std::int64_t> owners_with_rows(Connection& connection)
{
    // One step in the index for each owner, however many rows there are.
    Query select = connection.query(
        "WITH RECURSIVE owners(number) AS (SELECT CAST(-1 AS BIGINT)"
        " UNION ALL SELECT (SELECT automation_runs.owner FROM automation_runs"
        " INDEXED BY waiting_rows WHERE status IN ('queued', 'waiting')"
        " AND automation_runs.owner > owners.number ORDER BY automation_runs.owner LIMIT 1)"
        " FROM owners WHERE owners.number IS NOT NULL)"
        " SELECT number FROM owners WHERE number >= 0");
    std::vector<std::int64_t> owners;
    while (select.next()) owners.push_back(select.only<std::int64_t>());
    return owners;
}

// A page has the values and the message into which they were filled, here at most as often as the
// definition has braces.
std::size_t bytes_on_page(const AutomationRun& row)
{
    constexpr std::size_t longest_message = 131'072;
    constexpr std::size_t longest_escape = 6;
    const std::size_t values = json::quoted_size(row.values);
    std::size_t uses = 0;
    for (std::size_t at = row.definition.find("{{"); at != std::string::npos;
         at = row.definition.find("{{", at + 2))
        ++uses;
    return json::quoted_size(row.definition) + values +
           std::min(uses * values, longest_message * longest_escape);
}

std::vector<AutomationRun> rows_of(Connection& connection, Query& select)
{
    std::vector<AutomationRun> rows;
    while (select.next()) rows.push_back(ledger_row_of(connection, select).row);
    return rows;
}

}  // namespace

Result<RowPage> page_of_rows(Connection& connection, const Owner& owner,
                             const AutomationRunFilter& filter, Ledger::Position after,
                             std::size_t limit)
{
    const auto number = owner_number(connection, owner);
    if (!number) return RowPage{};
    std::optional<std::int64_t> automation;
    if (filter.automation) {
        const auto found = find_automation(connection, owner, *filter.automation);
        if (!found) return not_found("The automation");
        automation = found->position;
    }
    std::optional<std::string_view> status;
    if (filter.status) status = fields::name_of(*filter.status);
    std::optional<std::string_view> trigger;
    if (filter.trigger) trigger = fields::name_of(*filter.trigger);
    Query select = connection.query(list_statement(filter));
    select.bind(*number, automation, after, status, trigger, filter.batch,
                static_cast<std::int64_t>(limit + 1));  // One more: is there a next page?
    return roomy_page_of<AutomationRun>(
        select, limit, [&](const Query& row) { return ledger_row_of(connection, row).row; },
        bytes_on_page);
}

Result<std::vector<AutomationRun>> startable_rows(Connection& connection, TimePoint now,
                                                  std::size_t most, const std::string& held)
{
    std::vector<AutomationRun> all;
    const auto owners = owners_with_rows(connection);
    const std::string still_held = with_the_same_limit(connection, held);
    const std::size_t share = most / std::max<std::size_t>(1, owners.size()) + spare_rows;
    for (const std::int64_t owner : owners) {
        Query select = connection.query(
            "SELECT users.automation_limit AS user_limit, tokens.automation_limit AS token_limit,"
            " " LEDGER_COLUMNS " FROM automation_runs INDEXED BY waiting_rows" JOIN_LEDGER
            " CROSS JOIN users ON users.id = automations.user AND users.disabled = 0"
            " LEFT JOIN tokens ON tokens.id = automation_runs.token"
            " WHERE automation_runs.status IN ('queued', 'waiting')"
            " AND automation_runs.owner = ?1"
            " AND (automation_runs.token IS NULL OR ?4 NOT LIKE '%' || automation_runs.token || "
            "'%')"
            " AND (automation_runs.status = 'queued' OR automation_runs.not_before_ms <= ?2)"
            " AND (automation_runs.is_alone = 0 OR NOT EXISTS (SELECT 1 FROM automation_runs AS"
            " other INDEXED BY unfinished_rows"
            " WHERE other.automation = automation_runs.automation"
            " AND other.status IN ('queued', 'running', 'waiting')"
            " AND other.position < automation_runs.position"
            " AND (other.batch IS NULL OR automation_runs.batch IS NULL"
            " OR other.batch <> automation_runs.batch)))"
            " AND (automation_runs.is_alone = 0 OR NOT EXISTS (SELECT 1 FROM automation_runs AS"
            " other INDEXED BY running_rows"
            " WHERE other.automation = automation_runs.automation AND other.status = 'running'"
            " AND other.position > automation_runs.position"
            " AND (other.batch IS NULL OR automation_runs.batch IS NULL"
            " OR other.batch <> automation_runs.batch)))"
            " ORDER BY automation_runs.not_before_ms, automation_runs.position LIMIT ?3");
        select.bind(owner, test_time(connection, owner).value_or(now),
                    at_most(std::min(share, most)), still_held);
        while (select.next()) {
            const auto& at = select.columns<LimitColumns>();
            AutomationRun row = ledger_row_of(connection, select).row;
            row.user_limit = select[at.user];
            row.token_limit = select[at.token];
            all.push_back(std::move(row));
        }
    }
    return all;
}

Result<std::optional<TimePoint>> first_start(Connection& connection, TimePoint after)
{
    std::optional<TimePoint> first;
    for (const std::int64_t owner : owners_with_rows(connection)) {
        if (test_time(connection, owner)) continue;
        Query select = connection.query(
            "SELECT not_before_ms FROM automation_runs INDEXED BY waiting_rows"
            " WHERE status IN ('queued', 'waiting') AND owner = ?1 AND not_before_ms > ?2"
            " ORDER BY not_before_ms LIMIT 1");
        if (!select.bind(owner, after).next()) continue;
        const auto at = select.only<TimePoint>();
        if (!first || at < *first) first = at;
    }
    return first;
}

Result<std::vector<AutomationRun>> running_rows(Connection& connection)
{
    Query select = connection.query("SELECT " LEDGER_COLUMNS
                                    " FROM automation_runs INDEXED BY running_rows" JOIN_LEDGER
                                    " WHERE automation_runs.status = 'running'"
                                    " ORDER BY automation_runs.position");
    return rows_of(connection, select);
}

Result<std::vector<Ledger::Start>> starts_after(Connection& connection, TimePoint time)
{
    Query select = connection.query(
        "SELECT automations.user AS of_user, attempts.started_ms, automation_runs.token"
        " FROM attempts INDEXED BY attempts_by_time"
        " CROSS JOIN automations ON automations.position = attempts.automation"
        " CROSS JOIN automation_runs ON automation_runs.position = attempts.row"
        " WHERE attempts.started_ms > ?1 AND automations.test = 0 ORDER BY attempts.started_ms");
    select.bind(time);
    std::vector<Ledger::Start> starts;
    while (select.next()) {
        const auto& at = select.columns<StartColumns>();
        starts.push_back({{select[at.user], false}, select[at.started_at], select[at.token]});
    }
    return starts;
}

Result<std::vector<SeenSession>> sessions_beyond(Connection& connection,
                                                 const std::string& automation, std::size_t keep)
{
    Query select = connection.query(
        "SELECT id, revision FROM sessions INDEXED BY sessions_of_automation WHERE automation = ?1"
        " AND keep = 0 AND position <= (SELECT position FROM sessions"
        " INDEXED BY sessions_of_automation WHERE automation = ?1 AND keep = 0"
        " ORDER BY position DESC LIMIT 1 OFFSET ?2)"
        " AND NOT EXISTS (SELECT 1 FROM runs INDEXED BY unfinished_runs"
        " WHERE runs.session = sessions.position AND completed_ms IS NULL)"
        " AND NOT EXISTS (SELECT 1 FROM automation_runs INDEXED BY rows_of_session"
        " WHERE automation_runs.session = sessions.id"
        " AND automation_runs.status IN ('queued', 'running', 'waiting'))"
        " ORDER BY position DESC LIMIT 100");
    select.bind(automation, at_most(keep));
    std::vector<SeenSession> found;
    while (select.next()) {
        const auto& at = select.columns<SeenColumns>();
        found.push_back({.id = select[at.id], .revision = select[at.revision]});
    }
    return found;
}

}  // namespace parley::store::sql
