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

// Nothing finds it any more; its rows remain for delete_hidden().
void drop_part(Connection& connection, std::int64_t session)
{
    Query update = connection.query(
        "UPDATE sessions SET removed = 1, id = id || ' removed' WHERE position = ?1");
    update.bind(session).run();
    connection.query("DELETE FROM imports WHERE session = ?1").bind(session).run();
}

// An import that was not completed, by a crash perhaps, begins again. False if another server has
// completed it meanwhile.
bool drop_earlier(Connection& connection, const NewImport& import, const EarlierImport& earlier)
{
    connection.lock(Lock::session, {earlier.session});
    const auto now = find_import(connection, import);
    if (now && now->is_complete) return false;
    if (now) drop_part(connection, now->position);
    return true;
}

Error ended_by_shutdown()
{
    return {Errc::shutting_down,
            "The server is shutting down. Nothing was imported; repeat the import."};
}

Error no_longer_imported()
{
    return {Errc::conflict,
            "The user was deleted, or another request has begun to import this conversation."};
}

struct BegunImport {
    std::int64_t session = 0;  // Its position.
    std::optional<std::string> replayed = {};
    bool has_hidden = false;  // A part of an earlier import, which is to be deleted.
};

// The session is hidden until all of it is stored: a crash leaves nothing that is found.
Result<BegunImport> begin_import(Connection& connection, const NewImport& import)
{
    const Owner& owner = import.session.owner;
    connection.lock(Lock::user, {owner.user});
    if (!find_user(connection, owner.user)) return not_found("The user");
    const auto earlier = find_import(connection, import);
    if (earlier && (earlier->is_complete || !drop_earlier(connection, import, *earlier)))
        return BegunImport{earlier->position, earlier->session};
    Session session = import.session;
    make_new(session);
    const auto position = insert_session(connection, session);
    if (!position) return session_is_there();
    connection.query("UPDATE sessions SET removed = 1 WHERE position = ?1").bind(*position).run();
    Query insert = connection.query(
        "INSERT INTO imports (\"user\", test, format, source, session, complete, imported_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)");
    insert.bind(owner.user, owner.test, import.format, import.source, *position, import.now).run();
    return BegunImport{*position, std::nullopt, earlier.has_value()};
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

// Not if another request has begun it again.
bool is_in_progress(Connection& connection, std::int64_t session)
{
    Query select = connection.query("SELECT 1 FROM imports WHERE session = ?1 AND complete = 0");
    return select.bind(session).next();
}

using PlacedImports = std::vector<PlacedImport>;

// The messages after the first ones, which are stored; returns where they are.
Result<PlacedImports> import_some(Connection& connection, const NewImport& import,
                                  std::int64_t session, const PlacedImports& before)
{
    connection.lock(Lock::session, {import.session.id});
    if (!is_in_progress(connection, session)) return no_longer_imported();
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

// Stores the number of messages and the newest one in the session, which is found from now on.
void complete_session(Connection& connection, std::int64_t session, const NewImport& import)
{
    std::optional<std::string> newest;
    std::optional<TimePoint> last_at;
    if (import.newest) newest = import.messages[*import.newest].message.id;
    for (const ImportedMessage& each : import.messages)
        last_at = std::max(last_at.value_or(each.message.created_at), each.message.created_at);
    Query update = connection.query(
        "UPDATE sessions SET removed = 0, message_count = ?2, newest_message = ?3,"
        " last_message_ms = ?4 WHERE position = ?1");
    update.bind(session, at_most(import.messages.size()), newest, last_at).run();
}

Result<> end_import(Connection& connection, const NewImport& import, std::int64_t session,
                    TimePoint now)
{
    connection.lock(Lock::session, {import.session.id});
    if (!is_in_progress(connection, session)) return no_longer_imported();
    complete_session(connection, session, import);
    connection.query("UPDATE imports SET complete = 1 WHERE session = ?1").bind(session).run();
    record_events(connection, import.session.owner, {now, import.cause},
                  {{{EventType::session_created, import.session.id}}});
    return {};
}

std::string name_of(const NewImport& import)
{
    const Owner& owner = import.session.owner;
    return owner.user + (owner.test ? "/test/" : "/live/") + import.format + "/" +
           to_hex(import.source);
}

}  // namespace

// However long it takes: on a slow machine, the index would fall behind for minutes. At shutdown
// nothing is indexed any more.
Task<> SqlMoving::wait_for_index()
{
    constexpr std::chrono::milliseconds step{20};
    Timer timer(co_await boost::asio::this_coro::executor);
    while (!is_ending() && backlog_.is_long(std::chrono::steady_clock::now())) {
        timer.expires_after(step);
        co_await timer.async_wait(awaiting);
    }
}

// Another server has begun the same import again. Fails with `conflict` if there is none, since the
// user was deleted, or if it does not end.
Task<Result<StoredImport>> SqlMoving::wait_for_other(const NewImport& import, Error conflict)
{
    constexpr std::chrono::milliseconds step{50};
    constexpr std::chrono::minutes most{5};
    Timer timer(co_await boost::asio::this_coro::executor);
    const auto end = std::chrono::steady_clock::now() + most;
    while (std::chrono::steady_clock::now() < end) {
        if (is_over()) co_return ended_by_shutdown();
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
    if (is_over()) co_return ended_by_shutdown();
    const SteadyPoint begun_at = std::chrono::steady_clock::now();
    const auto begun = co_await writes_.run<BegunImport>(
        [&import](Connection& connection) { return begin_import(connection, import); });
    if (!begun) co_return begun.error();
    if (begun->replayed) co_return StoredImport{*begun->replayed, true};
    if (begun->has_hidden) co_await delete_hidden(writes_);
    PlacedImports placed;
    while (placed.size() < import.messages.size()) {
        if (is_over()) co_return co_await give_up(begun->session);
        auto next = co_await writes_.run<PlacedImports>([&](Connection& connection) {
            return import_some(connection, import, begun->session, placed);
        });
        if (!next) co_return next.error();
        placed.insert(placed.end(), next->begin(), next->end());
        backlog_.imported(next->size());
        co_await wait_for_index();
    }
    const TimePoint now = import.now + (std::chrono::steady_clock::now() - begun_at);
    const auto ended = co_await writes_.run<void>([&](Connection& connection) {
        return end_import(connection, import, begun->session, now);
    });
    if (!ended) co_return ended.error();
    co_return StoredImport{import.session.id, false};
}

// The next start deletes the rows.
Task<Error> SqlMoving::give_up(std::int64_t session)
{
    static_cast<void>(co_await writes_.run<void>([session](Connection& connection) -> Result<> {
        drop_part(connection, session);
        return {};
    }));
    co_return ended_by_shutdown();
}

}  // namespace parley::store::sql
