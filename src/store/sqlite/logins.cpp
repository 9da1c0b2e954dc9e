#include "store/login_rules.hpp"
#include "store/refusals.hpp"
#include "store/sqlite/audit.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"
#include "store/sqlite/tokens.hpp"

namespace parley::store::sqlite {
namespace {

Result<> begin(Database& database, const Login& login, const Token& access, const Token& refresh,
               const std::string& checked_hash)
{
    const auto user = find_user(database, login.user);
    if (!user || user->disabled) return not_found("The user");
    if (!checked_hash.empty() && checked_hash != user->password_hash) return password_was_changed();

    if (!insert_login(database, login, end_of(login, access, refresh)) ||
        !insert_token(database, access) || !insert_token(database, refresh))
        return token_is_there();
    Query update = database.query("UPDATE users SET last_login_ms = ?2 WHERE id = ?1");
    update.bind(login.user, to_ms(login.created_at)).run();
    return {};
}

void end(Database& database, const std::string& login)
{
    database.query("DELETE FROM tokens WHERE id = ?1 AND kind = 'login'").bind(login).run();
}

struct ShownToken {
    Token token;
    std::optional<TimePoint> first_used_at;
};

std::optional<ShownToken> find_shown(Database& database, const TokenHash& hash)
{
    Query select =
        database.query("SELECT " TOKEN_COLUMNS ", first_used_ms FROM tokens WHERE hash = ?1");
    if (!select.bind(blob_of(hash)).next()) return std::nullopt;
    return ShownToken{token_of(select), time_of(select, token_width)};
}

std::optional<Login> find_login(Database& database, const std::string& id)
{
    Query select =
        database.query("SELECT " TOKEN_COLUMNS " FROM tokens WHERE id = ?1 AND kind = 'login'");
    if (!select.bind(id).next()) return std::nullopt;
    return as_login(token_of(select));
}

void keep(Database& database, const Login& login, const Refresh& refresh)
{
    Query use = database.query(
        "UPDATE tokens SET first_used_ms = ?2 WHERE hash = ?1 AND first_used_ms IS NULL");
    use.bind(blob_of(refresh.used), to_ms(refresh.now)).run();
    Query update = database.query(
        "UPDATE tokens SET hint = ?2, scopes = ?3, last_used_ms = ?4, ends_ms = max(ends_ms, ?5)"
        " WHERE id = ?1");
    update
        .bind(login.id, login.hint, login.scopes, to_ms(login.last_used_at),
              to_ms(end_of(login, refresh.access, refresh.refresh)))
        .run();
}

// Nothing where the token was used too long ago and its login was ended. That must be committed, so
// it is an outcome here and becomes an error only outside of the transaction.
using Outcome = std::optional<Refreshed>;

Result<Outcome> renew(Database& database, Refresh refresh)
{
    const auto shown = find_shown(database, refresh.used);
    if (!shown || shown->token.kind != 'r' || has_expired(shown->token.expires_at, refresh.now))
        return not_found("The refresh token");
    auto login = find_login(database, shown->token.login);
    auto user = find_user(database, shown->token.user);
    if (!login || !user || user->disabled || has_expired(login->expires_at, refresh.now))
        return not_found("The login");

    if (shown->first_used_at && !is_within_grace(*shown->first_used_at, refresh)) {
        end(database, login->id);
        if (const auto noted = note(database, refresh.reuse); !noted) return noted.error();
        return Outcome();
    }
    join(refresh.access, *login);
    join(refresh.refresh, *login);
    if (!insert_token(database, refresh.access) || !insert_token(database, refresh.refresh))
        return new_token_is_there();
    note_refresh(*login, refresh);
    keep(database, *login, refresh);
    return Outcome(Refreshed{std::move(*user), std::move(*login), std::move(refresh.access),
                             std::move(refresh.refresh)});
}

}  // namespace

Task<Result<>> SqliteTokens::begin_login(Login login, Token access, Token refresh,
                                         std::string checked_hash, std::optional<AuditEvent> audit)
{
    join(access, login);
    join(refresh, login);
    return writer_.write<void>(
        audited(std::move(audit),
                [login = std::move(login), access = std::move(access), refresh = std::move(refresh),
                 checked_hash = std::move(checked_hash)](Database& database) {
                    return begin(database, login, access, refresh, checked_hash);
                }));
}

Task<Result<Refreshed>> SqliteTokens::refresh_login(Refresh refresh)
{
    refresh.now = to_the_millisecond(refresh.now);
    auto outcome = co_await writer_.write<Outcome>(
        [refresh = std::move(refresh)](Database& database) { return renew(database, refresh); });
    if (!outcome) co_return outcome.error();
    if (!*outcome) co_return refresh_token_was_used();
    co_return std::move(**outcome);
}

Task<Result<>> SqliteTokens::end_login(std::string login, std::optional<AuditEvent> audit)
{
    return writer_.write<void>(
        audited(std::move(audit), [login = std::move(login)](Database& database) -> Result<> {
            end(database, login);
            return {};
        }));
}

}  // namespace parley::store::sqlite
