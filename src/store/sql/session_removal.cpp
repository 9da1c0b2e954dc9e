#include "store/sql/session_removal.hpp"

#include "store/sql/attempts.hpp"
#include "store/sql/images.hpp"
#include "store/sql/people.hpp"

#include <array>

namespace parley::store::sql {
namespace {

// Rows of one transaction, and the messages of a session that is deleted at once.
constexpr std::size_t deleted_at_once = 500;

struct HiddenSession {
    std::int64_t position = 0;
    std::string id = {};
};

struct HiddenColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
};

// Sessions that are being imported are hidden, too, until they are complete.
std::optional<HiddenSession> first_hidden(Connection& connection)
{
    Query select = connection.query(
        "SELECT position, id FROM sessions INDEXED BY removed_sessions WHERE removed = 1"
        " AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.session = sessions.position)"
        " ORDER BY position LIMIT 1");
    if (!select.next()) return std::nullopt;
    const auto& at = select.columns<HiddenColumns>();
    return HiddenSession{select[at.position], select[at.id]};
}

bool has_many_messages(Connection& connection, std::int64_t session)
{
    Query select = connection.query(
        "SELECT 1 FROM messages INDEXED BY siblings WHERE session = ?1 LIMIT 1 OFFSET ?2");
    return select.bind(session, at_most(deleted_at_once)).next();
}

// No request can name the new id. Deletes what others would find without the session.
void hide_session(Connection& connection, const KeptSession& kept)
{
    const std::string id = kept.session.id + " removed";
    Query update = connection.query(
        "UPDATE sessions SET removed = 1, id = ?2, automation = NULL WHERE position = ?1");
    update.bind(kept.position, id).run();
    Query runs = connection.query("DELETE FROM runs WHERE session = ?1 AND completed_ms IS NULL");
    runs.bind(kept.position).run();
    connection.query("DELETE FROM message_images WHERE session = ?1").bind(kept.position).run();
    connection.query("DELETE FROM imports WHERE session = ?1").bind(kept.position).run();
}

// Active runs of the session are cancelled with it.
std::vector<NewEvent> told_of_removal(const Session& session)
{
    std::vector<NewEvent> events;
    events.reserve(session.active_runs.size() + 1);
    for (const std::string& run : session.active_runs)
        events.push_back({EventType::run_cancelled, run, session.id});
    events.push_back({EventType::session_deleted, session.id});
    return events;
}

// True if there is more to delete. Branches go last: their numbers may be used again.
Result<bool> delete_some(Connection& connection)
{
    static constexpr std::array deletions = std::to_array<const char*>({
        "DELETE FROM runs WHERE position IN (SELECT position FROM runs"
        " INDEXED BY runs_of_session WHERE session = ?1 LIMIT ?2)",
        "DELETE FROM messages WHERE position IN (SELECT position FROM messages"
        " INDEXED BY siblings WHERE session = ?1 LIMIT ?2)",
        "DELETE FROM branches WHERE branch IN (SELECT branch FROM branches"
        " INDEXED BY branches_of_session WHERE session = ?1 LIMIT ?2)",
    });
    const auto session = first_hidden(connection);
    if (!session) return false;
    connection.lock(Lock::session, {session->id});
    for (const char* deletion : deletions) {
        Query rows = connection.query(deletion);
        if (rows.bind(session->position, at_most(deleted_at_once)).run() == deleted_at_once)
            return true;
    }
    connection.query("DELETE FROM sessions WHERE position = ?1").bind(session->position).run();
    return first_hidden(connection).has_value();
}

}  // namespace

bool remove_session(Connection& connection, const KeptSession& kept, const Occasion& occasion)
{
    const SessionImages images(connection, kept);
    const bool is_hidden = has_many_messages(connection, kept.position);
    if (is_hidden)
        hide_session(connection, kept);
    else
        connection.query("DELETE FROM sessions WHERE position = ?1").bind(kept.position).run();
    images.remove_unused();
    const LostRows lost = leave_session(connection, kept.session.id, occasion.at);
    std::vector<NewEvent> events = told_of_removal(kept.session);
    lost.add_to(events);
    record_events(connection, kept.session.owner, occasion, events);
    connection.notify_replicas(Notice::session, kept.session.owner.user + "/" + kept.session.id);
    return is_hidden;
}

bool has_old_parts(Connection& connection, TimePoint before)
{
    Query select = connection.query(
        "SELECT 1 FROM sessions INDEXED BY removed_sessions"
        " CROSS JOIN imports ON imports.session = sessions.position"
        " WHERE sessions.removed = 1 AND imports.complete = 0 AND imports.imported_ms < ?1"
        " LIMIT 1");
    return select.bind(before).next();
}

void drop_old_parts(Connection& connection, TimePoint before)
{
    Query drop = connection.query(
        "DELETE FROM imports WHERE complete = 0 AND imported_ms < ?1 AND session IN"
        " (SELECT position FROM sessions INDEXED BY removed_sessions WHERE removed = 1)");
    drop.bind(before).run();
}

Result<bool> has_hidden(Connection& connection) { return first_hidden(connection).has_value(); }

Task<> delete_hidden(JobQueue& writes)
{
    for (bool has_more = true; has_more;) {
        const auto deleted = co_await writes.run<bool>(delete_some);
        has_more = deleted && *deleted;
    }
}

}  // namespace parley::store::sql
