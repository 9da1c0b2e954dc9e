// A user's own account over HTTP.
#include "api/account_bodies.hpp"
#include "api/api.hpp"
#include "api/retention_limit.hpp"
#include "api/run_answers.hpp"
#include "api/user_view.hpp"
#include "api/wire/limits.hpp"
#include "auth/accounts.hpp"
#include "automation/start_limit.hpp"
#include "fields/add_fault.hpp"
#include "limits/limiter.hpp"

namespace parley::api {
namespace {

Task<Result<UserView>> get_me(store::Store& store, SignedIn caller)
{
    const auto user = co_await store.accounts().find_user(caller->user);
    if (!user) co_return user.error();
    co_return user_view(*user);
}

Task<Result<UserView>> change_me(auth::Accounts& accounts, const RetentionLimit& bound,
                                 With<auth::Scope::account> caller, Origin origin,
                                 BodyWithFaults<CheckedOwnChange> body)
{
    if (body.retention_days && bound.max_days && *body.retention_days > *bound.max_days)
        fields::add_unless_refused(
            body.faults,
            {{"#/retention_days", "out_of_range",
              "must be at most " + std::to_string(*bound.max_days) + " on this server"}});
    if (!body.faults.empty()) co_return validation_failed(std::move(body.faults));
    auth::ChangedUser change{.display_name = std::move(body.display_name)};
    if (body.retention_days.given())
        change.retention_days =
            body.retention_days ? std::optional(*body.retention_days) : std::nullopt;
    const auto user =
        co_await accounts.change(caller->user, std::move(change), caller->actor, std::move(origin));
    if (!user) co_return user.error();
    co_return user_view(*user);
}

Task<Result<>> change_password(auth::Accounts& accounts, With<auth::Scope::account> caller,
                               Origin origin, Body<CheckedNewPassword> body)
{
    return accounts.change_password(caller.ref(), Secret::taken_from(body.current_password),
                                    Secret::taken_from(body.new_password), std::move(origin));
}

Task<std::optional<Account>> own_account(Call& call)
{
    co_return Account{limits::Key::Kind::account, call.caller->name_key};
}

// Test mode is not counted.
LimitView starts_view(automation::StartLimit& starts, const SignedIn& caller)
{
    const auto left = starts.left({.owner = owner_of(caller),
                                   .limit = caller->user_limits.automation,
                                   .token = caller->token_id,
                                   .token_limit = caller->token_limits.automation});
    return {.name = "automation",
            .limit = left.limit,
            .window_seconds = automation::StartLimit::window.count(),
            .remaining = left.remaining,
            .reset_seconds = left.reset.count()};
}

Task<Result<LimitsView>> get_limits(limits::Limiter& limiter, automation::StartLimit& starts,
                                    SignedIn caller, ClientAddress client)
{
    LimitsView shown;
    for (const limits::Class of : limits::all_classes) {
        if (of == limits::Class::hook) continue;  // Counted by hook, not by user.
        // The class auth has two keys, address and name; the response shows the tighter one.
        limits::Keys keys = payer(&*caller, client.address, of);
        if (of == limits::Class::auth) keys.add(limits::Key::account(caller->name_key));
        const auto now = co_await limiter.peek(of, keys).wait();
        if (!now) co_return now.error();
        shown.data.push_back({.name = std::string(limits::name(of)),
                              .limit = now->limit,
                              .window_seconds = now->window.count(),
                              .remaining = now->remaining,
                              .reset_seconds = now->reset.count()});
    }
    shown.data.push_back(starts_view(starts, caller));
    co_return shown;
}

}  // namespace

std::vector<Route> me_routes()
{
    return {
        route<get_me>("GET", "/v1/api/me", "getMe", "Get your own user"),
        route<change_me>("PATCH", "/v1/api/me", "changeMe", "Change your own user", needs_room),
        route<change_password>("PUT", "/v1/api/me/password", "changePassword",
                               "Change your own password",
                               CountedAs{limits::Class::auth, own_account}),
        route<get_limits>("GET", "/v1/api/limits", "getLimits", "Get your remaining limits"),
    };
}

}  // namespace parley::api
