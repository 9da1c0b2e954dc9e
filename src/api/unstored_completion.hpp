// A completion by one of our own models that nobody keeps.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_answer.hpp"
#include "chat/runs.hpp"
#include "engine/engine.hpp"

#include <string>

namespace parley::api {

// Ends when the client leaves. Fails as chat::UnstoredAnswer does.
Task<Result<CompletionAnswer>> complete_unstored(chat::Runs& runs, engine::Engine& engine,
                                                 std::string model, engine::Prompt prompt,
                                                 CompletionClient client);

}  // namespace parley::api
