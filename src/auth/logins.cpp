#include "auth/logins.hpp"

#include "auth/names.hpp"
#include "auth/roles.hpp"
#include "base/id.hpp"
#include "base/log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace parley::auth {
namespace {

// The same error for every cause.
Error invalid_refresh_token()
{
    return {Errc::invalid_credentials, "The refresh token is not valid; log in again."};
}

store::Token token_of(TokenKind kind, const Secret& text, Scopes scopes, TimePoint now,
                      std::chrono::seconds lives)
{
    return {.id = new_id("tok", now),
            .hash = hash_token(text.reveal()),
            .kind = static_cast<char>(kind),
            .scopes = scopes.bits(),
            .hint = token_hint(text.reveal()),
            .created_at = now,
            .expires_at = now + lives};
}

}  // namespace

Error invalid_credentials()
{
    return {Errc::invalid_credentials, "User name or password is wrong."};
}

struct Logins::Pair {
    TimePoint now;
    Scopes scopes;
    Secret access;
    Secret refresh;
    store::Token stored_access;
    store::Token stored_refresh;
};

Logins::Pair Logins::make_pair(const store::User& user) const
{
    Pair pair;
    pair.now = std::chrono::floor<std::chrono::milliseconds>(time_.now());
    pair.scopes = scopes_of(user.role);
    pair.access = new_token(TokenKind::access);
    pair.refresh = new_token(TokenKind::refresh);
    pair.stored_access =
        token_of(TokenKind::access, pair.access, pair.scopes, pair.now, times_.access);
    pair.stored_refresh = token_of(TokenKind::refresh, pair.refresh, {}, pair.now, times_.refresh);
    return pair;
}

LoggedIn Logins::shown(store::User user, Pair pair) const
{
    // The stored times count: no token outlives its login.
    const auto lives = [&pair](const store::Token& token) {
        return std::chrono::floor<std::chrono::seconds>(token.expires_at.value() - pair.now);
    };
    return {.user = std::move(user),
            .scopes = pair.scopes,
            .access = std::move(pair.access),
            .refresh = std::move(pair.refresh),
            .access_lives = lives(pair.stored_access),
            .access_expires_at = pair.stored_access.expires_at.value(),
            .refresh_lives = lives(pair.stored_refresh)};
}

Task<Result<store::User>> Logins::check(std::string name_key, Secret password)
{
    auto user = co_await store_.accounts().find_user_by_name(std::move(name_key));
    if (!user && user.error().code != Errc::not_found) co_return user.error();
    const Secret again(password.reveal());
    const auto verdict = user ? co_await hasher_.verify(user->password_hash, std::move(password))
                              : co_await hasher_.verify_nobody(std::move(password));
    if (!verdict) co_return verdict.error();
    // Checked after the hash, so that a disabled user takes as long as any other.
    if (!user || *verdict == Verdict::wrong || user->disabled) co_return invalid_credentials();
    if (*verdict == Verdict::ok_but_old) {
        auto better = co_await hasher_.hash(Secret(again.reveal()));
        if (better &&
            co_await store_.accounts().replace_hash(user->id, user->password_hash, *better))
            user->password_hash = std::move(*better);
    }
    co_return user;
}

Task<Result<LoggedIn>> Logins::log_in(std::string username, Secret password, std::string label,
                                      Origin origin, std::string code)
{
    const auto name = read_name(username);
    // An invalid name gets the same error as an unknown one.
    auto user = co_await check(name ? name->key : std::string(), std::move(password));
    if (!user) {
        if (user.error().code == Errc::invalid_credentials)
            co_await note_refusal(std::move(username), std::move(origin));
        co_return user.error();
    }
    auto use = co_await factors_.check(*user, std::move(code), origin);
    if (!use) co_return use.error();
    store::LoginCheck check{.password_hash = user->password_hash, .second_factor = std::move(*use)};
    const char* action = check.second_factor && check.second_factor->recovery_code
                             ? "login.by_recovery_code"
                             : "login";
    co_return co_await begin_checked(std::move(*user), std::move(label), std::move(origin),
                                     std::move(check), action);
}

Task<Result<LoggedIn>> Logins::begin(store::User user, std::string label, Origin origin)
{
    // An operator may have set another password since the user did.
    store::LoginCheck check{.password_hash = user.password_hash};
    return begin_checked(std::move(user), std::move(label), std::move(origin), std::move(check),
                         {});
}

Task<Result<LoggedIn>> Logins::begin_identified(store::User user, std::string label, Origin origin)
{
    return begin_checked(std::move(user), std::move(label), std::move(origin), {}, "login.by_oidc");
}

Task<Result<LoggedIn>> Logins::begin_checked(store::User user, std::string label, Origin origin,
                                             store::LoginCheck check, std::string action)
{
    Pair pair = make_pair(user);
    store::Login login{.id = new_id("tok", pair.now),
                       .user = user.id,
                       .label = std::move(label),
                       .created_at = pair.now,
                       .expires_at = pair.now + times_.login,
                       .hint = pair.stored_access.hint,
                       .scopes = pair.scopes.bits()};
    std::optional<store::AuditEvent> event;
    if (!action.empty())
        event = audit_event(time_.wall(), user.id, std::move(action), login.id, origin);
    const auto begun = co_await store_.tokens().begin_login(
        login, pair.stored_access, pair.stored_refresh, std::move(check), std::move(event));
    // The user was disabled, removed or given another password during the check, or the code was
    // used by another login.
    if (!begun && (begun.error().code == Errc::not_found || begun.error().code == Errc::conflict))
        co_return invalid_credentials();
    if (!begun) co_return begun.error();
    boost::asio::co_spawn(co_await boost::asio::this_coro::executor, sweep_some(),
                          boost::asio::detached);
    user.last_login_at = pair.now;
    co_return shown(std::move(user), std::move(pair));
}

Task<Result<LoggedIn>> Logins::refresh(CallerRef caller, Secret token, Origin origin)
{
    if (token_kind(token.reveal()) != TokenKind::refresh) co_return invalid_refresh_token();
    const TokenHash hash = hash_token(token.reveal());
    const auto owner = co_await store_.tokens().find_token(hash);
    if (!owner && owner.error().code != Errc::not_found) co_return owner.error();
    if (!owner || !owner->user) co_return invalid_refresh_token();
    if (!caller->user.empty() && caller->user != owner->user->id) co_return invalid_refresh_token();

    Pair pair = make_pair(*owner->user);
    auto refreshed = co_await store_.tokens().refresh_login(
        {.used = hash,
         .access = pair.stored_access,
         .refresh = pair.stored_refresh,
         .now = pair.now,
         .reuse = audit_event(time_.wall(), owner->user->id, "login.ended_by_reuse",
                              owner->token.login, origin),
         .grace = times_.grace});
    if (!refreshed && refreshed.error().code == Errc::conflict) {
        authenticator_.forget_all(owner->user->id);
        log::warn("refresh token reused; the login was ended", log::kv("login", owner->token.login),
                  log::kv("address", origin.address), log::kv("request_id", origin.request_id));
        co_return invalid_refresh_token();
    }
    if (!refreshed)
        co_return refreshed.error().code == Errc::not_found ? invalid_refresh_token()
                                                            : refreshed.error();
    pair.stored_access = std::move(refreshed->access);
    pair.stored_refresh = std::move(refreshed->refresh);
    co_return shown(std::move(refreshed->user), std::move(pair));
}

Task<Result<>> Logins::log_out(CallerRef caller, Origin origin)
{
    if (caller->login.empty())
        // No scope would help, so the error names none.
        co_return Error{Errc::insufficient_scope, "Only the token of a login can log out."};
    auto ended = co_await store_.tokens().end_login(
        caller->login, audit_event(time_.wall(), caller->actor, "logout", caller->login, origin));
    authenticator_.forget_all(caller->user);
    co_return ended;
}

// Each login removes more expired rows than it adds, so that no timer is needed. Expired tokens are
// kept for longer than a request may wait: a token without a row counts as revoked, and the
// response of a request whose token has only expired is delivered.
Task<void> Logins::sweep_some()
{
    if (!time_.may_sweep()) co_return;
    constexpr std::size_t rows = 100;
    constexpr std::chrono::hours expired_are_kept{25};
    const auto swept = co_await store_.tokens().sweep(time_.now() - expired_are_kept, rows);
    if (!swept) log::debug("cannot remove expired tokens", log::kv("rows", rows));
}

Task<void> Logins::note_refusal(std::string username, Origin origin)
{
    // Users sometimes type a password into the name field, so only existing names are logged.
    const auto name = read_name(username);
    std::string target = "unknown user";
    if (name) {
        const auto user = co_await store_.accounts().find_user_by_name(name->key);
        if (user) target = user->id;
    }
    const auto noted = co_await store_.audit().append(
        audit_event(time_.wall(), "anonymous", "login.refused", std::move(target), origin));
    if (!noted)
        log::warn("cannot write a refused login to the audit log",
                  log::kv("request_id", origin.request_id));
}

}  // namespace parley::auth
