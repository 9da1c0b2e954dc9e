#include "store/sqlite/chats.hpp"

#include "base/field_write.hpp"
#include "base/json.hpp"
#include "store/sqlite/packed_texts.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <boost/json/object.hpp>

namespace parley::store::sqlite {
namespace {

std::vector<std::string> active_runs(Database& database, std::int64_t session)
{
    Query select = database.query(
        "SELECT id FROM runs INDEXED BY unfinished_runs"
        " WHERE session = ?1 AND completed_ms IS NULL ORDER BY position");
    select.bind(session);
    std::vector<std::string> runs;
    while (select.next()) runs.push_back(select.text(0));
    return runs;
}

void count_activity(Database& database)
{
    database.query("UPDATE counters SET value = value + 1 WHERE name = 'activity'").run();
}

std::int64_t last_position(const Database& database)
{
    return sqlite3_last_insert_rowid(database.handle());
}

bool is_taken(Database& database, std::int64_t branch, std::int64_t depth)
{
    Query select = database.query("SELECT 1 FROM messages WHERE branch = ?1 AND depth = ?2");
    return select.bind(branch, depth).next();
}

// The first child of a message goes on with its branch; every other one opens a new branch.
std::int64_t branch_for_child(Database& database, std::int64_t session, const KeptMessage* parent)
{
    const std::int64_t depth = parent ? parent->message.depth + 1 : 0;
    if (parent && !is_taken(database, parent->branch, depth)) return parent->branch;
    std::optional<std::int64_t> parent_branch;
    if (parent) parent_branch = parent->branch;
    Query insert = database.query(
        "INSERT INTO branches (session, parent_branch, first_depth) VALUES (?1, ?2, ?3)");
    insert.bind(session, parent_branch, depth).run();
    return last_position(database);
}

}  // namespace

KeptSession session_of(Database& database, const Query& row, int first)
{
    const std::int64_t position = row.integer(first);
    return {position,
            {.id = row.text(first + 1),
             .owner = {row.text(first + 2), row.integer(first + 3) != 0},
             .title = row.text(first + 11),
             .title_key = row.text(first + 12),
             .title_was_set = row.integer(first + 13) != 0,
             .instructions = text_of(row, first + 16),
             .model = text_of(row, first + 14),
             .archived = row.integer(first + 4) != 0,
             .metadata = metadata_of(row.bytes(first + 15)),
             .created_at = from_ms(row.integer(first + 7)),
             .updated_at = from_ms(row.integer(first + 8)),
             .last_message_at = time_of(row, first + 9),
             .message_count = row.integer(first + 5),
             .newest_message = text_of(row, first + 6),
             .active_runs = active_runs(database, position),
             .revision = row.integer(first + 10)}};
}

std::optional<KeptSession> find_session(Database& database, const Owner& owner,
                                        const std::string& id)
{
    Query select = database.query("SELECT " SESSION_COLUMNS
                                  " FROM sessions WHERE id = ?1 AND user = ?2 AND test = ?3");
    if (!select.bind(id, owner.user, owner.test).next()) return std::nullopt;
    return session_of(database, select);
}

bool insert_session(Database& database, const Session& session)
{
    count_activity(database);
    Query insert = database.query(
        "INSERT INTO sessions (id, user, test, archived, activity, message_count, created_ms,"
        " updated_ms, revision, title, title_key, title_was_set, model, metadata, instructions)"
        " VALUES (?1, ?2, ?3, ?4, (SELECT value FROM counters WHERE name = 'activity'), 0, ?5, ?6,"
        " 1, ?7, ?8, ?9, ?10, ?11, ?12)");
    const std::string metadata = to_text(session.metadata);
    insert.bind(session.id, session.owner.user, session.owner.test, session.archived,
                to_ms(session.created_at), to_ms(session.updated_at), session.title,
                session.title_key, session.title_was_set, session.model, metadata,
                session.instructions);
    return insert.run();
}

void note_activity(Database& database, std::int64_t session, const Activity& activity)
{
    count_activity(database);
    std::optional<std::int64_t> message_ms;
    if (activity.message) message_ms = to_ms(activity.at);
    Query update = database.query(
        "UPDATE sessions SET activity = (SELECT value FROM counters WHERE name = 'activity'),"
        " message_count = message_count + (?2 IS NOT NULL),"
        " newest_message = coalesce(?2, newest_message),"
        " last_message_ms = coalesce(?3, last_message_ms), updated_ms = ?4,"
        " title = coalesce(?5, title), title_key = coalesce(?6, title_key),"
        " revision = revision + 1 WHERE position = ?1");
    update.bind(session, activity.message, message_ms, to_ms(activity.at), activity.title,
                activity.title_key);
    update.run();
}

KeptMessage message_of(const Query& row)
{
    KeptMessage kept{.position = row.integer(0),
                     .session = row.integer(1),
                     .branch = row.integer(3),
                     .message = {.id = row.text(5),
                                 .session = row.text(6),
                                 .parent = text_of(row, 7),
                                 .depth = row.integer(4),
                                 .speaker = named<Speaker>(row.bytes(8)),
                                 .parts = unpack(row.bytes(14)),
                                 .created_at = from_ms(row.integer(9)),
                                 .metadata = metadata_of(row.bytes(13)),
                                 .model = text_of(row, 11),
                                 .run = text_of(row, 12)}};
    if (!row.is_null(2)) kept.parent = row.integer(2);
    if (!row.is_null(10)) kept.message.stop_reason = named<StopReason>(row.bytes(10));
    return kept;
}

std::optional<KeptMessage> find_message(Database& database, const std::string& id)
{
    Query select =
        database.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES " WHERE messages.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return message_of(select);
}

std::optional<KeptMessage> find_message(Database& database, const Owner& owner,
                                        const std::string& id)
{
    Query select = database.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES
                                  " WHERE messages.id = ?1 AND sessions.user = ?2"
                                  " AND sessions.test = ?3");
    if (!select.bind(id, owner.user, owner.test).next()) return std::nullopt;
    return message_of(select);
}

std::vector<std::string> children_of(Database& database, std::int64_t session,
                                     std::optional<std::int64_t> parent)
{
    Query select = database.query(
        "SELECT id FROM messages INDEXED BY siblings"
        " WHERE session = ?1 AND parent IS ?2 ORDER BY position");
    select.bind(session, parent);
    std::vector<std::string> ids;
    while (select.next()) ids.push_back(select.text(0));
    return ids;
}

KeptMessage message_at(Database& database, std::int64_t position)
{
    Query select =
        database.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES " WHERE messages.position = ?1");
    if (!select.bind(position).next())
        throw Failure(SQLITE_CORRUPT, "a message of a session is missing");
    return message_of(select);
}

std::optional<std::int64_t> insert_message(Database& database, std::int64_t session,
                                           const KeptMessage* parent, const Message& message)
{
    std::optional<std::int64_t> above;
    if (parent) above = parent->position;
    std::optional<std::string_view> stop_reason;
    if (message.stop_reason) stop_reason = wire::name_of(*message.stop_reason);
    const std::string metadata = to_text(message.metadata);
    const std::string parts = pack(message.parts);
    const std::int64_t branch = branch_for_child(database, session, parent);
    Query insert = database.query(
        "INSERT INTO messages (id, session, parent, branch, depth, speaker, created_ms,"
        " stop_reason, model, run, metadata, parts)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
    insert.bind(message.id, session, above, branch, parent ? parent->message.depth + 1 : 0,
                wire::name_of(message.speaker), to_ms(message.created_at), stop_reason,
                message.model, message.run, metadata, Blob{parts});
    if (!insert.run()) return std::nullopt;
    return last_position(database);
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
    if (!parsed || !parsed->is_object()) throw Failure(SQLITE_CORRUPT, "metadata is no object");
    for (const auto& [key, value] : parsed->get_object())
        if (value.is_string()) metadata.emplace(key, value.get_string());
    return metadata;
}

std::optional<std::string> text_of(const Query& row, int column)
{
    if (row.is_null(column)) return std::nullopt;
    return row.text(column);
}

}  // namespace parley::store::sqlite
