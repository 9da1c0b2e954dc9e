// Sessions, messages and runs as clients see them, made from the rows of the store.
//
// Threads: plain functions.
#pragma once

#include "api/wire/message.hpp"
#include "api/wire/run.hpp"
#include "api/wire/session.hpp"
#include "chat/run_errors.hpp"
#include "store/runs.hpp"

#include <string>

namespace parley::chat {

api::SessionView view(const store::Session& session);
api::MessageView view(const store::Message& message);
api::MessageView view(const store::PlacedMessage& placed);

// Without a position in the queue, which only the queue knows. An active run has no answer here.
api::RunView view(const store::RunWithMessages& whole, const RunErrors& errors);

// An answer that is being written.
api::MessageView unfinished_answer(const store::RunWithMessages& whole, std::string text);

}  // namespace parley::chat
