// How `parley chat` gets at a server: at the one that runs on the data directory, by a token that
// lives as long as the command; or at one elsewhere (--url), by the person's own token.
#pragma once

#include "cli/api_client.hpp"
#include "cli/chat_turn.hpp"

#include <functional>
#include <memory>
#include <string>

namespace parley::cli {

struct ChatAccess {
    // Again before each connection: a server that was started anew may be elsewhere.
    std::function<Result<ServerPlace>()> find_server;
    std::shared_ptr<const Secret> token;
    std::shared_ptr<void> revocation = {};  // Revokes a token of our own when it goes.

    // Asks the server as the person who chats. Fails with a sentence.
    Result<boost::json::object> ask(const std::string& target) const;
};

// `user` may be empty if there is only one. Fails with a sentence.
Result<ChatAccess> open_chat_access(const Common& common, const std::string& user);

}  // namespace parley::cli
