#include "store/sqlite/tokens.hpp"

#include "store/refusals.hpp"
#include "store/sqlite/audit.hpp"
#include "store/sqlite/idempotency.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <limits>

namespace parley::store::sqlite {
namespace {

// The token that a request with this key has made; nothing if the key is free.
Result<std::optional<Token>> find_made(Database& database, const OwnClaim& key)
{
    const auto made = made_before(database, key.owner, key.claim, Keyed::token);
    if (!made) return made.error();
    if (!*made) return std::optional<Token>();
    auto token = find_token(database, **made);
    if (!token) return not_found("The token");
    return token;
}

Result<AddedToken> add(Database& database, const Token& token, const std::optional<OwnClaim>& key)
{
    if (key) {
        auto made = find_made(database, *key);
        if (!made) return made.error();
        if (*made) return AddedToken{std::move(**made), true};
    }
    if (!token.user.empty() && !find_user(database, token.user)) return not_found("The user");
    if (!insert_token(database, token)) return token_is_there();
    if (key) bind_key(database, key->owner, key->claim, Keyed::token, token.id);
    return AddedToken{token, false};
}

Result<TokenOwner> find(Database& database, const TokenHash& hash)
{
    Query select = database.query("SELECT " TOKEN_COLUMNS ", " USER_COLUMNS
                                  " FROM tokens LEFT JOIN users ON users.id = tokens.user"
                                  " WHERE tokens.hash = ?1");
    if (!select.bind(blob_of(hash)).next()) return not_found("The token");
    TokenOwner owner{token_of(select), std::nullopt};
    if (!select.is_null(token_width)) owner.user = user_of(select, token_width);
    return owner;
}

using TokenPage = Page<Token, Tokens::Position>;

Result<TokenPage> page_before(Database& database, const std::string& user, TimePoint now,
                              Tokens::Position before, std::size_t limit)
{
    Query select = database.query("SELECT " TOKEN_COLUMNS
                                  " FROM tokens WHERE user = ?1 AND login IS NULL"
                                  " AND (ends_ms IS NULL OR ends_ms > ?2) AND position < ?3"
                                  " ORDER BY position DESC LIMIT ?4");
    select.bind(user, to_ms(now), before, static_cast<std::int64_t>(limit + 1));
    return page_of<Token>(select, limit, [](const Query& row) { return token_of(row); });
}

Result<Token> find_listed(Database& database, const std::string& user, const std::string& id,
                          TimePoint now)
{
    Query select = database.query("SELECT " TOKEN_COLUMNS
                                  " FROM tokens WHERE id = ?1 AND user = ?2 AND login IS NULL"
                                  " AND (ends_ms IS NULL OR ends_ms > ?3)");
    if (!select.bind(id, user, to_ms(now)).next()) return not_found("The token");
    return token_of(select);
}

Result<Token> change(Database& database, const std::string& user, const std::string& id,
                     const TokenChange& wanted, TimePoint now)
{
    auto token = find_listed(database, user, id, now);
    if (!token) return token.error();
    if (wanted.name) token->name = *wanted.name;
    token->limits = wanted.limits.applied_to(token->limits);
    Query update = database.query(
        "UPDATE tokens SET name = ?2, chat_limit = ?3, general_limit = ?4 WHERE id = ?1");
    update.bind(id, token->name, to_column(token->limits.chat), to_column(token->limits.general))
        .run();
    return token;
}

Result<std::vector<Token>> client_tokens(Database& database)
{
    Query select = database.query("SELECT " TOKEN_COLUMNS
                                  " FROM tokens WHERE kind = 'c' ORDER BY position DESC");
    std::vector<Token> tokens;
    while (select.next()) tokens.push_back(token_of(select));
    return tokens;
}

Result<> remove(Database& database, const std::string& user, const std::string& id)
{
    Query remove =
        database.query("DELETE FROM tokens WHERE id = ?1 AND user IS ?2 AND login IS NULL");
    remove.bind(id, null_if_empty(user)).run();
    if (rows_changed(database) == 0) return not_found("The token");
    return {};
}

void note_use(Database& database, const Tokens::Use& use)
{
    Query update = database.query(
        "UPDATE tokens SET last_used_ms = max(coalesce(last_used_ms, ?2), ?2)"
        " WHERE id = ?1 OR id = (SELECT login FROM tokens WHERE id = ?1)");
    update.bind(use.token, to_ms(use.at)).run();
}

std::size_t forget(Database& database, TimePoint now, std::size_t most)
{
    Query tokens = database.query(
        "DELETE FROM tokens WHERE position IN (SELECT position FROM tokens"
        " WHERE ends_ms <= ?1 AND kind <> 'login' LIMIT ?2)");
    tokens.bind(to_ms(now), at_most(most)).run();
    const std::size_t forgotten = rows_changed(database);
    // No login outlives its tokens, so that none of those that end here takes others with it,
    // uncounted.
    Query logins = database.query(
        "DELETE FROM tokens WHERE position IN (SELECT position FROM tokens"
        " WHERE ends_ms <= ?1 AND kind = 'login' LIMIT ?2)");
    logins.bind(to_ms(now), at_most(most - forgotten)).run();
    return forgotten + rows_changed(database);
}

}  // namespace

Task<Result<AddedToken>> SqliteTokens::add_token(Token token, std::optional<AuditEvent> audit,
                                                 std::optional<OwnClaim> key)
{
    token.login.clear();
    return writer_.write<AddedToken>(audited(
        std::move(audit), [token = std::move(token), key = std::move(key)](Database& database) {
            return add(database, token, key);
        }));
}

Task<Result<std::optional<Token>>> SqliteTokens::find_made_token(OwnClaim key)
{
    return readers_.read<std::optional<Token>>(
        [key = std::move(key)](Database& database) { return find_made(database, key); });
}

Task<Result<TokenOwner>> SqliteTokens::find_token(TokenHash hash)
{
    return readers_.read<TokenOwner>([hash](Database& database) { return find(database, hash); });
}

Task<Result<TokenPage>> SqliteTokens::list_tokens(std::string user, TimePoint now,
                                                  std::optional<Position> before, std::size_t limit)
{
    const Position end = before.value_or(std::numeric_limits<Position>::max());
    return readers_.read<TokenPage>([user = std::move(user), now, end, limit](Database& database) {
        return page_before(database, user, now, end, limit);
    });
}

Task<Result<Token>> SqliteTokens::find_listed_token(std::string user, std::string id, TimePoint now)
{
    return readers_.read<Token>(
        [user = std::move(user), id = std::move(id), now](Database& database) {
            return find_listed(database, user, id, now);
        });
}

Task<Result<Token>> SqliteTokens::change_token(std::string user, std::string id, TokenChange wanted,
                                               TimePoint now, std::vector<AuditEvent> audit)
{
    return writer_.write<Token>(
        audited(std::move(audit),
                [user = std::move(user), id = std::move(id), wanted = std::move(wanted),
                 now](Database& database) { return change(database, user, id, wanted, now); }));
}

Task<Result<std::vector<Token>>> SqliteTokens::list_client_tokens()
{
    return readers_.read<std::vector<Token>>(client_tokens);
}

Task<Result<>> SqliteTokens::revoke(std::string user, std::string id,
                                    std::optional<AuditEvent> audit)
{
    return writer_.write<void>(
        audited(std::move(audit), [user = std::move(user), id = std::move(id)](Database& database) {
            return remove(database, user, id);
        }));
}

Task<Result<>> SqliteTokens::note_uses(std::vector<Use> uses)
{
    return writer_.write<void>([uses = std::move(uses)](Database& database) -> Result<> {
        for (const Use& use : uses) note_use(database, use);
        return {};
    });
}

Task<Result<std::size_t>> SqliteTokens::sweep(TimePoint now, std::size_t most)
{
    return writer_.write<std::size_t>([now, most](Database& database) -> Result<std::size_t> {
        return forget(database, now, most);
    });
}

}  // namespace parley::store::sqlite
