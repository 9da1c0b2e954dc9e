#include "api/logins.hpp"

#include "api/account_bodies.hpp"
#include "api/api.hpp"
#include "api/login_view.hpp"
#include "api/wire/login.hpp"
#include "api/wire/reset_link.hpp"
#include "auth/accounts.hpp"
#include "auth/logins.hpp"
#include "auth/names.hpp"
#include "auth/setup_code.hpp"

namespace parley::api {
namespace {

Task<Result<LoginView>> log_in(auth::Logins& logins, TokenHolder /*caller*/, Origin origin,
                               Body<LoginBody> body)
{
    const auto login = co_await logins.log_in(
        std::move(body.username), Secret::taken_from(body.password),
        std::move(body.label).value_or(""), std::move(origin), std::move(body.code).value_or(""));
    if (!login) co_return login.error();
    co_return login_view(*login);
}

Task<Result<LoginView>> refresh_login(auth::Logins& logins, TokenHolder caller, Origin origin,
                                      Body<RefreshBody> body)
{
    const auto login = co_await logins.refresh(caller.ref(), Secret::taken_from(body.refresh_token),
                                               std::move(origin));
    if (!login) co_return login.error();
    co_return login_view(*login);
}

Task<Result<>> log_out(auth::Logins& logins, SignedIn caller, Origin origin)
{
    return logins.log_out(caller.ref(), std::move(origin));
}

Task<Result<Created<LoginView>>> set_up(auth::Accounts& accounts, auth::Logins& logins,
                                        const auth::SetupCode& code, TokenHolder /*caller*/,
                                        Origin origin, Body<CheckedSetup> body)
{
    if (!code.is(body.setup_code))
        co_return Error{Errc::invalid_credentials,
                        "The set-up code is wrong, or the server is set up already. A server "
                        "without an operator makes a new set-up link at each start."};
    auth::NewUser first{.username = std::move(body.username),
                        .password = Secret::taken_from(body.password),
                        .display_name = std::move(body.display_name).value_or("")};
    auto user = co_await accounts.add_first_operator(std::move(first), origin);
    if (!user) co_return user.error();
    const auto login = co_await logins.begin(std::move(*user), "set-up", std::move(origin));
    if (!login) co_return login.error();
    co_return Created<LoginView>{login_view(*login), "/v1/api/me"};
}

Task<Result<LoginView>> accept_invitation(auth::Accounts& accounts, auth::Logins& logins,
                                          TokenHolder /*caller*/, Origin origin,
                                          Body<CheckedAcceptance> body)
{
    auto user = co_await accounts.accept(Secret::taken_from(body.code),
                                         Secret::taken_from(body.password), origin);
    if (!user) co_return user.error();
    const auto login = co_await logins.begin(std::move(*user), "invitation", std::move(origin));
    if (!login) co_return login.error();
    co_return login_view(*login);
}

Task<Result<LoginView>> reset_password(auth::Accounts& accounts, auth::Logins& logins,
                                       TokenHolder /*caller*/, Origin origin,
                                       Body<CheckedReset> body)
{
    auto user = co_await accounts.reset(Secret::taken_from(body.reset_code),
                                        Secret::taken_from(body.password),
                                        std::move(body.code).value_or(""), origin);
    if (!user) co_return user.error();
    const auto login = co_await logins.begin(std::move(*user), "password reset", std::move(origin));
    if (!login) co_return login.error();
    co_return login_view(*login);
}

std::optional<store::CodeHash> code_in_body(const Call& call, std::string_view name)
{
    const auto* body = call.body.if_object();
    const auto* code = body ? body->if_contains(name) : nullptr;
    if (!code || !code->is_string()) return std::nullopt;
    return auth::hash_token(code->as_string());
}

// Setting a password with a code counts against the name of its user.
Task<std::optional<Account>> account_invited_in_body(Call& call)
{
    const auto code = code_in_body(call, "code");
    if (!code) co_return std::nullopt;
    const auto user = co_await call.services.get<store::Store>().accounts().find_invited_user(
        *code, call.services.get<const Clock>().now());
    if (!user) co_return std::nullopt;
    co_return Account{limits::Key::Kind::account, user->name_key};
}

Task<std::optional<Account>> account_to_reset_in_body(Call& call)
{
    const auto code = code_in_body(call, "reset_code");
    if (!code) co_return std::nullopt;
    const auto user = co_await call.services.get<store::Store>().accounts().find_user_to_reset(
        *code, call.services.get<const Clock>().now());
    if (!user) co_return std::nullopt;
    co_return Account{limits::Key::Kind::account, user->name_key};
}

// A refresh counts against its login, so that the response does not reveal the user's name. Unknown
// tokens count against the address only.
Task<std::optional<Account>> login_in_body(Call& call)
{
    const auto* body = call.body.if_object();
    const auto* token = body ? body->if_contains("refresh_token") : nullptr;
    if (!token || !token->is_string() ||
        auth::token_kind(token->as_string()) != auth::TokenKind::refresh)
        co_return std::nullopt;
    auto& store = call.services.get<store::Store>();
    const auto owner = co_await store.tokens().find_token(auth::hash_token(token->as_string()));
    if (!owner || owner->token.login.empty()) co_return std::nullopt;
    co_return Account{limits::Key::Kind::login, owner->token.login};
}

}  // namespace

Task<std::optional<Account>> account_named_in_body(Call& call)
{
    const auto* body = call.body.if_object();
    const auto* given = body ? body->if_contains("username") : nullptr;
    if (!given || !given->is_string()) co_return std::nullopt;
    const auto name = auth::read_name(given->as_string());
    if (!name) co_return std::nullopt;
    co_return Account{limits::Key::Kind::account, name->key};
}

std::vector<Route> login_routes()
{
    using limits::Class;
    const CountedAs by_name{Class::auth, account_named_in_body};
    return {
        route<log_in>(
            "POST", "/v1/api/auth/login", "logIn", "Log in", by_name,
            description(
                "Exchanges a name and a password for an access token and a refresh token. Needs "
                "any valid token except a refresh token, usually a client token. An unknown name, "
                "a wrong password and a disabled user get the same response after the same time. "
                "If the user has a second factor, `code` is checked after the password: without "
                "it the response is 401 `second_factor_required`."),
            may_fail(Errc::invalid_credentials, Errc::second_factor_required)),
        route<refresh_login>(
            "POST", "/v1/api/auth/refresh", "refreshLogin", "Get new tokens for a login",
            CountedAs{Class::auth, login_in_body},
            description("A refresh token can be used once. If it is used again within a "
                        "minute, it gives another pair; later use ends the login. The "
                        "earlier access token stays valid until it expires."),
            may_fail(Errc::invalid_credentials)),
        route<accept_invitation>(
            "POST", "/v1/api/auth/accept", "acceptInvitation", "Accept an invitation",
            CountedAs{Class::auth, account_invited_in_body},
            description("An invited user sets a password with the code of the link, "
                        "which is valid once, and is logged in."),
            may_fail(Errc::invalid_credentials, Errc::second_factor_required)),
        route<reset_password>(
            "POST", "/v1/api/auth/reset", "resetPassword", "Set a new password with a reset link",
            CountedAs{Class::auth, account_to_reset_in_body},
            description(
                "A user who has lost the password sets a new one, once, with the code of a link "
                "that an operator has created, and is logged in. Ends all other logins and all "
                "tokens of the user. If the user has a second factor, `code` is required."),
            may_fail(Errc::invalid_credentials, Errc::second_factor_required)),
        route<log_out>("POST", "/v1/api/auth/logout", "logOut", "End this login"),
        route<set_up>("POST", "/v1/api/auth/setup", "setUp", "Create the first operator", by_name,
                      may_fail(Errc::invalid_credentials, Errc::conflict)),
    };
}

}  // namespace parley::api
