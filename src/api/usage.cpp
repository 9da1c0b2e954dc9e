// Usage over HTTP: a user's own, and for operators that of all.
#include "api/wire/usage.hpp"

#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/run_answers.hpp"
#include "base/clock.hpp"
#include "base/rfc3339.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

constexpr std::chrono::days usual_days{30};

std::string date_of(store::Day day) { return rfc3339(TimePoint(day)).substr(0, 10); }

DailyUsageView usage_view(const store::DailyUsage& used)
{
    return {.date = date_of(used.day),
            .user_id = used.owner.user,
            .model = used.model,
            .requests = used.requests,
            .input_tokens = used.tokens.input_tokens,
            .output_tokens = used.tokens.output_tokens,
            .cached_input_tokens = used.tokens.cached_input_tokens};
}

// Nothing, and a fault, if the text is not a day.
std::optional<store::Day> day_in(const std::optional<std::string>& text, const char* parameter,
                                 Faults& faults)
{
    if (!text) return std::nullopt;
    if (const auto time = parse_rfc3339(*text + "T00:00:00Z")) return store::day_of(*time);
    faults.push_back(
        {parameter, "wrong_format", "must be a day like 2026-01-31", Fault::Location::parameter});
    return std::nullopt;
}

template <class AnyQuery>
Result<store::UsageFilter> usage_filter(const AnyQuery& query, const Owner& caller, TimePoint now)
{
    Faults faults;
    const auto from = day_in(query.from, "from", faults);
    const auto to = day_in(query.to, "to", faults);
    store::UsageFilter filter{.test = caller.test, .model = query.model};
    filter.last = to.value_or(store::day_of(now));
    filter.first = from.value_or(filter.last - (usual_days - std::chrono::days(1)));
    if (faults.empty() && filter.first > filter.last)
        faults.push_back(
            {"from", "out_of_range", "must not be after `to`", Fault::Location::parameter});
    if (!faults.empty()) return validation_failed(std::move(faults));
    return filter;
}

// A cursor is valid for this filter only.
std::string list_of(const store::UsageFilter& filter)
{
    return "usage " + filter.user.value_or("") + (filter.test ? " test " : " live ") +
           date_of(filter.first) + " " + date_of(filter.last) + " " + filter.model.value_or("");
}

Task<Result<ListPage<DailyUsageView>>> list_of_usage(store::Store& store, Cursors& cursors,
                                                     store::UsageFilter filter, PageQuery page)
{
    const PagePosition place(list_of(filter), cursors);
    const auto after = place.of(page);
    if (!after) co_return after.error();
    const auto found = co_await store.usage().list(std::move(filter), *after,
                                                   static_cast<std::size_t>(page.limit));
    if (!found) co_return found.error();
    co_return place.list<DailyUsageView>(*found, usage_view);
}

Task<Result<ListPage<DailyUsageView>>> list_usage(store::Store& store, Cursors& cursors,
                                                  const Clock& clock,
                                                  With<auth::Scope::admin> caller,
                                                  Query<UsageQuery> query)
{
    auto filter = usage_filter(query, owner_of(caller), clock.now());
    if (!filter) co_return filter.error();
    filter->user = query.user;
    co_return co_await list_of_usage(store, cursors, std::move(*filter),
                                     {.limit = query.limit, .after = query.after});
}

Task<Result<ListPage<DailyUsageView>>> list_own_usage(store::Store& store, Cursors& cursors,
                                                      const Clock& clock, SignedIn caller,
                                                      Query<OwnUsageQuery> query)
{
    auto filter = usage_filter(query, owner_of(caller), clock.now());
    if (!filter) co_return filter.error();
    filter->user = caller->user;
    co_return co_await list_of_usage(store, cursors, std::move(*filter),
                                     {.limit = query.limit, .after = query.after});
}

constexpr std::string_view about_usage =
    R"(One entry for each user, model and day, the newest day first. Runs are counted when they end; answers
that are not stored are counted within two seconds after their end.)";

}  // namespace

std::vector<Route> usage_routes()
{
    return {
        route<list_usage>("GET", "/v1/api/usage", "listUsage", "List the usage of all users",
                          description(about_usage), may_fail(Errc::invalid_cursor)),
        route<list_own_usage>("GET", "/v1/api/me/usage", "listOwnUsage", "List your own usage",
                              description(about_usage), may_fail(Errc::invalid_cursor)),
    };
}

}  // namespace parley::api
