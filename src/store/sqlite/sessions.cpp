#include "store/sqlite/sessions.hpp"

#include "store/sqlite/chats.hpp"
#include "store/sqlite/idempotency.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <array>
#include <limits>

// The index is named, since every other way would read all sessions of somebody for a page, and the
// one more parameter stands in all of them, so that all are bound alike.
#define LIST_SESSIONS(position, index, archived, beyond, order)                         \
    "SELECT sessions." position ", " SESSION_COLUMNS " FROM sessions INDEXED BY " index \
    " WHERE user = ?1 AND test = ?2 AND " archived " AND " position beyond              \
    "?4 AND (?5 = '' OR instr(title_key, ?5) > 0) ORDER BY " position order " LIMIT ?6"
#define LIST_SESSIONS_BOTH_WAYS(position, index, archived)        \
    {                                                             \
        LIST_SESSIONS(position, index, archived, " < ", " DESC"), \
        LIST_SESSIONS(position, index, archived, " > ", " ASC"),  \
    }

namespace parley::store::sqlite {
namespace {

Result<Session> find(Database& database, const Owner& owner, const std::string& id)
{
    auto found = find_session(database, owner, id);
    if (!found) return not_found("The session");
    return std::move(found->session);
}

Result<Sessions::Created> replay(Database& database, const Owner& owner, const std::string& session)
{
    auto found = find(database, owner, session);
    if (!found) return found.error();
    return Sessions::Created{std::move(*found), true};
}

Result<Sessions::Created> create(Database& database, const Session& session,
                                 const std::optional<KeyClaim>& key)
{
    if (key) {
        const auto made = made_before(database, session.owner, *key, Keyed::session);
        if (!made) return made.error();
        if (*made) return replay(database, session.owner, **made);
    }
    if (!find_user(database, session.owner.user)) return not_found("The user");
    if (!insert_session(database, session)) return session_is_there();
    if (key) bind_key(database, session.owner, *key, Keyed::session, session.id);
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

Result<SessionPage> page_after(Database& database, const Owner& owner, const SessionFilter& filter,
                               Sessions::Position after, std::size_t limit)
{
    Query select = database.query(list_statement(filter));
    select.bind(owner.user, owner.test, filter.archived, after, filter.title_part,
                static_cast<std::int64_t>(limit + 1));  // One more: is there a next page?
    return roomy_page_of<Session>(
        select, limit, [&](const Query& row) { return session_of(database, row, 1).session; },
        [](const Session& item) { return page_bytes(item); });
}

void update(Database& database, std::int64_t position, const Session& session)
{
    Query update = database.query(
        "UPDATE sessions SET title = ?2, title_key = ?3, title_was_set = ?4, archived = ?5,"
        " instructions = ?6, model = ?7, metadata = ?8, updated_ms = ?9, revision = ?10"
        " WHERE position = ?1");
    const std::string metadata = to_text(session.metadata);
    update.bind(position, session.title, session.title_key, session.title_was_set, session.archived,
                session.instructions, session.model, metadata, to_ms(session.updated_at),
                session.revision);
    update.run();
}

Result<Session> change(Database& database, const Owner& owner, const std::string& id,
                       const SessionChange& wanted, std::optional<std::int64_t> expected)
{
    auto found = find_session(database, owner, id);
    if (!found) return not_found("The session");
    if (expected && *expected != found->session.revision) return session_was_changed();
    apply(found->session, wanted);
    update(database, found->position, found->session);
    return std::move(found->session);
}

Result<> remove(Database& database, const Owner& owner, const std::string& id,
                std::optional<std::int64_t> expected)
{
    const auto found = find_session(database, owner, id);
    if (!found) return not_found("The session");
    if (expected && *expected != found->session.revision) return session_was_changed();
    database.query("DELETE FROM sessions WHERE position = ?1").bind(found->position).run();
    return {};
}

}  // namespace

Task<Result<Sessions::Created>> SqliteSessions::create_session(Session session,
                                                               std::optional<KeyClaim> key)
{
    make_new(session);
    return writer_.write<Created>(
        [session = std::move(session), key = std::move(key)](Database& database) {
            return create(database, session, key);
        });
}

Task<Result<Session>> SqliteSessions::find_session(Owner owner, std::string id)
{
    return readers_.read<Session>([owner = std::move(owner), id = std::move(id)](
                                      Database& database) { return find(database, owner, id); });
}

Task<Result<SessionPage>> SqliteSessions::list_sessions(Owner owner, SessionFilter filter,
                                                        std::optional<Position> after,
                                                        std::size_t limit)
{
    using Bounds = std::numeric_limits<Position>;
    const Position from = after.value_or(filter.ascending ? Bounds::min() : Bounds::max());
    return readers_.read<SessionPage>(
        [owner = std::move(owner), filter = std::move(filter), from, limit](Database& database) {
            return page_after(database, owner, filter, from, limit);
        });
}

Task<Result<Session>> SqliteSessions::change_session(Owner owner, std::string id,
                                                     SessionChange wanted,
                                                     std::optional<std::int64_t> expected)
{
    return writer_.write<Session>(
        [owner = std::move(owner), id = std::move(id), wanted = std::move(wanted),
         expected](Database& database) { return change(database, owner, id, wanted, expected); });
}

Task<Result<>> SqliteSessions::remove_session(Owner owner, std::string id,
                                              std::optional<std::int64_t> expected)
{
    return writer_.write<void>(
        [owner = std::move(owner), id = std::move(id), expected](Database& database) {
            return remove(database, owner, id, expected);
        });
}

}  // namespace parley::store::sqlite
