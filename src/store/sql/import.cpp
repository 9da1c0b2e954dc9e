#include "base/hex.hpp"
#include "base/timer.hpp"
#include "store/refusals.hpp"
#include "store/sql/chats.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/moving.hpp"
#include "store/sql/people.hpp"
#include "store/sql/session_removal.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <chrono>

namespace parley::store::sql {
namespace {

// Messages of one transaction: other changes wait for it.
constexpr std::size_t messages_at_once = 250;

// A message that is stored.
struct PlacedImport {
    std::int64_t position = 0;
    std::int64_t branch = 0;
    std::int64_t depth = 0;
};

struct EarlierImport {
    std::int64_t position = 0;  // The position of its session.
    std::string session = {};
    bool is_complete = false;
};

struct ImportColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> session{*in, "session_id"};
    Column<bool> is_complete{*in, "complete"};
};

std::optional<EarlierImport> find_import(Connection& connection, const NewImport& import)
{
    Query select = connection.query(
        "SELECT sessions.position, sessions.id AS session_id, imports.complete"
        " FROM imports CROSS JOIN sessions ON sessions.position = imports.session"
        " WHERE imports.user = ?1 AND imports.test = ?2 AND imports.format = ?3"
        " AND imports.source = ?4");
    const Owner& owner = import.session.owner;
    if (!select.bind(owner.user, owner.test, import.format, import.source).next())
        return std::nullopt;
    const auto& at = select.columns<ImportColumns>();
    return EarlierImport{select[at.position], select[at.session], select[at.is_complete]};
}

struct RemovedPart {
    bool is_removed = false;  // False if another server has completed the import meanwhile.
    bool is_hidden = false;   // Rows remain for delete_hidden().
};

// An import that was not completed, by a crash perhaps, begins again.
RemovedPart remove_part(Connection& connection, const NewImport& import, const std::string& session)
{
    connection.lock(Lock::automations_of_session, {session});
    connection.lock(Lock::session, {session});
    const auto now = find_import(connection, import);
    if (now && now->is_complete) return {};
    const auto found = find_session(connection, import.session.owner, session);
    if (!found) return {.is_removed = true};
    return {.is_removed = true,
            .is_hidden = remove_session(connection, *found, {import.now, import.cause})};
}

Error no_longer_imported()
{
    return {Errc::conflict,
            "The session was deleted, or imported by another request, while it was imported."};
}

struct BegunImport {
    std::int64_t session = 0;  // Its position.
    std::optional<std::string> replayed = {};
    bool has_hidden = false;  // A part of an earlier import, which is to be deleted.
};

Result<BegunImport> begin_import(Connection& connection, const NewImport& import)
{
    const Owner& owner = import.session.owner;
    connection.lock(Lock::user, {owner.user});
    if (!find_user(connection, owner.user)) return not_found("The user");
    const auto earlier = find_import(connection, import);
    RemovedPart part;
    if (earlier && !earlier->is_complete) part = remove_part(connection, import, earlier->session);
    if (earlier && !part.is_removed) return BegunImport{earlier->position, earlier->session};
    Session session = import.session;
    make_new(session);
    const auto position = insert_session(connection, session);
    if (!position) return session_is_there();
    Query insert = connection.query(
        "INSERT INTO imports (\"user\", test, format, source, session, complete, imported_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)");
    insert.bind(owner.user, owner.test, import.format, import.source, *position, import.now).run();
    tell(connection, owner, {import.now, import.cause},
         {{{EventType::session_created, import.session.id}}});
    return BegunImport{*position, std::nullopt, part.is_hidden};
}

Result<PlacedImport> place(Connection& connection, std::int64_t session, const Message& message,
                           const PlacedImport* above)
{
    std::optional<KeptMessage> parent;
    if (above) {
        parent = KeptMessage{.position = above->position, .branch = above->branch};
        parent->message.depth = above->depth;
    }
    const auto position = insert_message(connection, session, parent ? &*parent : nullptr, message);
    if (!position) return new_id_is_there();
    Query select = connection.query("SELECT branch FROM messages WHERE position = ?1");
    if (!select.bind(*position).next()) throw damage("a new message is missing");
    return PlacedImport{*position, select.only<std::int64_t>(),
                        parent ? parent->message.depth + 1 : 0};
}

bool is_session(Connection& connection, std::int64_t position, const std::string& id)
{
    Query select = connection.query("SELECT 1 FROM sessions WHERE position = ?1 AND id = ?2");
    return select.bind(position, id).next();
}

using PlacedImports = std::vector<PlacedImport>;

// The messages after the first ones, which are stored; returns where they are.
Result<PlacedImports> import_some(Connection& connection, const NewImport& import,
                                  std::int64_t session, const PlacedImports& before)
{
    connection.lock(Lock::session, {import.session.id});
    if (!is_session(connection, session, import.session.id)) return no_longer_imported();
    PlacedImports placed;
    const auto at = [&](std::size_t index) {
        return index < before.size() ? &before[index] : &placed[index - before.size()];
    };
    const std::size_t end = std::min(before.size() + messages_at_once, import.messages.size());
    for (std::size_t i = before.size(); i < end; ++i) {
        const auto& [message, parent] = import.messages[i];
        auto next = place(connection, session, message, parent ? at(*parent) : nullptr);
        if (!next) return next.error();
        placed.push_back(*next);
    }
    // Not by an event, but the search has to index them.
    connection.note_grown_log(import.session.owner);
    return placed;
}

// Stores the number of messages and the newest one in the session.
void note_messages(Connection& connection, std::int64_t session, const NewImport& import)
{
    std::optional<std::string> newest;
    std::optional<TimePoint> last_at;
    if (import.newest) newest = import.messages[*import.newest].message.id;
    for (const ImportedMessage& each : import.messages)
        last_at = std::max(last_at.value_or(each.message.created_at), each.message.created_at);
    Query update = connection.query(
        "UPDATE sessions SET message_count = message_count + ?2,"
        " newest_message = coalesce(newest_message, ?3),"
        " last_message_ms = coalesce(last_message_ms, ?4), revision = revision + 1"
        " WHERE position = ?1");
    update.bind(session, at_most(import.messages.size()), newest, last_at).run();
}

Result<> end_import(Connection& connection, const NewImport& import, std::int64_t session)
{
    connection.lock(Lock::session, {import.session.id});
    if (!is_session(connection, session, import.session.id)) return no_longer_imported();
    note_messages(connection, session, import);
    connection.query("UPDATE imports SET complete = 1 WHERE session = ?1").bind(session).run();
    return {};
}

std::string name_of(const NewImport& import)
{
    const Owner& owner = import.session.owner;
    return owner.user + (owner.test ? "/test/" : "/live/") + import.format + "/" +
           to_hex(import.source);
}

}  // namespace

// However long it takes: on a slow machine, the index would fall behind for minutes.
Task<> SqlMoving::wait_for_index()
{
    constexpr std::chrono::milliseconds step{20};
    Timer timer(co_await boost::asio::this_coro::executor);
    while (backlog_.is_long(std::chrono::steady_clock::now())) {
        timer.expires_after(step);
        co_await timer.async_wait(awaiting);
    }
}

// Another server has begun the same import again. Fails with `conflict` if there is none, since the
// session was deleted, or if it does not end.
Task<Result<StoredImport>> SqlMoving::wait_for_other(const NewImport& import, Error conflict)
{
    constexpr std::chrono::milliseconds step{50};
    constexpr std::chrono::minutes most{5};
    Timer timer(co_await boost::asio::this_coro::executor);
    const auto end = std::chrono::steady_clock::now() + most;
    while (std::chrono::steady_clock::now() < end) {
        const auto read = co_await long_reads_.run<std::optional<EarlierImport>>(
            [&import](Connection& connection) -> Result<std::optional<EarlierImport>> {
                return find_import(connection, import);
            });
        if (!read) co_return read.error();
        const std::optional<EarlierImport>& other = *read;
        if (!other) break;
        if (other->is_complete) co_return StoredImport{other->session, true};
        timer.expires_after(step);
        co_await timer.async_wait(awaiting);
    }
    co_return conflict;
}

Task<Result<StoredImport>> SqlMoving::import_session(NewImport import)
{
    const auto turn = co_await turns_.take(name_of(import));
    if (!turn)
        co_return Error{Errc::overloaded, "Several requests import this conversation already."};
    auto stored = co_await store_import(import);
    if (stored || stored.error().code != Errc::conflict) co_return stored;
    co_return co_await wait_for_other(import, stored.error());
}

Task<Result<StoredImport>> SqlMoving::store_import(const NewImport& import)
{
    const auto begun = co_await writes_.run<BegunImport>(
        [&import](Connection& connection) { return begin_import(connection, import); });
    if (!begun) co_return begun.error();
    if (begun->replayed) co_return StoredImport{*begun->replayed, true};
    if (begun->has_hidden) co_await delete_hidden(writes_);
    PlacedImports placed;
    while (placed.size() < import.messages.size()) {
        auto next = co_await writes_.run<PlacedImports>([&](Connection& connection) {
            return import_some(connection, import, begun->session, placed);
        });
        if (!next) co_return next.error();
        placed.insert(placed.end(), next->begin(), next->end());
        backlog_.imported(next->size());
        co_await wait_for_index();
    }
    const auto ended = co_await writes_.run<void>(
        [&](Connection& connection) { return end_import(connection, import, begun->session); });
    if (!ended) co_return ended.error();
    co_return StoredImport{import.session.id, false};
}

}  // namespace parley::store::sql
