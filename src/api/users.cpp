// Users over HTTP, for operators.
#include "api/account_bodies.hpp"
#include "api/api.hpp"
#include "api/cursor.hpp"
#include "api/idempotency.hpp"
#include "api/invitation_links.hpp"
#include "api/list_page.hpp"
#include "api/own_limits.hpp"
#include "api/page_position.hpp"
#include "api/removed_users.hpp"
#include "api/user_view.hpp"
#include "api/wire/header_fields.hpp"
#include "api/wire/reset_link.hpp"
#include "auth/accounts.hpp"
#include "auth/second_factors.hpp"
#include "base/normal_form.hpp"

namespace parley::api {
namespace {

using Operator = With<auth::Scope::admin>;

Task<Result<ListPage<UserView>>> list_users(store::Store& store, Cursors& cursors,
                                            Operator /*caller*/, Query<UsersQuery> query)
{
    const auto part = case_folded(query.q.value_or(""));
    if (!part)
        co_return validation_failed(
            {{"q", "not_utf8", "must be valid UTF-8", Fault::Location::parameter}});
    const PagePosition place("users " + *part, cursors);
    const auto before = place.of({.limit = query.limit, .after = query.after});
    if (!before) co_return before.error();
    const auto page =
        co_await store.accounts().list_users(*before, static_cast<std::size_t>(query.limit), *part);
    if (!page) co_return page.error();
    co_return place.list<UserView>(*page, [](const store::User& user) { return user_view(user); });
}

Created<UserView> shown_once(const auth::MadeUser& made, const InvitationLinks& links)
{
    UserView shown = user_view(made.user);
    if (made.invitation)
        shown.invitation = {{.url = links.link(made.invitation->text),
                             .expires_at = rfc3339(made.invitation->expires_at)}};
    return {std::move(shown), "/v1/api/users/" + made.user.id};
}

// Without the password: the fingerprint of a request is stored, and a fast hash would make the
// password easy to guess.
std::string comparable(NewUserBody body)
{
    if (body.password) body.password = "set";
    return fields::write(body);
}

Task<Result<Created<UserView>>> create_user(auth::Accounts& accounts, const InvitationLinks& links,
                                            const Clock& clock, Operator caller, Origin origin,
                                            const http::RequestHead& head,
                                            CommonHeaders& common_headers,
                                            Body<CheckedNewUser> body)
{
    auto key = own_claim(caller, head, "user", comparable(body), clock);
    if (!key) co_return key.error();
    auth::NewUser wanted{.username = std::move(body.username),
                         .display_name = std::move(body.display_name).value_or(""),
                         .role = body.role};
    if (body.password) wanted.password = Secret::taken_from(*body.password);
    const auto made =
        co_await accounts.add(std::move(wanted), caller->actor, std::move(origin), std::move(*key));
    if (!made) co_return made.error();
    tell_if_replayed(made->replayed, common_headers);
    co_return shown_once(*made, links);
}

Task<Result<Created<UserView>>> invite_user(auth::Accounts& accounts, const InvitationLinks& links,
                                            Operator caller, Origin origin, Path<UserPath> path)
{
    const auto made =
        co_await accounts.invite(std::move(path.user), caller->actor, std::move(origin));
    if (!made) co_return made.error();
    co_return shown_once(*made, links);
}

Task<Result<Created<ResetLinkView>>> create_reset_link(auth::Accounts& accounts,
                                                       const InvitationLinks& links,
                                                       Operator caller, Origin origin,
                                                       Path<UserPath> path)
{
    const auto code =
        co_await accounts.make_reset_link(path.user, caller->actor, std::move(origin));
    if (!code) co_return code.error();
    co_return Created<ResetLinkView>{{.user_id = path.user,
                                      .url = links.reset_link(code->text),
                                      .expires_at = rfc3339(code->expires_at)},
                                     "/v1/api/users/" + path.user};
}

Task<Result<UserView>> get_user(store::Store& store, Operator /*caller*/, Path<UserPath> path)
{
    const auto user = co_await store.accounts().find_user(std::move(path.user));
    if (!user) co_return user.error();
    co_return user_view(*user);
}

Task<Result<UserView>> change_user(auth::Accounts& accounts, Operator caller, Origin origin,
                                   Path<UserPath> path, Body<CheckedUserChange> body)
{
    auth::ChangedUser change{.display_name = std::move(body.display_name),
                             .role = body.role,
                             .disabled = body.disabled,
                             .keeps_tokens = body.keep_tokens.value_or(false),
                             .limits = change_of(body.limits)};
    if (body.password) change.password = Secret::taken_from(*body.password);
    if (body.budget && body.budget->output_tokens_per_day.given()) {
        const auto& tokens = body.budget->output_tokens_per_day;
        change.output_tokens_per_day = tokens ? std::optional(*tokens) : std::nullopt;
    }
    const auto user = co_await accounts.change(std::move(path.user), std::move(change),
                                               caller->actor, std::move(origin));
    if (!user) co_return user.error();
    co_return user_view(*user);
}

Task<Result<>> delete_user(auth::Accounts& accounts, const RemovedUsers& removed_users,
                           Operator caller, Origin origin, Path<UserPath> path)
{
    auto removed = co_await accounts.remove(path.user, caller->actor, std::move(origin));
    if (removed) co_await removed_users.forget(path.user);
    co_return removed;
}

Task<Result<>> remove_second_factor(auth::SecondFactors& factors, Operator caller, Origin origin,
                                    Path<UserPath> path)
{
    return factors.remove(std::move(path.user), caller->actor, std::move(origin));
}

constexpr std::string_view about_new_users =
    R"(Without a password the user is invited: the response has a one-time link, valid for 7 days, to set
one.

With an `Idempotency-Key` the request can be repeated safely: the same key and body give the same
user again, without the link. Passwords are not compared.)";

}  // namespace

std::vector<Route> user_routes()
{
    return {
        route<list_users>("GET", "/v1/api/users", "listUsers", "List users, newest first",
                          may_fail(Errc::invalid_cursor)),
        route<create_user>(
            "POST", "/v1/api/users", "createUser", "Create a user", description(about_new_users),
            takes_fields<IdempotencyFields>, sends_fields("Idempotency-Replayed"),
            may_fail(Errc::conflict, Errc::invalid_idempotency_key, Errc::idempotency_mismatch)),
        route<invite_user>(
            "POST", "/v1/api/users/{user}/invite", "inviteUser", "Invite a user to set a password",
            description("Returns a link that can be used once within 7 days and replaces "
                        "an earlier one. Using the link ends the user's old password and "
                        "tokens; until then they stay valid.")),
        route<create_reset_link>(
            "POST", "/v1/api/users/{user}/reset-link", "createResetLink",
            "Create a link to reset a user's password",
            description(
                "Returns a link that can be used once within 24 hours and replaces an earlier "
                "one. Using the link ends the user's old password, logins and tokens; until then "
                "they stay valid.")),
        route<get_user>("GET", "/v1/api/users/{user}", "getUser", "Get one user"),
        route<change_user>("PATCH", "/v1/api/users/{user}", "changeUser", "Change a user",
                           may_fail(Errc::conflict)),
        route<delete_user>("DELETE", "/v1/api/users/{user}", "deleteUser",
                           "Remove a user and all of their data", may_fail(Errc::conflict)),
        route<remove_second_factor>(
            "DELETE", "/v1/api/users/{user}/totp", "removeSecondFactor",
            "Remove the second factor of a user",
            description(
                "For a user who has lost the authenticator app and the recovery codes. Ends all "
                "logins of the user.")),
    };
}

}  // namespace parley::api
