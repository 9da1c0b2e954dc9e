#include "store/sql/sessions.hpp"

#include "store/sql/chats.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/people.hpp"
#include "store/sql/session_removal.hpp"

#include <array>
#include <limits>

// The index is named: any other plan would read all sessions of the user for a page. The last
// parameter is in all of these statements, so that all have the same values bound.
#define LIST_SESSIONS(position, index, archived, beyond, order)                                \
    "SELECT sessions." position " AS page_position, " SESSION_COLUMNS                          \
    " FROM sessions INDEXED BY " index " WHERE sessions.user = ?1 AND test = ?2 AND " archived \
    " AND " position beyond                                                                    \
    "?4 AND removed <> 1 AND (?5 = '' OR instr(title_key, ?5) > 0)"                            \
    " AND (?7 IS NULL OR coalesce(automation, '') = ?7) ORDER BY " position order " LIMIT ?6"
#define LIST_SESSIONS_BOTH_WAYS(position, index, archived)        \
    {                                                             \
        LIST_SESSIONS(position, index, archived, " < ", " DESC"), \
        LIST_SESSIONS(position, index, archived, " > ", " ASC"),  \
    }

namespace parley::store::sql {
namespace {

Result<Session> require_session(Connection& connection, const Owner& owner, const std::string& id)
{
    auto found = find_session(connection, owner, id);
    if (!found) return not_found("The session");
    return std::move(found->session);
}

Result<Sessions::Created> replay(Connection& connection, const Owner& owner,
                                 const std::string& session)
{
    auto found = require_session(connection, owner, session);
    if (!found) return found.error();
    return Sessions::Created{std::move(*found), true};
}

Result<Sessions::Created> create(Connection& connection, const Session& session,
                                 const std::optional<KeyClaim>& key, const Cause& cause)
{
    if (key) {
        lock_key(connection, session.owner, *key);
        const auto made = made_before(connection, session.owner, *key, Keyed::session);
        if (!made) return made.error();
        if (*made) return replay(connection, session.owner, **made);
    }
    if (!find_user(connection, session.owner.user)) return not_found("The user");
    if (!insert_session(connection, session)) return session_is_there();
    if (key) bind_key(connection, session.owner, *key, Keyed::session, session.id);
    record_events(connection, session.owner, {session.created_at, cause},
                  {{{EventType::session_created, session.id}}});
    return Sessions::Created{session, false};
}

const char* list_statement(const SessionFilter& filter)
{
    using BothWays = std::array<const char*, 2>;
    static constexpr std::array<std::array<BothWays, 2>, 2> statements = {{
        {{LIST_SESSIONS_BOTH_WAYS("activity", "sessions_by_activity", "?3 IS NULL"),
          LIST_SESSIONS_BOTH_WAYS("activity", "archived_sessions_by_activity", "archived = ?3")}},
        {{LIST_SESSIONS_BOTH_WAYS("position", "sessions_by_creation", "?3 IS NULL"),
          LIST_SESSIONS_BOTH_WAYS("position", "archived_sessions_by_creation", "archived = ?3")}},
    }};
    const std::size_t sort = filter.sort == SessionFilter::Sort::created ? 1 : 0;
    return statements.at(sort).at(filter.archived.has_value() ? 1 : 0).at(filter.ascending ? 1 : 0);
}

using SessionPage = Page<Session, Sessions::Position>;

Result<SessionPage> page_after(Connection& connection, const Owner& owner,
                               const SessionFilter& filter, Sessions::Position after,
                               std::size_t limit)
{
    Query select = connection.query(list_statement(filter));
    select.bind(owner.user, owner.test, filter.archived, after, filter.title_part,
                static_cast<std::int64_t>(limit + 1),  // One more: is there a next page?
                filter.automation);
    return roomy_page_of<Session>(
        select, limit, [&](const Query& row) { return session_of(connection, row).session; },
        [](const Session& item) { return page_bytes(item); });
}

void update(Connection& connection, std::int64_t position, const Session& session)
{
    Query update = connection.query(
        "UPDATE sessions SET title = ?2, title_key = ?3, title_was_set = ?4, archived = ?5,"
        " instructions = ?6, model = ?7, metadata = ?8, updated_ms = ?9, revision = ?10, keep = ?11"
        " WHERE position = ?1");
    const std::string metadata = to_text(session.metadata);
    update.bind(position, session.title, session.title_key, session.title_was_set, session.archived,
                session.instructions, session.model, metadata, session.updated_at, session.revision,
                session.keep);
    update.run();
}

Result<Session> change(Connection& connection, const Owner& owner, const std::string& id,
                       const SessionChange& wanted, std::optional<std::int64_t> expected)
{
    connection.lock(Lock::session, {id});
    auto found = find_session(connection, owner, id);
    if (!found) return not_found("The session");
    if (expected && *expected != found->session.revision) return session_was_changed();
    apply(found->session, wanted);
    update(connection, found->position, found->session);
    record_events(connection, owner, {wanted.now, wanted.cause},
                  {{{EventType::session_updated, id}}});
    return std::move(found->session);
}

// True if rows remain for delete_hidden().
Result<bool> remove(Connection& connection, const Owner& owner, const std::string& id,
                    const SessionRemoval& removal)
{
    connection.lock(Lock::automations_of_session, {id});
    connection.lock(Lock::session, {id});
    const auto found = find_session(connection, owner, id);
    if (!found) return not_found("The session");
    if (removal.expected && *removal.expected != found->session.revision)
        return session_was_changed();
    return sql::remove_session(connection, *found, {removal.now, removal.cause});
}

}  // namespace

Task<Result<Sessions::Created>> SqlSessions::create_session(Session session,
                                                            std::optional<KeyClaim> key,
                                                            Cause cause)
{
    make_new(session);
    return writes_.run<Created>([session = std::move(session), key = std::move(key),
                                 cause = std::move(cause)](Connection& connection) {
        return create(connection, session, key, cause);
    });
}

Task<Result<Session>> SqlSessions::find_session(Owner owner, std::string id)
{
    return reads_.run<Session>(
        [owner = std::move(owner), id = std::move(id)](Connection& connection) {
            return require_session(connection, owner, id);
        });
}

Task<Result<SessionPage>> SqlSessions::list_sessions(Owner owner, SessionFilter filter,
                                                     std::optional<Position> after,
                                                     std::size_t limit)
{
    using Bounds = std::numeric_limits<Position>;
    const Position from = after.value_or(filter.ascending ? Bounds::min() : Bounds::max());
    return reads_.run<SessionPage>([owner = std::move(owner), filter = std::move(filter), from,
                                    limit](Connection& connection) {
        return page_after(connection, owner, filter, from, limit);
    });
}

Task<Result<Session>> SqlSessions::change_session(Owner owner, std::string id, SessionChange wanted,
                                                  std::optional<std::int64_t> expected)
{
    return writes_.run<Session>([owner = std::move(owner), id = std::move(id),
                                 wanted = std::move(wanted), expected](Connection& connection) {
        return change(connection, owner, id, wanted, expected);
    });
}

Task<Result<>> SqlSessions::remove_session(Owner owner, std::string id, SessionRemoval removal)
{
    const auto removed = co_await writes_.run<bool>(
        [owner = std::move(owner), id = std::move(id), removal = std::move(removal)](
            Connection& connection) { return remove(connection, owner, id, removal); });
    if (!removed) co_return removed.error();
    if (*removed) co_await delete_hidden(writes_);
    co_return Result<>();
}

}  // namespace parley::store::sql
