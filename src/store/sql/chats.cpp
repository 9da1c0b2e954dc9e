#include "store/sql/chats.hpp"

#include "base/json.hpp"

#include <boost/json/object.hpp>

namespace parley::store::sql {
namespace {

struct SessionColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::string> id{*in, "id"};
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
    Column<bool> archived{*in, "archived"};
    Column<std::int64_t> message_count{*in, "message_count"};
    Column<std::optional<std::string>> newest_message{*in, "newest_message"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<TimePoint> updated_at{*in, "updated_ms"};
    Column<std::optional<TimePoint>> last_message_at{*in, "last_message_ms"};
    Column<std::int64_t> revision{*in, "revision"};
    Column<std::string> title{*in, "title"};
    Column<std::string> title_key{*in, "title_key"};
    Column<bool> title_was_set{*in, "title_was_set"};
    Column<std::optional<std::string>> model{*in, "model"};
    Column<std::string_view> metadata{*in, "metadata"};
    Column<std::optional<std::string>> instructions{*in, "instructions"};
    Column<std::optional<std::string>> automation{*in, "automation"};
    Column<bool> keep{*in, "keep"};
};

std::vector<std::string> active_runs(Connection& connection, std::int64_t session)
{
    Query select = connection.query(
        "SELECT id FROM runs INDEXED BY unfinished_runs"
        " WHERE session = ?1 AND completed_ms IS NULL ORDER BY position");
    return select.bind(session).texts();
}

}  // namespace

KeptSession session_of(Connection& connection, const Query& row)
{
    const auto& at = row.columns<SessionColumns>();
    const std::int64_t position = row[at.position];
    return {position,
            {.id = row[at.id],
             .owner = {row[at.user], row[at.test]},
             .title = row[at.title],
             .title_key = row[at.title_key],
             .title_was_set = row[at.title_was_set],
             .instructions = row[at.instructions],
             .model = row[at.model],
             .archived = row[at.archived],
             .metadata = metadata_of(row[at.metadata]),
             .automation = row[at.automation],
             .keep = row[at.keep],
             .created_at = row[at.created_at],
             .updated_at = row[at.updated_at],
             .last_message_at = row[at.last_message_at],
             .message_count = row[at.message_count],
             .newest_message = row[at.newest_message],
             .active_runs = active_runs(connection, position),
             .revision = row[at.revision]}};
}

std::optional<KeptSession> find_session(Connection& connection, const Owner& owner,
                                        const std::string& id)
{
    // The owner is no condition: its indexes have all sessions of a user, and PostgreSQL would use
    // one of them while it has no statistics.
    Query select =
        connection.query("SELECT " SESSION_COLUMNS " FROM sessions WHERE id = ?1 AND removed <> 1");
    if (!select.bind(id).next()) return std::nullopt;
    const auto& at = select.columns<SessionColumns>();
    if (owner != Owner{select[at.user], select[at.test]}) return std::nullopt;
    return session_of(connection, select);
}

std::optional<std::int64_t> insert_session(Connection& connection, const Session& session)
{
    Query insert = connection.query(
        "INSERT INTO sessions (" NEW_SESSION
        ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
        " ?19) ON CONFLICT DO NOTHING");
    const std::string metadata = to_text(session.metadata);
    insert.bind(session.id, session.owner.user, session.owner.test, session.archived,
                session.message_count, session.newest_message, session.created_at,
                session.updated_at, session.last_message_at, session.revision, session.title,
                session.title_key, session.title_was_set, session.model, metadata,
                session.instructions, session.automation, session.keep);
    return insert.bind_activity(19, connection).insert();
}

void note_activity(Connection& connection, std::int64_t session, const Activity& activity)
{
    std::optional<TimePoint> message_at;
    if (activity.message) message_at = activity.at;
    Query update = connection.query(
        "UPDATE sessions SET activity = ?7,"
        " message_count = message_count + CASE WHEN ?2 IS NULL THEN 0 ELSE 1 END,"
        " newest_message = coalesce(?2, newest_message),"
        " last_message_ms = coalesce(?3, last_message_ms), updated_ms = ?4,"
        " title = coalesce(?5, title), title_key = coalesce(?6, title_key),"
        " revision = revision + 1 WHERE position = ?1");
    update.bind(session, activity.message, message_at, activity.at, activity.title,
                activity.title_key);
    update.bind_activity(7, connection).send();
}

std::string to_text(const Metadata& metadata)
{
    std::string text = "{";
    for (const auto& [key, value] : metadata) {
        if (text.size() > 1) text += ',';
        json::append_quoted(text, key);
        text += ':';
        json::append_quoted(text, value);
    }
    return text + "}";
}

Metadata metadata_of(std::string_view text)
{
    Metadata metadata;
    if (text == "{}") return metadata;
    const auto parsed = json::parse(text);
    if (!parsed || !parsed->is_object()) throw damage("metadata is no object");
    for (const auto& [key, value] : parsed->get_object())
        if (value.is_string()) metadata.emplace(key, value.get_string());
    return metadata;
}

}  // namespace parley::store::sql
