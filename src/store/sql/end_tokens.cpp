#include "store/sql/end_tokens.hpp"

#include "store/login_rules.hpp"

namespace parley::store::sql {
namespace {

struct Ended {
    std::vector<std::string> logins = {};
    std::vector<std::string> tokens = {};
    std::vector<std::string> temporary_tokens = {};
};

std::vector<std::string> tokens_of(Connection& connection, const std::string& user, bool temporary)
{
    Query select = connection.query(
        "SELECT id FROM tokens WHERE tokens.user = ?1 AND login IS NULL"
        " AND kind IN ('p', 't') AND is_temporary = ?2 ORDER BY position");
    return select.bind(user, temporary).texts();
}

bool remove(Connection& connection, std::string_view token)
{
    return connection.query("DELETE FROM tokens WHERE id = ?1").bind(token).run() > 0;
}

Ended find_what_ends(Connection& connection, const std::string& user, const UserChange& wanted)
{
    Ended ended;
    if (ends_logins(wanted)) {
        Query select = connection.query(
            "SELECT id FROM tokens WHERE tokens.user = ?1 AND login IS NULL AND kind = 'login'"
            " AND id <> ?2 ORDER BY position");
        ended.logins = select.bind(user, wanted.login_to_keep).texts();
    }
    if (wanted.ends_tokens) {
        ended.tokens = tokens_of(connection, user, false);
        ended.temporary_tokens = tokens_of(connection, user, true);
    }
    return ended;
}

}  // namespace

void end_tokens(Connection& connection, const std::string& user, const UserChange& wanted,
                const std::optional<Occasion>& occasion)
{
    const Ended ended = find_what_ends(connection, user, wanted);
    std::vector<NewEvent> events;
    events.reserve(ended.logins.size() + ended.tokens.size());
    for (const std::string& id : ended.logins) events.push_back({EventType::login_ended, id});
    for (const std::string& id : ended.tokens) events.push_back({EventType::token_revoked, id});
    // Another server may have ended one of them meanwhile, with its event.
    std::erase_if(events,
                  [&](const NewEvent& event) { return !remove(connection, event.subject); });
    for (const std::string& id : ended.temporary_tokens) remove(connection, id);
    if (occasion) record_events(connection, {user}, *occasion, events);
}

}  // namespace parley::store::sql
