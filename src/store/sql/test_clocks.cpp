#include "store/sql/test_clocks.hpp"

#include "store/refusals.hpp"
#include "store/sql/due_order.hpp"
#include "store/sql/people.hpp"
#include "store/times.hpp"

#include <algorithm>

namespace parley::store::sql {
namespace {

void write_clock(Connection& connection, const Owner& owner, const std::optional<TimePoint>& to)
{
    if (!to) {
        connection.query("DELETE FROM test_clocks WHERE \"user\" = ?1").bind(owner.user).run();
        return;
    }
    Query insert = connection.query(
        "INSERT INTO test_clocks (\"user\", now_ms) VALUES (?1, ?2)"
        " ON CONFLICT (\"user\") DO UPDATE SET now_ms = excluded.now_ms");
    insert.bind(owner.user, *to).run();
}

// Back to real time: what waits keeps the rest of its wait, and attempts count from their real
// beginning.
void leave_test_time(Connection& connection, const Owner& of, std::int64_t owner, TimePoint clock,
                     TimePoint now)
{
    const auto ahead = std::chrono::floor<std::chrono::milliseconds>(clock - now).count();
    Query rows = connection.query(
        "UPDATE automation_runs SET not_before_ms = not_before_ms - ?2 WHERE owner = ?1"
        " AND status IN ('queued', 'waiting')");
    rows.bind(owner, ahead).run();
    Query attempts = connection.query(
        "UPDATE attempts SET clock_ms = NULL WHERE clock_ms IS NOT NULL AND row IN"
        " (SELECT position FROM automation_runs INDEXED BY rows_of_owner WHERE owner = ?1)");
    attempts.bind(owner).run();
    Query deliveries = connection.query(
        "UPDATE deliveries SET due_ms = due_ms - ?2 WHERE status = 'pending' AND due_ms > 0"
        " AND webhook IN (SELECT position FROM webhooks INDEXED BY webhooks_of_user"
        " WHERE webhooks.user = ?1 AND webhooks.test = 1)");
    deliveries.bind(of.user, ahead).run();
}

std::int64_t newest_row(Connection& connection)
{
    Query select =
        connection.query("SELECT position FROM automation_runs ORDER BY position DESC LIMIT 1");
    return select.next() ? select.only<std::int64_t>() : 0;
}

}  // namespace

std::optional<TimePoint> test_time(Connection& connection, const Owner& owner)
{
    if (!owner.test) return std::nullopt;
    Query select = connection.query("SELECT now_ms FROM test_clocks WHERE \"user\" = ?1");
    if (!select.bind(owner.user).next()) return std::nullopt;
    return select.only<TimePoint>();
}

std::optional<TimePoint> test_time(Connection& connection, std::int64_t owner)
{
    if (owner % 2 == 0) return std::nullopt;
    Query select = connection.query(
        "SELECT test_clocks.now_ms FROM users"
        " CROSS JOIN test_clocks ON test_clocks.user = users.id WHERE users.position = ?1");
    if (!select.bind(owner / 2).next()) return std::nullopt;
    return select.only<TimePoint>();
}

Result<EnteredRows> change_test_clock(Connection& connection, const TestClockChange& change)
{
    connection.lock(Lock::test_clock, {change.owner.user});
    const auto number = owner_number(connection, change.owner);
    if (!number) return not_found("The user");
    const auto before = test_time(connection, change.owner);
    if (before != to_the_millisecond(change.seen)) return automation_was_changed();
    EnteredRows entered{.older_until = change.older_until.value_or(newest_row(connection))};
    std::deque<DueRows> due;
    for (const DueEntry& each : change.entries) {
        connection.lock(Lock::automation, {each.automation});
        auto kept = find_automation(connection, change.owner, each.automation);
        if (!is_current(kept, each)) return automation_was_changed();
        due.emplace_back(connection, std::move(*kept), each, change.older_until);
    }
    write_clock(connection, change.owner, change.to);
    if (before && !change.to)
        leave_test_time(connection, change.owner, *number, *before, change.now);
    EventsOfOwners events;
    enter_in_order(connection, due, events);
    for (const DueRows& each : due)
        entered.to_cancel.insert(entered.to_cancel.end(), each.entered.to_cancel.begin(),
                                 each.entered.to_cancel.end());
    events[change.owner].record(connection, change.owner, {change.now, {.depth = 1}});
    return entered;
}

}  // namespace parley::store::sql
