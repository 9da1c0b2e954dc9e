#include "store/sql/budgets.hpp"

#include "store/refusals.hpp"
#include "store/sql/people.hpp"

#include <algorithm>

namespace parley::store::sql {
namespace {

// The tokens reserved for an answer that is not limited.
constexpr std::int64_t usual_reservation = 1024;

// The tokens that were used on this day, or are reserved. One statement: with several, an answer
// that ends between them would leave the reservations before they are read, and enter the usage
// after that was read.
std::int64_t taken_on(Connection& connection, const Owner& owner, std::int64_t number,
                      TimePoint now)
{
    Query select = connection.query(
        "SELECT (SELECT coalesce(sum(output_tokens), 0) FROM token_usage INDEXED BY usage_of_user"
        " WHERE \"user\" = ?1 AND test = 0 AND day = ?2)"
        " + (SELECT coalesce(sum(reserved_tokens), 0) FROM runs INDEXED BY runs_of_owner_by_status"
        " WHERE owner = ?3 AND status IN ('queued', 'running'))"
        " + (SELECT coalesce(sum(tokens), 0) FROM token_reservations"
        " INDEXED BY reservations_of_user WHERE \"user\" = ?1 AND expires_ms > ?4)");
    const std::int64_t day = day_of(now).time_since_epoch().count();
    select.bind(owner.user, day, number, now).next();
    return select.only<std::int64_t>();
}

std::chrono::seconds until_next_day(TimePoint now)
{
    const TimePoint next = TimePoint(day_of(now) + std::chrono::days(1));
    return std::chrono::ceil<std::chrono::seconds>(next - now);
}

}  // namespace

std::optional<Asker> lock_budget(Connection& connection, const Owner& owner)
{
    auto asker = find_asker(connection, owner);
    if (asker && asker->budget) connection.lock(Lock::budget, {owner.user});
    return asker;
}

Result<std::int64_t> tokens_to_reserve(Connection& connection, const Owner& owner,
                                       std::int64_t most, TimePoint now)
{
    const auto asker = find_asker(connection, owner);
    if (!asker || !asker->budget) return std::int64_t{0};
    const std::int64_t left = *asker->budget - taken_on(connection, owner, asker->number, now);
    const std::int64_t wanted = most > 0 ? most : std::min(left, usual_reservation);
    if (left <= 0 || wanted > left)
        return budget_is_used_up(*asker->budget, left, until_next_day(now));
    return wanted;
}

Result<> reserve(Connection& connection, const Reservation& wanted)
{
    const auto asker = lock_budget(connection, wanted.owner);
    if (!asker || !asker->budget) return {};
    const auto tokens = tokens_to_reserve(connection, wanted.owner, wanted.tokens, wanted.now);
    if (!tokens) return tokens.error();
    if (*tokens == 0) return {};
    Query expired =
        connection.query("DELETE FROM token_reservations WHERE \"user\" = ?1 AND expires_ms <= ?2");
    expired.bind(wanted.owner.user, wanted.now).run();
    Query insert = connection.query(
        "INSERT INTO token_reservations (id, \"user\", tokens, expires_ms)"
        " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING");
    insert.bind(wanted.id, wanted.owner.user, *tokens, wanted.expires_at).run();
    return {};
}

void settle_reservation(Connection& connection, const std::string& id)
{
    connection.query("DELETE FROM token_reservations WHERE id = ?1").bind(id).run();
}

}  // namespace parley::store::sql
