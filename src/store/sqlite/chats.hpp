// Rows of sessions and messages, as several use cases read and write them.
#pragma once

#include "store/chat_rules.hpp"
#include "store/sqlite/database.hpp"

#include <stdexcept>

// Texts of SQL are put together from literals, which only the preprocessor can do.
#define SESSION_COLUMNS                                                                  \
    "sessions.position, sessions.id, sessions.user, sessions.test, sessions.archived,"   \
    " sessions.message_count, sessions.newest_message, sessions.created_ms,"             \
    " sessions.updated_ms, sessions.last_message_ms, sessions.revision, sessions.title," \
    " sessions.title_key, sessions.title_was_set, sessions.model, sessions.metadata,"    \
    " sessions.instructions"
#define MESSAGE_COLUMNS                                                                      \
    "messages.position, messages.session, messages.parent, messages.branch, messages.depth," \
    " messages.id, sessions.id, parents.id, messages.speaker, messages.created_ms,"          \
    " messages.stop_reason, messages.model, messages.run, messages.metadata, messages.parts"
#define FROM_MESSAGES                                                            \
    " FROM messages CROSS JOIN sessions ON sessions.position = messages.session" \
    " LEFT JOIN messages AS parents ON parents.position = messages.parent"

namespace parley::store::sqlite {

struct KeptSession {
    std::int64_t position = 0;
    Session session = {};
};

// Of a row in which SESSION_COLUMNS begin at `first`, with its active runs.
KeptSession session_of(Database& database, const Query& row, int first = 0);

std::optional<KeptSession> find_session(Database& database, const Owner& owner,
                                        const std::string& id);

// The session's first activity. False where its id is there already.
bool insert_session(Database& database, const Session& session);

// A run began or ended in a session, which may have brought a message and the title.
struct Activity {
    TimePoint at = {};
    std::optional<std::string> message = {};
    std::optional<std::string> title = {};
    std::optional<std::string> title_key = {};
};
void note_activity(Database& database, std::int64_t session, const Activity& activity);

struct KeptMessage {
    std::int64_t position = 0;
    std::int64_t session = 0;
    std::optional<std::int64_t> parent = {};
    std::int64_t branch = 0;
    Message message = {};
};

// Of a row that begins with MESSAGE_COLUMNS.
KeptMessage message_of(const Query& row);

std::optional<KeptMessage> find_message(Database& database, const std::string& id);
std::optional<KeptMessage> find_message(Database& database, const Owner& owner,
                                        const std::string& id);
// The messages with this parent, or the beginnings of a session, in the order of storing.
std::vector<std::string> children_of(Database& database, std::int64_t session,
                                     std::optional<std::int64_t> parent);
// One that another row points to.
KeptMessage message_at(Database& database, std::int64_t position);

// Puts a message under its parent, or at a beginning where there is none, and gives its position;
// nothing where its id is there already.
std::optional<std::int64_t> insert_message(Database& database, std::int64_t session,
                                           const KeptMessage* parent, const Message& message);

std::string to_text(const Metadata& metadata);
Metadata metadata_of(std::string_view text);

std::optional<std::string> text_of(const Query& row, int column);

template <wire::NamedEnum Enum>
Enum named(std::string_view name)
{
    for (const auto& each : names_of(Enum{}))
        if (each.name == name) return each.value;
    throw Failure(SQLITE_CORRUPT, "a word that is not known: " + std::string(name));
}

}  // namespace parley::store::sqlite
