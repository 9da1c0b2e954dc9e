// A completion by a local model that is not stored.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_answer.hpp"
#include "chat/runs.hpp"
#include "engine/engine.hpp"

#include <string>

namespace parley::api {

// Ends when the client disconnects. Fails as chat::UnstoredAnswer does.
Task<Result<CompletionAnswer>> complete_unstored(chat::Runs& runs, engine::Engine& engine,
                                                 std::string model, engine::Prompt prompt,
                                                 CompletionClient client);

}  // namespace parley::api
