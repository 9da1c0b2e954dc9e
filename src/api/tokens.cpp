// Tokens over HTTP: a user's own, and those that operators create for others.
#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/idempotency.hpp"
#include "api/list_page.hpp"
#include "api/own_limits.hpp"
#include "api/page_position.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/token.hpp"
#include "api/wire/user.hpp"
#include "auth/personal_tokens.hpp"
#include "base/rfc3339.hpp"
#include "fields/add_fault.hpp"

namespace parley::api {
namespace {

std::string kind_of(const store::Token& token)
{
    switch (static_cast<auth::TokenKind>(token.kind)) {
        case auth::TokenKind::access:
        case auth::TokenKind::refresh:
            return "login";
        case auth::TokenKind::client:
            return "client";
        case auth::TokenKind::test:
            return "test";
        case auth::TokenKind::personal:
        case auth::TokenKind::hook:  // Never listed.
            break;
    }
    return "personal";
}

TokenView view(const store::Token& token)
{
    TokenView shown{.id = token.id,
                    .name = token.name,
                    .kind = kind_of(token),
                    .hint = token.hint,
                    .created_at = rfc3339(token.created_at),
                    .created_by = token.created_by,
                    .limits = view_of(token.limits)};
    const auto scopes = auth::Scopes::from_bits(token.scopes);
    for (const auto& [scope, name] : auth::all_scopes)
        if (scopes.has(scope)) shown.scopes.emplace_back(name);
    if (token.last_used_at) shown.last_used_at = rfc3339(*token.last_used_at);
    if (token.expires_at) shown.expires_at = rfc3339(*token.expires_at);
    return shown;
}

// Also of a body that is refused: names of scopes that do not exist are left out.
auth::NewToken wanted(NewTokenBody body)
{
    auth::NewToken token{.name = std::move(body.name),
                         .never_expires = body.expires_at.is_null(),
                         .test = body.test,
                         .limits = change_of(body.limits),
                         .is_temporary = body.temporary.value_or(false)};
    if (body.scopes) {
        token.scopes = {};
        for (const auto& name : *body.scopes)
            if (const auto scope = auth::find_scope(name)) token.scopes.add(*scope);
    }
    if (body.expires_at) token.expires_at = parse_rfc3339(*body.expires_at);
    return token;
}

Created<TokenView> shown_once(const auth::MadeToken& made)
{
    TokenView shown = view(made.token);
    if (!made.replayed) shown.token = std::string(made.text.reveal());
    return {std::move(shown), "/v1/api/tokens/" + made.token.id};
}

Task<Result<ListPage<TokenView>>> list_tokens(store::Store& store, Cursors& cursors,
                                              const Clock& clock, With<auth::Scope::account> caller,
                                              Query<PageQuery> query)
{
    const PagePosition place("tokens of " + caller->user, cursors);
    const auto before = place.of(query);
    if (!before) co_return before.error();
    const auto page = co_await store.tokens().list_tokens(caller->user, clock.now(), *before,
                                                          static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<TokenView>(*page, [](const store::Token& token) { return view(token); });
}

// The error for a body with faults in its fields, with those of the caller's rights if these could
// be looked at.
Error with_faults_of_rights(Faults faults, Result<Faults> of_rights)
{
    if (of_rights) fields::add_unless_refused(faults, std::move(*of_rights));
    return validation_failed(std::move(faults));
}

Task<Result<Created<TokenView>>> make_token(auth::PersonalTokens& tokens, SignedIn caller,
                                            std::string user, Origin origin, NewTokenBody body,
                                            std::optional<store::OwnClaim> key,
                                            CommonHeaders& common_headers)
{
    const auto made = co_await tokens.make(caller.ref(), std::move(user), wanted(std::move(body)),
                                           std::move(origin), std::move(key));
    if (!made) co_return made.error();
    tell_if_replayed(made->replayed, common_headers);
    co_return shown_once(*made);
}

Task<Result<Created<TokenView>>> create_token(auth::PersonalTokens& tokens, const Clock& clock,
                                              With<auth::Scope::account> caller, Origin origin,
                                              const http::RequestHead& head,
                                              CommonHeaders& common_headers,
                                              BodyWithFaults<NewTokenBody> body)
{
    if (!body.faults.empty()) {
        auto more = co_await tokens.faults_of(caller.ref(), caller->user, wanted(body));
        co_return with_faults_of_rights(std::move(body.faults), std::move(more));
    }
    auto key = own_claim(caller, head, "token", fields::write<NewTokenBody>(body), clock);
    if (!key) co_return key.error();
    std::string user = caller->user;
    co_return co_await make_token(tokens, caller, std::move(user), std::move(origin),
                                  std::move(body), std::move(*key), common_headers);
}

Task<Result<Created<TokenView>>> create_user_token(auth::PersonalTokens& tokens, const Clock& clock,
                                                   With<auth::Scope::admin> caller, Origin origin,
                                                   const http::RequestHead& head,
                                                   CommonHeaders& common_headers,
                                                   Path<UserPath> path,
                                                   BodyWithFaults<NewTokenBody> body)
{
    if (!body.faults.empty()) {
        auto more = co_await tokens.faults_of(caller.ref(), path.user, wanted(body));
        co_return with_faults_of_rights(std::move(body.faults), std::move(more));
    }
    auto key =
        own_claim(caller, head, "token of " + path.user, fields::write<NewTokenBody>(body), clock);
    if (!key) co_return key.error();
    co_return co_await make_token(tokens, caller, std::move(path.user), std::move(origin),
                                  std::move(body), std::move(*key), common_headers);
}

Task<Result<TokenView>> get_token(auth::PersonalTokens& tokens, With<auth::Scope::account> caller,
                                  Path<TokenPath> path)
{
    const auto token = co_await tokens.find(caller->user, std::move(path.token));
    if (!token) co_return token.error();
    co_return view(*token);
}

Task<Result<TokenView>> change_token(auth::PersonalTokens& tokens,
                                     With<auth::Scope::account> caller, Origin origin,
                                     Path<TokenPath> path, BodyWithFaults<TokenChangeBody> body)
{
    if (!body.faults.empty()) {
        auto more =
            co_await tokens.faults_of_change(caller.ref(), path.token, change_of(body.limits));
        co_return with_faults_of_rights(std::move(body.faults), std::move(more));
    }
    const auto token = co_await tokens.change(
        caller.ref(), std::move(path.token),
        {.name = std::move(body.name), .limits = change_of(body.limits)}, std::move(origin));
    if (!token) co_return token.error();
    co_return view(*token);
}

Task<Result<ListPage<TokenView>>> list_user_tokens(store::Store& store, Cursors& cursors,
                                                   const Clock& clock,
                                                   With<auth::Scope::admin> /*caller*/,
                                                   Path<UserPath> path, Query<PageQuery> query)
{
    const PagePosition place("tokens of " + path.user, cursors);
    const auto before = place.of(query);
    if (!before) co_return before.error();
    const auto user = co_await store.accounts().find_user(path.user);
    if (!user) co_return user.error();
    const auto page = co_await store.tokens().list_tokens(user->id, clock.now(), *before,
                                                          static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<TokenView>(*page, [](const store::Token& token) { return view(token); });
}

Task<Result<>> revoke_user_token(auth::PersonalTokens& tokens, With<auth::Scope::admin> caller,
                                 Origin origin, Path<UserTokenPath> path)
{
    return tokens.revoke(std::move(path.user), std::move(path.token), caller->actor,
                         std::move(origin));
}

Task<Result<List<TokenView>>> list_client_tokens(store::Store& store,
                                                 With<auth::Scope::admin> /*caller*/)
{
    const auto tokens = co_await store.tokens().list_client_tokens();
    if (!tokens) co_return tokens.error();
    List<TokenView> list;
    for (const store::Token& token : *tokens) list.data.push_back(view(token));
    co_return list;
}

Task<Result<Created<TokenView>>> create_client_token(auth::PersonalTokens& tokens,
                                                     With<auth::Scope::admin> caller, Origin origin,
                                                     Body<NewClientTokenBody> body)
{
    const auto made =
        co_await tokens.make_client(caller->actor, std::move(body.name), std::move(origin));
    if (!made) co_return made.error();
    auto created = shown_once(*made);
    created.location = "/v1/api/client-tokens/" + made->token.id;
    co_return created;
}

Task<Result<>> revoke_client_token(auth::PersonalTokens& tokens, With<auth::Scope::admin> caller,
                                   Origin origin, Path<TokenPath> path)
{
    return tokens.revoke("", std::move(path.token), caller->actor, std::move(origin));
}

Task<Result<>> revoke_token(auth::PersonalTokens& tokens, With<auth::Scope::account> caller,
                            Origin origin, Path<TokenPath> path)
{
    return tokens.revoke(caller->user, std::move(path.token), caller->actor, std::move(origin));
}

constexpr std::string_view about_new_tokens =
    R"(The token itself is only in this response. A token can only grant scopes that it has; a test token
can only create test tokens, which never have `admin`. A token created with a personal or test token
cannot expire later and cannot have higher limits (absent: the same). Tokens created with a login may
have any expiry, and limits up to the user's.

With an `Idempotency-Key` the request can be repeated safely: the same key and body give the same
token again, without its secret.)";

}  // namespace

std::vector<Route> token_routes()
{
    return {
        route<list_tokens>("GET", "/v1/api/tokens", "listTokens", "List your tokens and logins",
                           may_fail(Errc::invalid_cursor)),
        route<create_token>("POST", "/v1/api/tokens", "createToken", "Create a personal token",
                            needs_room, description(about_new_tokens),
                            takes_fields<IdempotencyFields>, sends_fields("Idempotency-Replayed"),
                            may_fail(Errc::invalid_idempotency_key, Errc::idempotency_mismatch)),
        route<get_token>("GET", "/v1/api/tokens/{token}", "getToken", "Get one token or login"),
        route<change_token>(
            "PATCH", "/v1/api/tokens/{token}", "changeToken", "Change a token or login", needs_room,
            description("Sets the name, or the limits of a token. New limits apply at "
                        "once. A token with limits of its own cannot set higher ones.")),
        route<revoke_token>("DELETE", "/v1/api/tokens/{token}", "revokeToken",
                            "Revoke a token or end a login"),
        route<create_user_token>(
            "POST", "/v1/api/users/{user}/tokens", "createUserToken", "Create a token for a user",
            description(about_new_tokens), takes_fields<IdempotencyFields>,
            sends_fields("Idempotency-Replayed"),
            may_fail(Errc::invalid_idempotency_key, Errc::idempotency_mismatch)),
        route<list_user_tokens>("GET", "/v1/api/users/{user}/tokens", "listUserTokens",
                                "List a user's tokens", may_fail(Errc::invalid_cursor)),
        route<revoke_user_token>("DELETE", "/v1/api/users/{user}/tokens/{token}", "revokeUserToken",
                                 "Revoke a token or end a login of a user"),
        route<list_client_tokens>("GET", "/v1/api/client-tokens", "listClientTokens",
                                  "List client tokens"),
        route<create_client_token>("POST", "/v1/api/client-tokens", "createClientToken",
                                   "Create a client token"),
        route<revoke_client_token>("DELETE", "/v1/api/client-tokens/{token}", "revokeClientToken",
                                   "Revoke a client token"),
    };
}

}  // namespace parley::api
