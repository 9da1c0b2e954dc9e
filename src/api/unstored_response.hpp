// A response that is not stored, by any model.
//
// Threads: the loop of the request.
#pragma once

#include "api/completion_answer.hpp"
#include "api/response_answer.hpp"
#include "chat/parameters.hpp"
#include "chat/runs.hpp"
#include "engine/engine.hpp"

#include <string>

namespace parley::api {

struct UnstoredQuestion {
    std::string model;
    engine::Prompt prompt;
    chat::ResponseParameters request;  // The parts that the response repeats.
    Metadata metadata;
};

// Ends when the client disconnects. Fails as chat::UnstoredAnswer does.
Task<Result<ResponseAnswer>> respond_unstored(chat::Runs& runs, engine::Engine& engine,
                                              UnstoredQuestion question, CompletionClient client);

}  // namespace parley::api
