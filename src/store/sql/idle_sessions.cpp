#include "store/sql/people.hpp"
#include "store/sql/session_removal.hpp"
#include "store/sql/sessions.hpp"

namespace parley::store::sql {
namespace {

// More days than there have been since 1970: keeps all sessions.
constexpr std::int64_t all_days = 1'000'000;
// No import takes as long.
constexpr std::chrono::hours longest_import{24};

struct IdleColumns {
    const Statement* in;
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::int64_t> revision{*in, "revision"};
};

// The last moment of an activity of sessions that are old.
#define OLD_BEFORE                                                                         \
    "(?1 - 86400000 * CASE WHEN users.retention_days IS NULL OR users.retention_days > ?2" \
    " THEN ?2 ELSE users.retention_days END)"

Result<std::vector<IdleSession>> find_idle(Connection& connection, TimePoint now,
                                           std::int64_t max_days, std::size_t most)
{
    Query select = connection.query(
        "SELECT sessions.id, sessions.user AS of_user, sessions.test, sessions.revision"
        " FROM users CROSS JOIN sessions ON sessions.user = users.id"
        " WHERE (users.retention_days IS NOT NULL OR ?2 < ?3) AND sessions.keep = 0"
        " AND sessions.removed <> 1"
        " AND sessions.updated_ms < " OLD_BEFORE
        " AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.session = sessions.position"
        " AND imports.imported_ms >= " OLD_BEFORE ") LIMIT ?4");
    select.bind(now, max_days, all_days, at_most(most));
    std::vector<IdleSession> idle;
    while (select.next()) {
        const auto& at = select.columns<IdleColumns>();
        idle.push_back({.id = select[at.id],
                        .owner = {select[at.user], select[at.test]},
                        .revision = select[at.revision]});
    }
    return idle;
}

#undef OLD_BEFORE

}  // namespace

// Of imports and removals that a crash has ended.
Task<> SqlSessions::delete_rests(TimePoint before)
{
    const auto parts =
        co_await long_reads_.run<bool>([before](Connection& connection) -> Result<bool> {
            return has_old_parts(connection, before);
        });
    if (parts && *parts) {
        const auto dropped =
            co_await writes_.run<void>([before](Connection& connection) -> Result<> {
                drop_old_parts(connection, before);
                return {};
            });
        if (!dropped) co_return;
    }
    const auto hidden = co_await long_reads_.run<bool>(has_hidden);
    if (hidden && *hidden) co_await delete_hidden(writes_);
}

Task<Result<std::vector<IdleSession>>> SqlSessions::idle_sessions(
    TimePoint now, std::optional<std::int64_t> max_days, std::size_t most)
{
    co_await delete_rests(now - longest_import);
    co_return co_await long_reads_.run<std::vector<IdleSession>>(
        [now, days = max_days.value_or(all_days), most](Connection& connection) {
            return find_idle(connection, now, days, most);
        });
}

}  // namespace parley::store::sql
