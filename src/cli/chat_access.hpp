// How `parley chat` connects to a server: to the one that runs on the data directory, with a
// temporary token; or to one elsewhere (--url), with the user's own token.
#pragma once

#include "cli/api_client.hpp"
#include "cli/chat_turn.hpp"

#include <functional>
#include <memory>
#include <string>

namespace parley::cli {

struct ChatAccess {
    // Called before each connection: a restarted server may have another address.
    std::function<Result<ServerPlace>()> find_server;
    std::shared_ptr<const Secret> token;
    std::shared_ptr<void> revocation = {};  // Revokes the temporary token when destroyed.

    // Sends a request as the chatting user. Fails with a message.
    Result<boost::json::object> ask(const std::string& target) const;
};

// `user` may be empty if there is only one. Fails with a message.
Result<ChatAccess> open_chat_access(const Common& common, const std::string& user);

}  // namespace parley::cli
