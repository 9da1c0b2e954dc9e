// Chat sessions and their messages over HTTP.
#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/idempotency.hpp"
#include "api/list_page.hpp"
#include "api/page_position.hpp"
#include "api/run_answers.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/session.hpp"
#include "api/with_etag.hpp"
#include "chat/sessions.hpp"
#include "chat/titles.hpp"
#include "chat/views.hpp"
#include "store/store.hpp"

#include <algorithm>

namespace parley::api {
namespace {

// As automation_filter_pattern says.
bool is_automation_id(std::string_view text)
{
    return text.starts_with("aut_") && text.size() > 4 && std::ranges::all_of(text, [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'A' && each <= 'Z') ||
                      (each >= 'a' && each <= 'z') || each == '_';
           });
}

using ChatReader = With<auth::Scope::chat_read>;
using ChatWriter = With<auth::Scope::chat_write>;

// A new session, or the one that an earlier request with the same key created.
struct MadeSession {
    SessionView session;
    std::int64_t revision = 0;
    bool replayed = false;
};

std::string text_of(const Owner& owner) { return owner.user + (owner.test ? " test" : ""); }

Result<store::SessionFilter> filter_of(const SessionsQuery& query)
{
    store::SessionFilter filter{.sort = query.sort == SessionSort::created
                                            ? store::SessionFilter::Sort::created
                                            : store::SessionFilter::Sort::activity,
                                .ascending = query.order == Order::ascending};
    if (query.archived != ArchivedFilter::all)
        filter.archived = query.archived == ArchivedFilter::yes;
    if (query.q) filter.title_part = chat::title_key(*query.q);
    const std::string automation = query.automation.value_or("any");
    if (automation == "none")
        filter.automation = "";
    else if (is_automation_id(automation))
        filter.automation = automation;
    else if (automation != "any")
        return validation_failed(
            {{"automation", "invalid_value", "must be any, none or the id of an automation",
              Fault::Location::parameter}});
    return filter;
}

// A cursor is valid for this list, this owner, this order and this filter only.
std::string list_of(const Owner& owner, const store::SessionFilter& filter)
{
    std::string list = "sessions " + text_of(owner);
    list += filter.sort == store::SessionFilter::Sort::created ? " created" : " activity";
    list += filter.ascending ? " asc" : " desc";
    list += !filter.archived ? " all" : *filter.archived ? " archived" : " open";
    list += " " + (filter.automation ? "of " + *filter.automation : "any");
    return list + " " + filter.title_part;
}

Task<Result<ListPage<SessionView>>> list_sessions(store::Store& store, Cursors& cursors,
                                                  ChatReader caller, Query<SessionsQuery> query)
{
    const Owner owner = owner_of(caller);
    const auto filter = filter_of(query);
    if (!filter) co_return filter.error();
    const PagePosition place(list_of(owner, *filter), cursors);
    const auto after = place.of({.limit = query.limit, .after = query.after});
    if (!after) co_return after.error();
    const auto page = co_await store.sessions().list_sessions(
        owner, *filter, *after, static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<SessionView>(
        *page, [](const store::Session& session) { return chat::view(session); });
}

Task<Result<MadeSession>> create_session(chat::Sessions& sessions, const Clock& clock,
                                         ChatWriter caller, Origin origin,
                                         const http::RequestHead& head, Body<NewSessionBody> body)
{
    auto key = key_claim(head, "session", fields::write<NewSessionBody>(body), clock);
    if (!key) co_return key.error();
    auto made = co_await sessions.create(owner_of(caller),
                                         {.title = std::move(body.title),
                                          .instructions = std::move(body.instructions),
                                          .model = std::move(body.model),
                                          .metadata = std::move(body.metadata).value_or(Metadata()),
                                          .key = std::move(*key),
                                          .cause = {std::move(origin.request_id)}});
    if (!made) co_return made.error();
    co_return MadeSession{chat::view(made->session), made->session.revision, made->replayed};
}

Task<Result<WithETag<SessionView>>> get_session(store::Store& store, ChatReader caller,
                                                Path<SessionPath> path)
{
    const auto session =
        co_await store.sessions().find_session(owner_of(caller), std::move(path.session));
    if (!session) co_return session.error();
    co_return WithETag<SessionView>{chat::view(*session), session->revision};
}

template <class T>
std::optional<T> value_of(const fields::Nullable<T>& given)
{
    return given ? std::optional(*given) : std::nullopt;
}

store::SessionChange change_of(const SessionPatch& patch, const Origin& origin)
{
    store::SessionChange change{.title = patch.title,
                                .archived = patch.archived,
                                .keep = patch.keep,
                                .metadata = patch.metadata,
                                .cause = {origin.request_id}};
    if (patch.instructions.given()) change.instructions = value_of(patch.instructions);
    if (patch.model.given()) change.model = value_of(patch.model);
    return change;
}

// Compares the revision that the client has seen; the store compares again when it makes the
// change. Nothing if the client sends no If-Match.
Task<Result<std::optional<std::int64_t>>> expected_revision(store::Store& store, Owner owner,
                                                            std::string session,
                                                            const http::RequestHead& head)
{
    if (head.count("if-match") == 0) co_return std::optional<std::int64_t>();
    const auto found = co_await store.sessions().find_session(owner, session);
    if (!found) co_return found.error();
    if (!matches(head, found->revision))
        co_return Error{Errc::precondition_failed,
                        "The session has changed since you fetched it; fetch it again."};
    co_return std::optional(found->revision);
}

Task<Result<WithETag<SessionView>>> change_session(store::Store& store, chat::Sessions& sessions,
                                                   ChatWriter caller, Origin origin,
                                                   const http::RequestHead& head,
                                                   Path<SessionPath> path, Body<SessionPatch> body)
{
    const Owner owner = owner_of(caller);
    const auto expected = co_await expected_revision(store, owner, path.session, head);
    if (!expected) co_return expected.error();
    const auto changed = co_await sessions.change(owner, std::move(path.session),
                                                  change_of(body, origin), *expected);
    if (!changed) co_return changed.error();
    co_return WithETag<SessionView>{chat::view(*changed), changed->revision};
}

Task<Result<>> delete_session(store::Store& store, chat::Sessions& sessions, ChatWriter caller,
                              Origin origin, const http::RequestHead& head, Path<SessionPath> path)
{
    const Owner owner = owner_of(caller);
    const auto expected = co_await expected_revision(store, owner, path.session, head);
    if (!expected) co_return expected.error();
    co_return co_await sessions.remove(owner, std::move(path.session), *expected,
                                       {std::move(origin.request_id)});
}

// The content of a cursor of a branch: the start of the page, and the branch.
std::string text_of(const store::Messages::BranchPage& read)
{
    return std::to_string(*read.page.next) + " " + read.leaf.value_or("");
}

Error leaf_and_through()
{
    return validation_failed(
        {{"through", "invalid", "cannot be combined with leaf", Fault::Location::parameter}});
}

Task<Result<ListPage<MessageView>>> list_messages(store::Store& store, Cursors& cursors,
                                                  ChatReader caller, Path<SessionPath> path,
                                                  Query<MessagesQuery> query)
{
    const Owner owner = owner_of(caller);
    const bool ascending = query.order == Order::ascending;
    const std::string list = "messages " + text_of(owner) + " " + path.session +
                             (ascending ? " asc " : " desc ") + query.leaf.value_or("") +
                             (query.through ? " through " + *query.through : "");
    if (query.leaf && query.through) co_return leaf_and_through();
    std::optional<std::string> leaf = query.leaf;
    std::optional<store::Messages::Position> after;
    if (query.after) {
        const auto text = cursors.open(list, *query.after);
        if (!text) co_return text.error();
        after = 0;
        std::from_chars(text->data(), text->data() + text->size(), *after);
        leaf = text->substr(text->find(' ') + 1);  // All pages show the branch of the first one.
    } else if (query.through) {
        auto newest = co_await store.messages().newest_below(owner, path.session, *query.through);
        if (!newest) co_return newest.error();
        leaf = std::move(*newest);
    }
    const auto read = co_await store.messages().list_branch(
        owner, path.session, leaf, ascending, after, static_cast<std::size_t>(query.limit));
    if (!read) co_return read.error();
    ListPage<MessageView> listed;
    for (const auto& placed : read->page.items) listed.list.data.push_back(chat::view(placed));
    listed.list.has_more = read->page.next.has_value();
    if (read->page.next) listed.list.next_cursor = cursors.seal(list, text_of(*read));
    co_return listed;
}

// An answer so far; nothing if its run has just ended.
Task<std::optional<MessageView>> unfinished_message(chat::Runs& runs,
                                                    const store::WritingRun& writing)
{
    auto shown = co_await runs.unfinished_answer(writing.whole);
    if (!shown) co_return std::nullopt;
    shown->sibling_ids = writing.siblings;
    shown->sibling_ids->push_back(shown->id);
    co_return shown;
}

Task<Result<MessageView>> get_message(store::Store& store, chat::Runs& runs, ChatReader caller,
                                      Path<MessagePath> path)
{
    const Owner owner = owner_of(caller);
    // A message that is neither stored nor being written may have been stored between both
    // look-ups, so a second pass finds it.
    for (int look = 0; look < 2; ++look) {
        const auto found = co_await store.messages().find_message(owner, path.message);
        if (found) co_return chat::view(*found);
        if (found.error().code != Errc::not_found) co_return found.error();
        const auto writing = co_await store.runs().find_writing_run(owner, path.message);
        if (!writing && writing.error().code != Errc::not_found) co_return writing.error();
        std::optional<MessageView> unfinished;
        if (writing) unfinished = co_await unfinished_message(runs, *writing);
        if (unfinished) co_return std::move(*unfinished);
    }
    co_return not_found("The message");
}

}  // namespace

namespace detail {

template <>
struct ResponseTraits<MadeSession> {
    static constexpr int status = 201;
    static constexpr std::array fields{"Location", "ETag", "Idempotency-Replayed"};
    static boost::json::object schema()
    {
        return fields::schema<SessionView>(fields::Direction::response);
    }
    static http::Response response(const MadeSession& made)
    {
        auto response = json_response(status, fields::write(made.session));
        response.fields.add("Location", "/v1/api/chat/sessions/" + made.session.id);
        response.fields.add("ETag", entity_tag(made.revision));
        if (made.replayed) response.fields.add("Idempotency-Replayed", "true");
        return response;
    }
};

}  // namespace detail

std::vector<Route> session_routes()
{
    return {
        route<list_sessions>("GET", "/v1/api/chat/sessions", "listSessions",
                             "List your chat sessions", CountedAs{.of = limits::Class::chat},
                             may_fail(Errc::invalid_cursor)),
        route<create_session>("POST", "/v1/api/chat/sessions", "createSession", "Create a session",
                              needs_room, takes_fields<IdempotencyFields>,
                              may_fail(Errc::invalid_idempotency_key, Errc::unknown_model,
                                       Errc::idempotency_mismatch)),
        route<get_session>("GET", "/v1/api/chat/sessions/{session}", "getSession",
                           "Get one session"),
        route<change_session>("PATCH", "/v1/api/chat/sessions/{session}", "changeSession",
                              "Change a session", needs_room, takes_fields<ConditionalFields>,
                              may_fail(Errc::precondition_failed, Errc::unknown_model)),
        route<delete_session>("DELETE", "/v1/api/chat/sessions/{session}", "deleteSession",
                              "Delete a session with its messages and runs",
                              takes_fields<ConditionalFields>, may_fail(Errc::precondition_failed)),
        route<list_messages>("GET", "/v1/api/chat/sessions/{session}/messages", "listMessages",
                             "List the messages of one branch", may_fail(Errc::invalid_cursor)),
        route<get_message>("GET", "/v1/api/chat/messages/{message}", "getMessage",
                           "Get one message"),
    };
}

}  // namespace parley::api
