#include "api/event_log.hpp"

#include "api/accept.hpp"
#include "api/api.hpp"
#include "api/authorization.hpp"
#include "api/event_log_stream.hpp"
#include "api/list_page.hpp"
#include "api/run_answers.hpp"
#include "api/wire/event_schema.hpp"
#include "auth/event_scopes.hpp"
#include "chat/event_view.hpp"
#include "store/store.hpp"

#include <optional>

namespace parley::api {

namespace {

// A page of the log, or nothing if it was sent as a stream.
struct LogAnswer {
    std::optional<ListPage<EventView>> page;
};

}  // namespace

namespace detail {

template <>
struct ResponseTraits<LogAnswer> : ResponseTraits<ListPage<EventView>> {
    static http::Response response(const LogAnswer& answer, const Call& call)
    {
        if (!answer.page) return {};
        return ResponseTraits<ListPage<EventView>>::response(*answer.page, call);
    }
};

}  // namespace detail

namespace {

constexpr std::size_t most_types = 20;
constexpr std::size_t longest_number = 15;

Error type_fault(std::string detail)
{
    return validation_failed({{"types", "invalid", std::move(detail), Fault::Location::parameter}});
}

// The types that a token may see. Fails with insufficient_scope if there are none.
Result<EventTypes> visible_types(const auth::Caller& caller)
{
    const EventTypes types = auth::readable_events(caller.scopes);
    if (types.empty()) {
        const Access needed{.scope = auth::Scope::chat_read, .by_user = true};
        return check_access(needed, caller).error();
    }
    return types;
}

// The number from the request; nothing if there is none.
struct Given {
    std::optional<std::int64_t> number = {};
    bool is_latest = false;
};

bool is_position(std::string_view text)
{
    return text == "latest" || (!text.empty() && text.size() <= longest_number &&
                                text.find_first_not_of("0123456789") == text.npos);
}

Result<Given> given_position(const http::RequestHead& head, const EventLogQuery& query)
{
    if (query.after && !is_position(*query.after))
        return invalid_request("The parameter after must be the number of an event, or latest.");
    if (query.after == "latest" && head.count("last-event-id") == 0)
        return Given{.is_latest = true};
    if (!query.after && head.count("last-event-id") == 0) return Given{};
    const auto number = last_seen(head, query.after);
    if (!number) return number.error();
    return Given{.number = *number};
}

Error events_expired(const store::EventPage& log)
{
    return {.code = Errc::events_expired,
            .message =
                "Events up to number " + std::to_string(log.oldest - 1) + " are no longer stored.",
            .extra = {{"oldest", log.oldest}, {"latest", log.latest}}};
}

// The number after which the client wants to read.
Result<std::int64_t> start_of(const Given& given, const store::EventPage& log)
{
    if (given.is_latest) return log.latest;
    if (!given.number) return log.oldest - 1;
    if (*given.number > log.latest)
        return invalid_request("The number is above that of the newest event, " +
                               std::to_string(log.latest) + ".");
    if (*given.number < log.oldest - 1) return events_expired(log);
    return *given.number;
}

ListPage<EventView> page_of(const Owner& owner, const store::EventPage& read)
{
    ListPage<EventView> page;
    for (const store::Event& event : read.events)
        page.list.data.push_back(chat::view(owner, event));
    page.list.has_more = read.read_to < read.latest;
    if (page.list.has_more) page.list.next_cursor = std::to_string(read.read_to);
    return page;
}

bool wants_stream(const http::RequestHead& head)
{
    return head.count("accept") > 0 &&
           preference(head, "text/event-stream") > preference(head, "application/json");
}

Task<Result<LogAnswer>> follow(store::Store& store, LogTurns& turns, Stream stream,
                               LogPosition position)
{
    http::EventStream* events = co_await stream.open();
    if (!events) co_return LogAnswer();  // HEAD.
    auto sent = co_await send_log(stream, *events, store.events(), turns, std::move(position));
    if (!sent) co_return sent.error();
    co_return LogAnswer();
}

Task<Result<LogAnswer>> list_events(store::Store& store, LogTurns& turns, SignedIn caller,
                                    Query<EventLogQuery> query, const http::RequestHead& head,
                                    Stream stream)
{
    const auto visible = visible_types(*caller);
    if (!visible) co_return visible.error();
    const auto wanted = query.types ? read_event_types(*query.types) : EventTypes::all();
    if (!wanted) co_return wanted.error();
    const auto given = given_position(head, query);
    if (!given) co_return given.error();
    LogPosition position{.owner = owner_of(caller), .types = wanted->both(*visible)};
    // A stream reads for itself and begins after the latest event.
    const bool is_stream = wants_stream(head);
    const bool reads_now = !is_stream && !given->is_latest;
    const auto page =
        co_await store.events().read(position.owner, given->number.value_or(0), position.types,
                                     reads_now ? static_cast<std::size_t>(query.limit) : 0);
    if (!page) co_return page.error();
    const auto start = start_of(*given, *page);
    if (!start) co_return start.error();
    if (given->is_latest && !is_stream) co_return LogAnswer{ListPage<EventView>()};
    if (!is_stream) co_return LogAnswer{page_of(position.owner, *page)};
    position.after = *start;
    position.is_latest = given->is_latest;
    co_return co_await follow(store, turns, stream, std::move(position));
}

constexpr std::string_view about_events =
    R"(One log for each user, oldest first. An event is stored in the same transaction as the change that
it reports: it is in the log if and only if the change is stored. It names the object and its state;
message texts and secrets are never in the log. Test mode has a log of its own.

With `Accept: text/event-stream` the response is a stream that does not end: first the stored events
after `after` or `Last-Event-ID`, then each event when it happens. List and stream contain the same
bytes for an event. With `after=latest` the stream begins with an `id` without an event: the number
after which it begins. Here `after` and `next_cursor` are the numbers of events.

A token sees the events of its scopes: `chat.*` with `chat:read`, `automation.*` and `webhook.*`
with `automation:read`, `token.*` and `login.*` with `account`. Filtered events leave gaps in the numbers. Events are stored for `events.keep_days`.)";

DocumentedResponse documented_log_stream()
{
    return {.meaning = "As events. While idle, a comment is sent every 15 seconds.",
            .media_type = "text/event-stream",
            .schema = event_stream_schema(fields::schema<EventView>(fields::Direction::response)),
            .example = "id: 42\nevent: chat.session.created\ndata: {…}\n\n"};
}

}  // namespace

Result<EventTypes> read_event_types(std::string_view text)
{
    EventTypes types;
    std::size_t count = 0;
    for (;;) {
        const std::size_t comma = text.find(',');
        const std::string_view name = text.substr(0, comma);
        if (++count > most_types) return type_fault("must name at most 20 types");
        const EventTypes named = types_named(name);
        if (named.empty())
            return type_fault("\"" + std::string(name) + "\" is not a type of event");
        types.add(named);
        if (comma == text.npos) return types;
        text.remove_prefix(comma + 1);
    }
}

std::vector<Route> event_routes()
{
    return {route<list_events>(
        "GET", "/v1/api/events", "listEvents", "List or follow the events of your account",
        description(about_events), takes_fields<LogResumeFields>,
        responds_with(documented_log_stream()),
        may_fail(Errc::invalid_request, Errc::insufficient_scope, Errc::events_expired))};
}

}  // namespace parley::api
