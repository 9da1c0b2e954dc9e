#include "api/chat_runs.hpp"

#include "api/run_answers.hpp"
#include "api/wire/header_fields.hpp"
#include "chat/sessions.hpp"
#include "chat/views.hpp"
#include "store/store.hpp"

#include <algorithm>
#include <charconv>

namespace parley::api {
namespace {

using Owning = With<auth::Scope::chat_read>;
using Writer = With<auth::Scope::chat_write>;

// A model stops with its next token; whoever cancelled is told how far it came, or that it still
// goes on.
constexpr std::chrono::seconds patience_with_cancelled{2};

// A run that goes on, or one that has ended: one of them.
struct Found {
    chat::ActiveRunRef active = {};
    std::optional<store::WholeRun> ended = {};
};

Task<Result<Found>> find(store::Store& store, const chat::Runs& runs, Owner owner, std::string id)
{
    if (auto active = runs.find(id); active && active->owner() == owner) {
        auto whole = active->whole();
        // One that has ended is still there for a moment.
        if (whole && has_ended(whole->run.status)) co_return Found{.ended = std::move(whole)};
        if (whole) co_return Found{.active = std::move(active)};
    }
    // What goes on by the store is either about to be known here, or has ended since.
    for (int look = 0; look < 2; ++look) {
        auto stored = co_await store.runs().find_run(owner, id);
        if (!stored) co_return stored.error();
        if (has_ended(stored->run.status)) co_return Found{.ended = std::move(*stored)};
        if (auto active = runs.find(id)) {
            active->set_whole_if_unknown(std::move(*stored));
            co_return Found{.active = std::move(active)};
        }
    }
    co_return Error{Errc::shutting_down, "The run goes on when the server has started again."};
}

RunView view_of(const chat::Runs& runs, const Found& found)
{
    if (found.ended) return chat::view(*found.ended);
    return runs.view_of(*found.active).value();
}

Task<Result<RunView>> get_run(store::Store& store, chat::Runs& runs, Owning caller,
                              Path<RunPath> path)
{
    const auto found = co_await find(store, runs, owner_of(caller), std::move(path.run));
    if (!found) co_return found.error();
    co_return view_of(runs, *found);
}

Task<Result<RunView>> cancel_run(store::Store& store, chat::Runs& runs, Writer caller,
                                 Path<RunPath> path)
{
    const auto found = co_await find(store, runs, owner_of(caller), std::move(path.run));
    if (!found) co_return found.error();
    if (found->active) {
        runs.cancel(*found->active);
        const auto ended = co_await chat::wait_for_end(found->active, patience_with_cancelled);
        if (!ended) co_return ended.error();
    }
    co_return view_of(runs, *found);
}

// What a client says it has. The header field is what a browser sends when it resumes by itself,
// and so is newer than the address.
Result<std::int64_t> last_seen(const http::RequestHead& head, const EventsQuery& query)
{
    std::string text = query.after.value_or("0");
    if (const auto field = head.field("last-event-id"); field) text = *field;
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr std::int64_t largest = (std::int64_t{1} << 53) - 1;
    if (fault != std::errc() || end != text.data() + text.size() || number < 0 || number > largest)
        return invalid_request("The number of the last event must be a whole number from 0 on.");
    return number;
}

Task<Result<RunAnswer>> follow_run(store::Store& store, chat::Runs& runs, OpenStreams& streams,
                                   Owning caller, Path<RunPath> path, Query<EventsQuery> query,
                                   const http::RequestHead& head, Envelope& envelope, Stream stream)
{
    const auto after = last_seen(head, query);
    if (!after) co_return after.error();
    const auto found = co_await find(store, runs, owner_of(caller), path.run);
    if (!found) co_return found.error();
    envelope.add("X-Run-Id", path.run);
    if (found->ended && *after == found->ended->run.last_number && *after > 0)
        co_return RunAnswer{{.status = 204, .fields = {}, .body = {}}};
    co_return co_await send_events(
        stream, streams, caller, head,
        found->active ? runs.read(found->active, *after) : runs.read(*found->ended, *after));
}

constexpr std::string_view about_following =
    R"(Gives the same events, byte for byte, that the first stream gave, while the run goes on and for 24
hours after: from the first, or after the number in `Last-Event-ID` or `after`. Then whatever comes,
to the last event. After that one's own number the answer is 204, so that browsers stop asking.

Where events are gone, `run.snapshot` comes first: it replaces what the client has.)";

}  // namespace

std::vector<Route> run_routes()
{
    return {
        route<get_run>("GET", "/v1/api/chat/runs/{run}", "Get one run"),
        route<follow_run>("GET", "/v1/api/chat/runs/{run}/events",
                          "Follow the events of a run, from the first or after a number",
                          says(about_following), takes_fields<ResumeFields>,
                          sends_fields("X-Run-Id"), also_answers(told_stream()),
                          also_answers({.status = 204, .meaning = "There are no more events."})),
        route<cancel_run>("POST", "/v1/api/chat/runs/{run}/cancel", "Stop a run"),
    };
}

}  // namespace parley::api
