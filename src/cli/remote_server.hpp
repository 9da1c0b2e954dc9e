// A server elsewhere, for people who have no access to its data directory: --url says where it is,
// --token-file or $PARLEY_TOKEN who they are. A token is never an argument: other users of this
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

// For a command with --url. Fails with a sentence, which never holds the token; also if the token
// would travel unencrypted to another machine.
Result<RemoteServer> remote_server(const Common& common);

}  // namespace parley::cli
