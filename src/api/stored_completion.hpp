// A completion that is stored: a question and a run like any other, sent in OpenAI's shape.
//
// Threads: the loop of the request; the run goes on without it.
#pragma once

#include "api/completion_answer.hpp"
#include "chat/questions.hpp"

namespace parley::api {

// The run goes on when the client leaves. Fails as chat::Questions does, and as the run has failed.
Task<Result<CompletionAnswer>> complete_stored(chat::Questions& questions, chat::Question question,
                                               CompletionClient client);

}  // namespace parley::api
