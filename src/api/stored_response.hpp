// A response that is stored: a question and a run like any other, sent in OpenAI's shape.
//
// Threads: the loop of the request; the run continues without it.
#pragma once

#include "api/completion_answer.hpp"
#include "api/response_answer.hpp"
#include "chat/questions.hpp"

namespace parley::api {

// The run continues when the client disconnects. Fails as chat::Questions does, and with the error
// of the run.
Task<Result<ResponseAnswer>> respond_stored(chat::Questions& questions,
                                            const engine::Models& models, chat::Question question,
                                            CompletionClient client, bool in_background);

}  // namespace parley::api
