// How commands that act as one user, such as `parley chat`, connect to a server: to the one that
// runs on the data directory, with a temporary token; or to one elsewhere (--url), with the user's
// own token.
#pragma once

#include "cli/api_client.hpp"
#include "cli/chat_turn.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::cli {

struct UserAccess {
    // Called before each connection: a restarted server may have another address.
    std::function<Result<ServerPlace>()> find_server;
    std::shared_ptr<const Secret> token;
    std::shared_ptr<void> revocation = {};  // Revokes the temporary token when destroyed.

    // Sends requests as this user. Fails with a message if no server runs.
    Result<ApiClient> client() const;
    Result<boost::json::object> ask(const std::string& target) const;
};

struct AccessRequest {
    std::string user;  // May be empty if there is only one.
    std::string name;  // The name of the temporary token.
    std::vector<std::string> scopes;
    bool test = false;  // A token of test mode.
};

// Fails with a message.
Result<UserAccess> open_user_access(const Common& common, const AccessRequest& request);

}  // namespace parley::cli
