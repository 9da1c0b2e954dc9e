// A server elsewhere, for users who have no access to its data directory: --url is its address,
// --token-file or $PARLEY_TOKEN has the token. A token is never an argument: other users of this
// machine can read arguments, and shells keep them.
#pragma once

#include "base/secret.hpp"
#include "cli/chat_turn.hpp"
#include "cli/command.hpp"

namespace parley::cli {

struct RemoteServer {
    ServerPlace place;
    Secret token;
};

// For a command with --url. Fails with a message that never contains the token; also if the token
// would be sent unencrypted to another machine.
Result<RemoteServer> remote_server(const Common& common);

}  // namespace parley::cli
