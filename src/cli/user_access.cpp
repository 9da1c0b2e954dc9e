#include "cli/user_access.hpp"

#include "base/clock.hpp"
#include "cli/find_user.hpp"
#include "cli/remote_server.hpp"
#include "cli/running_server.hpp"
#include "cli/settings_options.hpp"

namespace parley::cli {
namespace {

constexpr std::chrono::hours token_life{24};

Result<boost::json::object> only_user(ApiClient& api)
{
    std::vector<boost::json::object> users;
    const auto looked =
        for_each_item(api, "/v1/api/users", 2, [&](const boost::json::object& user) {
            users.push_back(user);
            return true;
        });
    if (!looked) return looked.error();
    if (users.size() == 1) return users.front();
    return Error{Errc::not_found,
                 users.empty() ? "There are no users yet: create one with `parley user add NAME`."
                               : "There are several users: choose one with --user NAME."};
}

// Revokes a token at its end: through the server at its current address, or directly in the store
// if no server is running.
struct Revocation {
    Revocation(const Common& its_common, std::string its_path)
        : common(its_common), path(std::move(its_path))
    {
    }
    Revocation(const Revocation&) = delete;
    Revocation& operator=(const Revocation&) = delete;
    ~Revocation()
    {
        if (auto api = connect(common)) static_cast<void>(api->ask("DELETE", path));
    }

    const Common& common;
    std::string path;
};

Result<UserAccess> open_local(const Common& common, const AccessRequest& request)
{
    const auto settings = settings_of(common);
    if (!settings) return settings.error();
    const app::DataPaths paths{settings->data};
    if (auto place = place_of_server(paths); !place) return place.error();
    auto api = connect(common);
    if (!api) return api.error();
    const auto user = request.user.empty() ? only_user(*api) : find_user(*api, request.user);
    if (!user) return user.error();
    const std::string tokens =
        "/v1/api/users/" + boost::json::value_to<std::string>(user->at("id")) + "/tokens";
    const auto made = api->ask("POST", tokens,
                               {{"name", request.name},
                                {"scopes", boost::json::value_from(request.scopes)},
                                {"test", request.test},
                                {"temporary", true},
                                {"expires_at", rfc3339(system_clock().now() + token_life)}});
    if (!made) return made.error();
    auto text = boost::json::value_to<std::string>(made->at("token"));
    return UserAccess{
        .find_server = [paths] { return place_of_server(paths); },
        .token = std::make_shared<const Secret>(Secret::taken_from(text)),
        .revocation = std::make_shared<Revocation>(
            common, tokens + "/" + boost::json::value_to<std::string>(made->at("id")))};
}

Result<UserAccess> open_remote(const Common& common, const AccessRequest& request)
{
    if (!request.user.empty())
        return Error{Errc::invalid_request,
                     "--user cannot be combined with --url: the token determines the user."};
    if (request.test)
        return Error{Errc::invalid_request,
                     "--test cannot be combined with --url: give a test token."};
    auto remote = remote_server(common);
    if (!remote) return remote.error();
    return UserAccess{.find_server = [place = remote->place] { return Result<ServerPlace>(place); },
                      .token = std::make_shared<const Secret>(std::move(remote->token))};
}

}  // namespace

Result<ApiClient> UserAccess::client() const
{
    const auto place = find_server();
    if (!place) return place.error();
    std::string copy(token->reveal());
    return ApiClient{{}, RunningServer::at(*place, Secret::taken_from(copy))};
}

Result<boost::json::object> UserAccess::ask(const std::string& target) const
{
    auto api = client();
    if (!api) return api.error();
    return api->ask("GET", target);
}

Result<UserAccess> open_user_access(const Common& common, const AccessRequest& request)
{
    return common.url.empty() ? open_local(common, request) : open_remote(common, request);
}

}  // namespace parley::cli
