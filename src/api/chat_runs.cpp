// Runs over HTTP: their state, their events, and cancellation.
#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/run_answers.hpp"
#include "api/wire/header_fields.hpp"
#include "chat/runs.hpp"
#include "store/store.hpp"

namespace parley::api {
namespace {

using ChatReader = With<auth::Scope::chat_read>;
using ChatWriter = With<auth::Scope::chat_write>;

// A model stops with its next token. After this time the response says that the run is still
// running.
constexpr std::chrono::seconds patience_with_cancelled{2};

Task<Result<RunView>> get_run(chat::Runs& runs, ChatReader caller, Path<RunPath> path)
{
    const auto run = co_await runs.find(owner_of(caller), std::move(path.run));
    if (!run) co_return run.error();
    co_return run->view();
}

Task<Result<RunView>> cancel_run(chat::Runs& runs, ChatWriter caller, Path<RunPath> path)
{
    const auto run = co_await runs.find(owner_of(caller), std::move(path.run));
    if (!run) co_return run.error();
    if (const auto asked = co_await run->ask_to_cancel(); !asked) co_return asked.error();
    const auto ended = co_await run->wait_for_end(patience_with_cancelled);
    if (!ended) co_return ended.error();
    co_return run->view();
}

// A cursor is valid for this list, this owner and this filter only.
std::string list_of(const Owner& owner, const RunsQuery& query)
{
    std::string list = "runs " + owner.user + (owner.test ? " test" : "");
    list.append(" ").append(query.status ? fields::name_of(*query.status) : "all");
    return list + " " + query.session_id.value_or("");
}

Task<Result<ListPage<RunView>>> list_runs(store::Store& store, chat::Runs& runs, Cursors& cursors,
                                          ChatReader caller, Query<RunsQuery> query)
{
    const Owner owner = owner_of(caller);
    const PagePosition place(list_of(owner, query), cursors);
    const auto after = place.of({.limit = query.limit, .after = query.after});
    if (!after) co_return after.error();
    const auto page = co_await store.runs().list_runs(
        owner, {.status = query.status, .session = query.session_id}, *after,
        static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<RunView>(
        *page, [&](const store::RunWithMessages& whole) { return runs.view_listed(whole); });
}

Task<Result<RunAnswer>> follow_run(chat::Runs& runs, ChatReader caller, Path<RunPath> path,
                                   Query<EventsQuery> query, const http::RequestHead& head,
                                   CommonHeaders& common_headers, Stream stream)
{
    const auto after = last_seen(head, query.after);
    if (!after) co_return after.error();
    auto run = co_await runs.find(owner_of(caller), path.run);
    if (!run) co_return run.error();
    common_headers.add_run(path.run);
    co_return co_await send_run(stream, std::move(*run), *after);
}

constexpr std::string_view about_following =
    R"(Sends the same events, byte for byte, as the first stream, during the run and for 24 hours after
it: from the first event, or after the number in `Last-Event-ID` or `after`, to the last one. After
the number of the last event the response is 204, so that browsers stop asking.

If events are no longer stored, `run.snapshot` comes first: it replaces the client's text.)";

}  // namespace

std::vector<Route> run_routes()
{
    return {
        route<list_runs>("GET", "/v1/api/chat/runs", "listRuns", "List your runs, newest first",
                         may_fail(Errc::invalid_cursor)),
        route<get_run>("GET", "/v1/api/chat/runs/{run}", "getRun", "Get one run"),
        route<follow_run>("GET", "/v1/api/chat/runs/{run}/events", "followRun",
                          "Follow the events of a run, from the first or after a number",
                          description(about_following), takes_fields<ResumeFields>,
                          sends_fields("X-Run-Id"), responds_with(documented_stream()),
                          responds_with({.status = 204, .meaning = "There are no more events."})),
        route<cancel_run>("POST", "/v1/api/chat/runs/{run}/cancel", "cancelRun", "Stop a run"),
    };
}

}  // namespace parley::api
