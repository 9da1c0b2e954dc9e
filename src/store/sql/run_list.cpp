#include "store/sql/run_list.hpp"

#include "fields/write.hpp"
#include "store/sql/people.hpp"
#include "store/sql/run_rows.hpp"
#include "store/sql/turns.hpp"

#include <limits>

// The index is named: a page must not cost more because there are many other runs. All parameters
// stand in all of them, so that all are bound alike.
#define LIST_RUNS(index, condition)                                                                \
    "SELECT runs.position AS page_position, " RUN_COLUMNS " FROM runs INDEXED BY " index JOIN_RUNS \
    " WHERE " condition                                                                            \
    " AND runs.position < ?4 AND (?3 IS NULL OR runs.status = ?3)"                                 \
    " AND (?2 IS NULL OR runs.session = ?2) ORDER BY runs.position DESC LIMIT ?5"

namespace parley::store::sql {
namespace {

const char* statement(const RunFilter& filter)
{
    if (filter.session) return LIST_RUNS("runs_of_session", "runs.session = ?2");
    if (filter.status)
        return LIST_RUNS("runs_of_owner_by_status", "runs.owner = ?1 AND runs.status = ?3");
    return LIST_RUNS("runs_of_owner", "runs.owner = ?1");
}

}  // namespace

Result<RunPage> page_of_runs(Connection& connection, const Owner& owner, const RunFilter& filter,
                             std::optional<Runs::Position> after, std::size_t limit)
{
    const auto number = owner_number(connection, owner);
    std::optional<std::int64_t> session;
    if (filter.session) {
        const auto found = find_session(connection, owner, *filter.session);
        if (!found) return RunPage{};
        session = found->position;
    }
    if (!number) return RunPage{};
    std::optional<std::string_view> status;
    if (filter.status) status = fields::name_of(*filter.status);
    Query select = connection.query(statement(filter));
    select.bind(*number, session, status, after.value_or(std::numeric_limits<std::int64_t>::max()),
                static_cast<std::int64_t>(limit + 1));  // One more: is there a next page?
    auto page = roomy_page_of<RunWithMessages>(
        select, limit, [&](const Query& row) { return whole(connection, run_of(row)); },
        [](const RunWithMessages& item) { return page_bytes(item); });
    add_positions(connection, page.items);
    return page;
}

}  // namespace parley::store::sql
