// The rows of messages, and their places in the tree of a session.
#include "fields/write.hpp"
#include "store/sql/chats.hpp"
#include "store/sql/images.hpp"
#include "store/sql/packed_texts.hpp"

namespace parley::store::sql {
namespace {

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

#define INSERT_MESSAGE                   \
    "INSERT INTO messages (" NEW_MESSAGE \
    ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"

// Owns the texts that are bound. A new branch is inserted for it if it needs one.
class NewMessageRow {
public:
    NewMessageRow(Connection& connection, std::int64_t session, const KeptMessage* parent,
                  const Message& message)
        : message_(message),
          session_(session),
          branch_(branch_for_child(connection, session, parent)),
          depth_(parent ? parent->message.depth + 1 : 0),
          metadata_(to_text(message.metadata)),
          parts_(pack(message.parts))
    {
        if (parent) parent_ = parent->position;
        if (message.stop_reason) stop_reason_ = fields::name_of(*message.stop_reason);
    }

    void bind_to(Query& insert) const
    {
        insert.bind(message_.id, session_, parent_, branch_, depth_,
                    fields::name_of(message_.speaker), message_.created_at, stop_reason_,
                    message_.model, message_.run, message_.structured, metadata_, Blob{parts_});
    }

private:
    const Message& message_;
    const std::int64_t session_;
    std::optional<std::int64_t> parent_;
    const std::int64_t branch_;
    const std::int64_t depth_;
    std::optional<std::string_view> stop_reason_;
    const std::string metadata_;
    const std::string parts_;
};

struct SegmentColumns {
    const Statement* in;
    Column<std::int64_t> branch{*in, "branch"};
    Column<std::optional<std::int64_t>> parent{*in, "parent_branch"};
    Column<std::int64_t> first_depth{*in, "first_depth"};
};

}  // namespace

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
    const NewMessageRow row(connection, session, parent, message);
    Query insert = connection.query(INSERT_MESSAGE " ON CONFLICT DO NOTHING");
    row.bind_to(insert);
    return insert.insert();
}

void send_message(Connection& connection, std::int64_t session, const KeptMessage* parent,
                  const Message& message)
{
    const NewMessageRow row(connection, session, parent, message);
    Query insert = connection.query(INSERT_MESSAGE);
    row.bind_to(insert);
    insert.send();
}

}  // namespace parley::store::sql
