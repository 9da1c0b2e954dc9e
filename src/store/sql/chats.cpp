#include "store/sql/chats.hpp"

#include "base/json.hpp"
#include "fields/write.hpp"
#include "store/sql/images.hpp"
#include "store/sql/packed_texts.hpp"

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

struct MessageColumns {
    const Statement* in;
    Column<std::int64_t> position{*in, "position"};
    Column<std::int64_t> session{*in, "session"};
    Column<std::optional<std::int64_t>> parent{*in, "parent"};
    Column<std::int64_t> branch{*in, "branch"};
    Column<std::int64_t> depth{*in, "depth"};
    Column<std::string> id{*in, "id"};
    Column<std::string> session_id{*in, "session_id"};
    Column<std::optional<std::string>> parent_id{*in, "parent_id"};
    Column<Speaker> speaker{*in, "speaker"};
    Column<TimePoint> created_at{*in, "created_ms"};
    Column<std::optional<StopReason>> stop_reason{*in, "stop_reason"};
    Column<std::optional<std::string>> model{*in, "model"};
    Column<std::optional<std::string>> run{*in, "run"};
    Column<bool> structured{*in, "structured"};
    Column<std::string_view> metadata{*in, "metadata"};
    Column<std::string_view> parts{*in, "parts"};
    Column<std::string_view> images{*in, "images"};
};

struct OwnerColumns {
    const Statement* in;
    Column<std::string> user{*in, "of_user"};
    Column<bool> test{*in, "test"};
};

std::vector<std::string> active_runs(Connection& connection, std::int64_t session)
{
    Query select = connection.query(
        "SELECT id FROM runs INDEXED BY unfinished_runs"
        " WHERE session = ?1 AND completed_ms IS NULL ORDER BY position");
    return select.bind(session).texts();
}

bool is_taken(Connection& connection, std::int64_t branch, std::int64_t depth)
{
    Query select = connection.query("SELECT 1 FROM messages WHERE branch = ?1 AND depth = ?2");
    return select.bind(branch, depth).next();
}

// The first child of a message goes on with its branch; every other one opens a new branch.
std::int64_t branch_for_child(Connection& connection, std::int64_t session,
                              const KeptMessage* parent)
{
    const std::int64_t depth = parent ? parent->message.depth + 1 : 0;
    if (parent &&
        (parent->ends_branch ? *parent->ends_branch : !is_taken(connection, parent->branch, depth)))
        return parent->branch;
    std::optional<std::int64_t> parent_branch;
    if (parent) parent_branch = parent->branch;
    Query insert = connection.query(
        "INSERT INTO branches (session, parent_branch, first_depth) VALUES (?1, ?2, ?3)");
    const auto branch = insert.bind(session, parent_branch, depth).insert();
    if (!branch) throw damage("a new branch has no number");
    return *branch;
}

struct SegmentColumns {
    const Statement* in;
    Column<std::int64_t> branch{*in, "branch"};
    Column<std::optional<std::int64_t>> parent{*in, "parent_branch"};
    Column<std::int64_t> first_depth{*in, "first_depth"};
};

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
        "INSERT INTO sessions (id, \"user\", test, archived, message_count, newest_message,"
        " created_ms, updated_ms, last_message_ms, revision, title, title_key, title_was_set,"
        " model, metadata, instructions, automation, keep, activity)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
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

KeptMessage message_of(const Query& row)
{
    const auto& at = row.columns<MessageColumns>();
    return {.position = row[at.position],
            .session = row[at.session],
            .parent = row[at.parent],
            .branch = row[at.branch],
            .message = {.id = row[at.id],
                        .session = row[at.session_id],
                        .parent = row[at.parent_id],
                        .depth = row[at.depth],
                        .speaker = row[at.speaker],
                        .parts = unpack(row[at.parts]),
                        .images = read_images(row[at.images]),
                        .created_at = row[at.created_at],
                        .metadata = metadata_of(row[at.metadata]),
                        .stop_reason = row[at.stop_reason],
                        .model = row[at.model],
                        .run = row[at.run],
                        .structured = row[at.structured]}};
}

std::optional<KeptMessage> find_message(Connection& connection, const std::string& id)
{
    Query select =
        connection.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES " WHERE messages.id = ?1");
    if (!select.bind(id).next()) return std::nullopt;
    return message_of(select);
}

std::optional<KeptMessage> find_message(Connection& connection, const Owner& owner,
                                        const std::string& id)
{
    Query select = connection.query("SELECT " MESSAGE_COLUMNS
                                    ", sessions.user AS of_user, sessions.test" FROM_MESSAGES
                                    " WHERE messages.id = ?1 AND sessions.removed <> 1");
    if (!select.bind(id).next()) return std::nullopt;
    const auto& at = select.columns<OwnerColumns>();
    if (owner != Owner{select[at.user], select[at.test]}) return std::nullopt;
    return message_of(select);
}

std::vector<std::string> children_of(Connection& connection, std::int64_t session,
                                     std::optional<std::int64_t> parent)
{
    if (!parent) {
        Query select = connection.query(
            "SELECT id FROM messages INDEXED BY siblings"
            " WHERE session = ?1 AND parent IS NULL ORDER BY position");
        return select.bind(session).texts();
    }
    Query select = connection.query(
        "SELECT id FROM messages INDEXED BY siblings"
        " WHERE session = ?1 AND parent = ?2 ORDER BY position");
    return select.bind(session, *parent).texts();
}

std::map<std::int64_t, std::int64_t> branches_below(Connection& connection, const KeptMessage& top)
{
    std::map<std::int64_t, std::int64_t> below{{top.branch, top.message.depth}};
    Query select = connection.query(
        "SELECT branch, parent_branch, first_depth FROM branches INDEXED BY branches_of_session"
        " WHERE session = ?1 ORDER BY branch");
    select.bind(top.session);
    while (select.next()) {
        const auto& at = select.columns<SegmentColumns>();
        const auto parent = select[at.parent];
        const auto found = parent ? below.find(*parent) : below.end();
        const std::int64_t depth = select[at.first_depth];
        if (found != below.end() && depth > found->second) below.emplace(select[at.branch], depth);
    }
    return below;
}

KeptMessage message_at(Connection& connection, std::int64_t position)
{
    Query select =
        connection.query("SELECT " MESSAGE_COLUMNS FROM_MESSAGES " WHERE messages.position = ?1");
    if (!select.bind(position).next()) throw damage("a message of a session is missing");
    return message_of(select);
}

std::optional<std::int64_t> insert_message(Connection& connection, std::int64_t session,
                                           const KeptMessage* parent, const Message& message)
{
    std::optional<std::int64_t> above;
    if (parent) above = parent->position;
    std::optional<std::string_view> stop_reason;
    if (message.stop_reason) stop_reason = fields::name_of(*message.stop_reason);
    const std::string metadata = to_text(message.metadata);
    const std::string parts = pack(message.parts);
    const std::int64_t branch = branch_for_child(connection, session, parent);
    Query insert = connection.query(
        "INSERT INTO messages (id, session, parent, branch, depth, speaker, created_ms,"
        " stop_reason, model, run, structured, metadata, parts)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        " ON CONFLICT DO NOTHING");
    insert.bind(message.id, session, above, branch, parent ? parent->message.depth + 1 : 0,
                fields::name_of(message.speaker), message.created_at, stop_reason, message.model,
                message.run, message.structured, metadata, Blob{parts});
    return insert.insert();
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
