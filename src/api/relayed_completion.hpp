// A completion by a model of another server: the request is handed on as it came, and so is the
// answer, as it comes.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_answer.hpp"
#include "engine/relay.hpp"

#include <string>

namespace parley::api {

// `body` is the request's, and `model` the name that the answer carries. Ends when the client
// leaves. Fails as engine::RelayedAnswer does.
Task<Result<CompletionAnswer>> complete_relayed(engine::Relay& relay, std::string body,
                                                std::string model, CompletionClient client);

}  // namespace parley::api
