#include "store/sql/tokens.hpp"

#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/people.hpp"

#include <limits>

namespace parley::store::sql {
namespace {

// The token that a request with this key has made; nothing if the key is free.
Result<std::optional<Token>> find_made(Connection& connection, const OwnClaim& key)
{
    const auto made = made_before(connection, key.owner, key.claim, Keyed::token);
    if (!made) return made.error();
    if (!*made) return std::optional<Token>();
    auto token = find_token(connection, **made);
    if (!token) return not_found("The token");
    return token;
}

Result<AddedToken> add(Connection& connection, const Token& token,
                       const std::optional<OwnClaim>& key, const std::optional<Occasion>& occasion)
{
    if (key) {
        lock_key(connection, key->owner, key->claim);
        auto made = find_made(connection, *key);
        if (!made) return made.error();
        if (*made) return AddedToken{std::move(**made), true};
    }
    if (!token.user.empty()) {
        // A change that ends the user's tokens comes before or after, and then ends this one, too.
        connection.lock(Lock::user, {token.user});
        if (!find_user(connection, token.user)) return not_found("The user");
    }
    if (!insert_token(connection, token)) return token_is_there();
    if (key) bind_key(connection, key->owner, key->claim, Keyed::token, token.id);
    if (occasion && !token.user.empty() && !token.is_temporary)
        record_events(connection, {token.user}, *occasion,
                      {{{EventType::token_created, token.id}}});
    return AddedToken{token, false};
}

Result<TokenOwner> find(Connection& connection, const TokenHash& hash)
{
    Query select = connection.query("SELECT " TOKEN_COLUMNS ", " USER_COLUMNS
                                    " FROM tokens LEFT JOIN users ON users.id = tokens.user"
                                    " WHERE tokens.hash = ?1");
    if (!select.bind(hash).next()) return not_found("The token");
    return TokenOwner{token_of(select), joined_user_of(select)};
}

using TokenPage = Page<Token, Tokens::Position>;

Result<TokenPage> page_before(Connection& connection, const std::string& user, TimePoint now,
                              Tokens::Position before, std::size_t limit)
{
    Query select = connection.query("SELECT position AS page_position, " TOKEN_COLUMNS
                                    " FROM tokens WHERE tokens.user = ?1 AND login IS NULL"
                                    " AND (ends_ms IS NULL OR ends_ms > ?2) AND position < ?3"
                                    " ORDER BY position DESC LIMIT ?4");
    select.bind(user, now, before, static_cast<std::int64_t>(limit + 1));
    return page_of<Token>(select, limit, [](const Query& row) { return token_of(row); });
}

Result<Token> find_listed(Connection& connection, const std::string& user, const std::string& id,
                          TimePoint now)
{
    Query select =
        connection.query("SELECT " TOKEN_COLUMNS
                         " FROM tokens WHERE id = ?1 AND tokens.user = ?2 AND login IS NULL"
                         " AND (ends_ms IS NULL OR ends_ms > ?3)");
    if (!select.bind(id, user, now).next()) return not_found("The token");
    return token_of(select);
}

Result<Token> change(Connection& connection, const std::string& user, const std::string& id,
                     const TokenChange& wanted, TimePoint now)
{
    connection.lock(Lock::token, {id});
    auto token = find_listed(connection, user, id, now);
    if (!token) return token.error();
    if (wanted.name) token->name = *wanted.name;
    token->limits = wanted.limits.applied_to(token->limits);
    Query update = connection.query(
        "UPDATE tokens SET name = ?2, chat_limit = ?3, general_limit = ?4,"
        " automation_limit = ?5 WHERE id = ?1");
    update
        .bind(id, token->name, token->limits.chat, token->limits.general, token->limits.automation)
        .run();
    connection.notify_replicas(Notice::rights, user);
    return token;
}

Result<std::vector<Token>> client_tokens(Connection& connection)
{
    Query select = connection.query("SELECT " TOKEN_COLUMNS
                                    " FROM tokens WHERE kind = 'c' ORDER BY position DESC");
    std::vector<Token> tokens;
    while (select.next()) tokens.push_back(token_of(select));
    return tokens;
}

Result<> remove(Connection& connection, const std::string& user, const std::string& id,
                const std::optional<Occasion>& occasion)
{
    const auto token = find_token(connection, id);
    // A user's own, or one of no user.
    Query remove = connection.query(
        "DELETE FROM tokens WHERE id = ?1 AND coalesce(tokens.user, '') = ?2 AND login IS NULL");
    if (!token || remove.bind(id, user).run() == 0) return not_found("The token");
    const bool is_login = token->kind == 's';
    if (occasion && !user.empty() && !token->is_temporary)
        record_events(connection, {user}, *occasion,
                      {{{is_login ? EventType::login_ended : EventType::token_revoked, id}}});
    connection.notify_replicas(Notice::rights, user);
    return {};
}

void note_use(Connection& connection, const Tokens::Use& use)
{
    Query update = connection.query(
        "UPDATE tokens SET last_used_ms = CASE WHEN last_used_ms > ?2 THEN last_used_ms"
        " ELSE ?2 END"
        " WHERE id = ?1 OR id = (SELECT login FROM tokens WHERE id = ?1)");
    update.bind(use.token, use.at).run();
}

std::size_t forget(Connection& connection, TimePoint now, std::size_t most)
{
    // Twice: a login may be renewed while this waits for its row.
    Query tokens = connection.query(
        "DELETE FROM tokens WHERE position IN (SELECT position FROM tokens"
        " WHERE ends_ms <= ?1 AND kind <> 'login' LIMIT ?2) AND ends_ms <= ?1");
    const std::size_t forgotten = tokens.bind(now, at_most(most)).run();
    // No login outlives its tokens, so that none of those that end here takes others with it,
    // uncounted.
    Query logins = connection.query(
        "DELETE FROM tokens WHERE position IN (SELECT position FROM tokens"
        " WHERE ends_ms <= ?1 AND kind = 'login' LIMIT ?2) AND ends_ms <= ?1");
    return forgotten + logins.bind(now, at_most(most - forgotten)).run();
}

}  // namespace

Task<Result<AddedToken>> SqlTokens::add_token(Token token, std::optional<AuditEvent> audit,
                                              std::optional<OwnClaim> key)
{
    token.login.clear();
    auto occasion = occasion_of(audit);
    return writes_.run<AddedToken>(
        audited(std::move(audit),
                [token = std::move(token), key = std::move(key), occasion = std::move(occasion)](
                    Connection& connection) { return add(connection, token, key, occasion); }));
}

Task<Result<std::optional<Token>>> SqlTokens::find_made_token(OwnClaim key)
{
    return reads_.run<std::optional<Token>>(
        [key = std::move(key)](Connection& connection) { return find_made(connection, key); });
}

Task<Result<TokenOwner>> SqlTokens::find_token(TokenHash hash)
{
    return reads_.run<TokenOwner>(
        [hash](Connection& connection) { return find(connection, hash); });
}

Task<Result<TokenPage>> SqlTokens::list_tokens(std::string user, TimePoint now,
                                               std::optional<Position> before, std::size_t limit)
{
    const Position end = before.value_or(std::numeric_limits<Position>::max());
    return reads_.run<TokenPage>([user = std::move(user), now, end, limit](Connection& connection) {
        return page_before(connection, user, now, end, limit);
    });
}

Task<Result<Token>> SqlTokens::find_listed_token(std::string user, std::string id, TimePoint now)
{
    return reads_.run<Token>(
        [user = std::move(user), id = std::move(id), now](Connection& connection) {
            return find_listed(connection, user, id, now);
        });
}

Task<Result<Token>> SqlTokens::change_token(std::string user, std::string id, TokenChange wanted,
                                            TimePoint now, std::vector<AuditEvent> audit)
{
    return writes_.run<Token>(audited(
        std::move(audit),
        [user = std::move(user), id = std::move(id), wanted = std::move(wanted),
         now](Connection& connection) { return change(connection, user, id, wanted, now); }));
}

Task<Result<std::vector<Token>>> SqlTokens::list_client_tokens()
{
    return reads_.run<std::vector<Token>>(client_tokens);
}

Task<Result<>> SqlTokens::revoke(std::string user, std::string id, std::optional<AuditEvent> audit)
{
    auto occasion = occasion_of(audit);
    return writes_.run<void>(
        audited(std::move(audit),
                [user = std::move(user), id = std::move(id), occasion = std::move(occasion)](
                    Connection& connection) { return remove(connection, user, id, occasion); }));
}

Task<Result<>> SqlTokens::note_uses(std::vector<Use> uses)
{
    return writes_.run<void>([uses = std::move(uses)](Connection& connection) -> Result<> {
        for (const Use& use : uses) note_use(connection, use);
        return {};
    });
}

Task<Result<std::size_t>> SqlTokens::sweep(TimePoint now, std::size_t most)
{
    return writes_.run<std::size_t>([now, most](Connection& connection) -> Result<std::size_t> {
        return forget(connection, now, most);
    });
}

}  // namespace parley::store::sql
