// Rows of sessions (chats.cpp) and messages (message_rows.cpp), shared by several use cases.
#pragma once

#include "store/chat_rules.hpp"
#include "store/sql/connection.hpp"

#include <map>

// Texts of SQL are put together from literals, which only the preprocessor can do.
#define SESSION_COLUMNS                                                                  \
    "sessions.position, sessions.id, sessions.user AS of_user, sessions.test,"           \
    " sessions.archived,"                                                                \
    " sessions.message_count, sessions.newest_message, sessions.created_ms,"             \
    " sessions.updated_ms, sessions.last_message_ms, sessions.revision, sessions.title," \
    " sessions.title_key, sessions.title_was_set, sessions.model, sessions.metadata,"    \
    " sessions.instructions, sessions.automation, sessions.keep"
#define MESSAGE_COLUMNS                                                                      \
    "messages.position, messages.session, messages.parent, messages.branch, messages.depth," \
    " messages.id, sessions.id AS session_id, parents.id AS parent_id, messages.speaker,"    \
    " messages.created_ms,"                                                                  \
    " messages.stop_reason, messages.model, messages.run, messages.structured, "             \
    "messages.metadata, messages.parts, messages.images"
#define FROM_MESSAGES                                                            \
    " FROM messages CROSS JOIN sessions ON sessions.position = messages.session" \
    " LEFT JOIN messages AS parents ON parents.position = messages.parent"

// Columns of new rows.
#define NEW_SESSION                                                         \
    "id, \"user\", test, archived, message_count, newest_message,"          \
    " created_ms, updated_ms, last_message_ms, revision, title, title_key," \
    " title_was_set, model, metadata, instructions, automation, keep, activity"
#define NEW_MESSAGE                                                                \
    "id, session, parent, branch, depth, speaker, created_ms, stop_reason, model," \
    " run, structured, metadata, parts"

namespace parley::store::sql {

struct KeptSession {
    std::int64_t position = 0;
    Session session = {};
};

// The row must have SESSION_COLUMNS. The active runs are read, too.
KeptSession session_of(Connection& connection, const Query& row);

std::optional<KeptSession> find_session(Connection& connection, const Owner& owner,
                                        const std::string& id);

// Counts as the session's first activity. Returns its position; nothing if its id already exists.
std::optional<std::int64_t> insert_session(Connection& connection, const Session& session);

// A run began or ended in a session, which may have brought a message and the title.
struct Activity {
    TimePoint at = {};
    std::optional<std::string> message = {};
    std::optional<std::string> title = {};
    std::optional<std::string> title_key = {};
};
void note_activity(Connection& connection, std::int64_t session, const Activity& activity);

struct KeptMessage {
    std::int64_t position = 0;
    std::int64_t session = 0;
    std::optional<std::int64_t> parent = {};
    std::int64_t branch = 0;
    Message message = {};
    std::optional<bool> ends_branch = {};  // Nothing: it was not read.
};

// The row must have MESSAGE_COLUMNS.
KeptMessage message_of(const Query& row);

std::optional<KeptMessage> find_message(Connection& connection, const std::string& id);
std::optional<KeptMessage> find_message(Connection& connection, const Owner& owner,
                                        const std::string& id);
// The messages with this parent, or the roots of a session, oldest first.
std::vector<std::string> children_of(Connection& connection, std::int64_t session,
                                     std::optional<std::int64_t> parent);
// The branches that have something below a message, each with the depth from which on. A branch is
// always younger than the one that it leaves.
std::map<std::int64_t, std::int64_t> branches_below(Connection& connection, const KeptMessage& top);
// The message at a position that another row refers to.
KeptMessage message_at(Connection& connection, std::int64_t position);

// Adds a message under its parent, or as a root if there is none, and returns its position; nothing
// if its id already exists.
std::optional<std::int64_t> insert_message(Connection& connection, std::int64_t session,
                                           const KeptMessage* parent, const Message& message);

// The same if no message has its id, which costs no round trip. If there is one, the transaction
// fails and is run again.
void send_message(Connection& connection, std::int64_t session, const KeptMessage* parent,
                  const Message& message);

std::string to_text(const Metadata& metadata);
Metadata metadata_of(std::string_view text);

}  // namespace parley::store::sql
