// A completion by an upstream model: the request and the streamed answer are passed on unchanged.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_answer.hpp"
#include "api/relayed_format.hpp"
#include "chat/queue_place.hpp"
#include "engine/relay.hpp"

#include <string>

namespace parley::api {

// `format` checks the answer. The request is sent when it is the turn of `place`, which is held
// until the answer has ended. Ends when the client disconnects. Fails as engine::RelayedAnswer
// does, or with invalid_output.
Task<Result<CompletionAnswer>> complete_relayed(engine::Relay& relay, chat::QueuePlace& place,
                                                engine::RelayedRequest request,
                                                RelayedFormat format, CompletionClient client);

// A chat completion: `body` is the body of the request, `model` the name in the answer.
Task<Result<CompletionAnswer>> complete_relayed(engine::Relay& relay, chat::QueuePlace& place,
                                                std::string body, RelayedFormat format,
                                                std::string model, CompletionClient client);

}  // namespace parley::api
