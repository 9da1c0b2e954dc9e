// A completion by a model of another server: the request is handed on as it came, and so is the
// answer, as it comes.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_answer.hpp"
#include "chat/queue_place.hpp"
#include "engine/relay.hpp"

#include <string>

namespace parley::api {

// `body` is the request's, and `model` the name that the answer carries. It is asked for when it is
// the turn of `place`, which is held until the answer has ended. Ends when the client leaves. Fails
// as engine::RelayedAnswer does.
Task<Result<CompletionAnswer>> complete_relayed(engine::Relay& relay, chat::QueuePlace& place,
                                                std::string body, std::string model,
                                                CompletionClient client);

}  // namespace parley::api
