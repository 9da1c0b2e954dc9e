#include "store/login_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/people.hpp"
#include "store/sql/second_factors.hpp"
#include "store/sql/tokens.hpp"

namespace parley::store::sql {
namespace {

Result<> begin(Connection& connection, const Login& login, const Token& access,
               const Token& refresh, const LoginCheck& check,
               const std::optional<Occasion>& occasion)
{
    connection.lock(Lock::user, {login.user});
    const auto user = find_user(connection, login.user);
    if (!user || user->disabled) return not_found("The user");
    if (!check.password_hash.empty() && check.password_hash != user->password_hash)
        return password_was_changed();
    if (check.second_factor)
        if (auto used = use_second_factor(connection, *user, *check.second_factor); !used)
            return used;

    if (!insert_login(connection, login, end_of(login, access, refresh)) ||
        !insert_token(connection, access) || !insert_token(connection, refresh))
        return token_is_there();
    Query update = connection.query("UPDATE users SET last_login_ms = ?2 WHERE id = ?1");
    update.bind(login.user, login.created_at).run();
    if (occasion)
        record_events(connection, {login.user}, *occasion,
                      {{{EventType::login_created, login.id}}});
    return {};
}

struct ShownColumns {
    const Statement* in;
    Column<std::optional<TimePoint>> first_used_at{*in, "first_used_ms"};
};

struct ShownToken {
    Token token;
    std::optional<TimePoint> first_used_at;
};

std::optional<ShownToken> find_shown(Connection& connection, const TokenHash& hash)
{
    Query select =
        connection.query("SELECT " TOKEN_COLUMNS ", first_used_ms FROM tokens WHERE hash = ?1");
    if (!select.bind(hash).next()) return std::nullopt;
    return ShownToken{token_of(select), select[select.columns<ShownColumns>().first_used_at]};
}

std::optional<Login> find_login(Connection& connection, const std::string& id)
{
    Query select =
        connection.query("SELECT " TOKEN_COLUMNS " FROM tokens WHERE id = ?1 AND kind = 'login'");
    if (!select.bind(id).next()) return std::nullopt;
    return as_login(token_of(select));
}

void end(Connection& connection, const std::string& id, const std::optional<Occasion>& occasion)
{
    const auto login = find_login(connection, id);
    if (!login) return;
    if (connection.query("DELETE FROM tokens WHERE id = ?1").bind(id).run() == 0) return;
    if (occasion)
        record_events(connection, {login->user}, *occasion, {{{EventType::login_ended, id}}});
    connection.notify_replicas(Notice::rights, login->user);
}

void keep(Connection& connection, const Login& login, const Refresh& refresh)
{
    Query use = connection.query(
        "UPDATE tokens SET first_used_ms = ?2 WHERE hash = ?1 AND first_used_ms IS NULL");
    use.bind(refresh.used, refresh.now).run();
    Query update = connection.query(
        "UPDATE tokens SET hint = ?2, scopes = ?3, last_used_ms = ?4,"
        " ends_ms = CASE WHEN ends_ms > ?5 THEN ends_ms ELSE ?5 END WHERE id = ?1");
    update
        .bind(login.id, login.hint, login.scopes, login.last_used_at,
              end_of(login, refresh.access, refresh.refresh))
        .run();
}

// Nothing where the token was used too long ago and its login was ended. That must be committed, so
// it is an outcome here and becomes an error only outside of the transaction.
using Outcome = std::optional<Refreshed>;

Result<Outcome> renew(Connection& connection, Refresh refresh)
{
    connection.lock(Lock::shown_token, {bytes_of(refresh.used)});
    const auto shown = find_shown(connection, refresh.used);
    if (!shown || shown->token.kind != 'r' || has_expired(shown->token.expires_at, refresh.now))
        return not_found("The refresh token");
    auto login = find_login(connection, shown->token.login);
    auto user = find_user(connection, shown->token.user);
    if (!login || !user || user->disabled || has_expired(login->expires_at, refresh.now))
        return not_found("The login");

    if (shown->first_used_at && !is_within_grace(*shown->first_used_at, refresh)) {
        end(connection, login->id, occasion_of(refresh.reuse));
        if (const auto noted = note(connection, refresh.reuse); !noted) return noted.error();
        return Outcome();
    }
    join(refresh.access, *login);
    join(refresh.refresh, *login);
    if (!insert_token(connection, refresh.access) || !insert_token(connection, refresh.refresh))
        return new_token_is_there();
    note_refresh(*login, refresh);
    keep(connection, *login, refresh);
    return Outcome(Refreshed{std::move(*user), std::move(*login), std::move(refresh.access),
                             std::move(refresh.refresh)});
}

}  // namespace

Task<Result<>> SqlTokens::begin_login(Login login, Token access, Token refresh, LoginCheck check,
                                      std::optional<AuditEvent> audit)
{
    join(access, login);
    join(refresh, login);
    auto occasion = occasion_of(audit);
    return writes_.run<void>(
        audited(std::move(audit),
                [login = std::move(login), access = std::move(access), refresh = std::move(refresh),
                 check = std::move(check), occasion = std::move(occasion)](Connection& connection) {
                    return begin(connection, login, access, refresh, check, occasion);
                }));
}

Task<Result<Refreshed>> SqlTokens::refresh_login(Refresh refresh)
{
    refresh.now = to_the_millisecond(refresh.now);
    auto outcome =
        co_await writes_.run<Outcome>([refresh = std::move(refresh)](Connection& connection) {
            return renew(connection, refresh);
        });
    if (!outcome) co_return outcome.error();
    if (!*outcome) co_return refresh_token_was_used();
    co_return std::move(**outcome);
}

Task<Result<>> SqlTokens::end_login(std::string login, std::optional<AuditEvent> audit)
{
    auto occasion = occasion_of(audit);
    return writes_.run<void>(audited(std::move(audit),
                                     [login = std::move(login), occasion = std::move(occasion)](
                                         Connection& connection) -> Result<> {
                                         end(connection, login, occasion);
                                         return {};
                                     }));
}

}  // namespace parley::store::sql
