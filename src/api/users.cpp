#include "api/users.hpp"

#include "api/cursor.hpp"
#include "api/listed.hpp"
#include "api/page_position.hpp"
#include "api/removed_users.hpp"
#include "api/user_view.hpp"
#include "auth/accounts.hpp"

namespace parley::api {
namespace {

using Operator = With<auth::Scope::admin>;

Task<Result<Listed<UserView>>> list_users(store::Store& store, Cursors& cursors,
                                          Operator /*caller*/, Query<PageQuery> query)
{
    const PagePosition place("users", cursors);
    const auto before = place.of(query);
    if (!before) co_return before.error();
    const auto page =
        co_await store.accounts().list_users(*before, static_cast<std::size_t>(query.limit));
    if (!page) co_return page.error();
    co_return place.list<UserView>(*page, [](const store::User& user) { return user_view(user); });
}

Task<Result<Created<UserView>>> create_user(auth::Accounts& accounts, Operator caller,
                                            Origin origin, Body<NewUserBody> body)
{
    auth::NewUser wanted{.username = std::move(body.username),
                         .password = Secret::taken_from(body.password),
                         .display_name = std::move(body.display_name).value_or(""),
                         .role = body.role};
    const auto user = co_await accounts.add(std::move(wanted), caller->actor, std::move(origin));
    if (!user) co_return user.error();
    co_return Created<UserView>{user_view(*user), "/v1/api/users/" + user->id};
}

Task<Result<UserView>> get_user(store::Store& store, Operator /*caller*/, Path<UserPath> path)
{
    const auto user = co_await store.accounts().find_user(std::move(path.user));
    if (!user) co_return user.error();
    co_return user_view(*user);
}

Task<Result<UserView>> change_user(auth::Accounts& accounts, Operator caller, Origin origin,
                                   Path<UserPath> path, Body<UserChangeBody> body)
{
    auth::ChangedUser change{
        .display_name = std::move(body.display_name), .role = body.role, .disabled = body.disabled};
    if (body.password) change.password = Secret::taken_from(*body.password);
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

}  // namespace

std::vector<Route> user_routes()
{
    return {
        route<list_users>("GET", "/v1/api/users", "List users, newest first",
                          may_fail(Errc::invalid_cursor)),
        route<create_user>("POST", "/v1/api/users", "Make a user", may_fail(Errc::conflict)),
        route<get_user>("GET", "/v1/api/users/{user}", "Get one user"),
        route<change_user>("PATCH", "/v1/api/users/{user}", "Change a user",
                           may_fail(Errc::conflict)),
        route<delete_user>("DELETE", "/v1/api/users/{user}", "Remove a user and all that is theirs",
                           may_fail(Errc::conflict)),
    };
}

}  // namespace parley::api
