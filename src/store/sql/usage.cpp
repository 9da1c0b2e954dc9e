#include "store/sql/usage.hpp"

#include "store/sql/budgets.hpp"
#include "store/sql/people.hpp"

#include <limits>
#include <utility>

namespace parley::store::sql {
namespace {

// A position in the list is the day and the row: a cursor has one number.
constexpr std::int64_t rows_of_a_day = std::int64_t{1} << 40;

std::int64_t number_of(Day day) { return day.time_since_epoch().count(); }
Day day_of_number(std::int64_t number) { return Day(std::chrono::days(number)); }

struct UsageColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<std::int64_t> day{*in, "day"};
    Column<std::string> model{*in, "model"};
    Column<std::int64_t> requests{*in, "requests"};
    Column<std::int64_t> input{*in, "input_tokens"};
    Column<std::int64_t> output{*in, "output_tokens"};
    Column<std::int64_t> cached{*in, "cached_input_tokens"};
};

DailyUsage usage_of(const Query& row)
{
    const auto& at = row.columns<UsageColumns>();
    return {.owner = {row[at.user], row[at.test]},
            .model = row[at.model],
            .day = day_of_number(row[at.day]),
            .requests = row[at.requests],
            .tokens = {row[at.input], row[at.output], row[at.cached]}};
}

std::int64_t position_of(const Query& row)
{
    const auto& at = row.columns<UsageColumns>();
    return row[at.day] * rows_of_a_day + row[at.position];
}

#define LIST_USAGE(how)                                                               \
    "SELECT position, \"user\" AS of_user, test, day, model, requests, input_tokens," \
    " output_tokens, cached_input_tokens FROM token_usage " how                       \
    " AND day >= ?2 AND day <= ?3 AND (day < ?3 OR position < ?4)"                    \
    " AND (?5 IS NULL OR model = ?5) ORDER BY day DESC, position DESC LIMIT ?6"

using UsagePage = Page<DailyUsage, UsageLog::Position>;

Result<UsagePage> page_after(Connection& connection, const UsageFilter& filter,
                             const std::optional<UsageLog::Position>& after, std::size_t limit)
{
    std::int64_t last_day = number_of(filter.last);
    std::int64_t before = rows_of_a_day;
    // A cursor is sealed, so that it is from a page with the same filter.
    if (after && *after / rows_of_a_day <= last_day) {
        last_day = *after / rows_of_a_day;
        before = *after % rows_of_a_day;
    }
    Query select = connection.query(
        filter.user ? LIST_USAGE("INDEXED BY usage_of_user WHERE test = ?1 AND \"user\" = ?7")
                    : LIST_USAGE("INDEXED BY usage_by_day WHERE test = ?1"));
    const std::int64_t first = number_of(filter.first);
    const std::int64_t most = at_most(limit + 1);  // One more: is there a next page?
    if (filter.user)
        select.bind(filter.test, first, last_day, before, filter.model, most, *filter.user);
    else
        select.bind(filter.test, first, last_day, before, filter.model, most);
    UsagePage page;
    std::int64_t last = 0;
    while (select.next()) {
        if (page.items.size() == limit) {
            page.next = last;
            break;
        }
        last = position_of(select);
        page.items.push_back(usage_of(select));
    }
    return page;
}

}  // namespace

void add_usage(Connection& connection, const DailyUsage& used)
{
    Query insert = connection.query(
        "INSERT INTO token_usage (\"user\", test, day, model, requests, input_tokens,"
        " output_tokens, cached_input_tokens)"
        " SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM users WHERE id = ?1"
        " ON CONFLICT (\"user\", test, day, model) DO UPDATE SET"
        " requests = token_usage.requests + excluded.requests,"
        " input_tokens = token_usage.input_tokens + excluded.input_tokens,"
        " output_tokens = token_usage.output_tokens + excluded.output_tokens,"
        " cached_input_tokens = token_usage.cached_input_tokens + excluded.cached_input_tokens");
    insert.bind(used.owner.user, used.owner.test, number_of(used.day), used.model, used.requests,
                used.tokens.input_tokens, used.tokens.output_tokens,
                used.tokens.cached_input_tokens);
    insert.send();
}

Task<Result<>> SqlUsage::add(std::vector<DailyUsage> used, std::vector<std::string> settled)
{
    return writes_.run<void>(
        [used = std::move(used), settled = std::move(settled)](Connection& connection) -> Result<> {
            for (const DailyUsage& each : used) add_usage(connection, each);
            for (const std::string& id : settled) settle_reservation(connection, id);
            return {};
        });
}

Task<Result<>> SqlUsage::reserve(Reservation wanted)
{
    return writes_.run<void>([wanted = std::move(wanted)](Connection& connection) {
        return sql::reserve(connection, wanted);
    });
}

Task<Result<UsagePage>> SqlUsage::list(UsageFilter filter, std::optional<Position> after,
                                       std::size_t limit)
{
    return reads_.run<UsagePage>(
        [filter = std::move(filter), after, limit](Connection& connection) {
            return page_after(connection, filter, after, limit);
        });
}

}  // namespace parley::store::sql
