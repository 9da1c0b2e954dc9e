// The question of POST /v1/responses: its conversation, and its place in a stored one.
//
// Threads: the loop of the request.
#pragma once

#include "api/response_conversation.hpp"
#include "api/wire/response_request.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "chat/questions.hpp"
#include "engine/engine.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::api {

// Records fields that a model cannot follow, and fields that exclude each other.
void check_supported(const ResponseBody& body, Faults& faults);

engine::Sampling sampling_of(const ResponseBody& body, engine::ToolsRef tools);

// The response that the question follows. Fails with not_found, and with session_busy if it is
// still being written.
Task<Result<Previous>> find_previous(store::Store& store, const Owner& owner,
                                     const ResponseBody& body);

// To be stored. Fails with validation_failed.
Result<chat::Question> question_of(const ResponseBody& body, engine::ToolsRef tools,
                                   Conversation said, const Previous& previous);

// Not to be stored: with what was said before `previous`, as much as fits. Fails with
// validation_failed, and as the store does.
Task<Result<engine::Prompt>> prompt_of(store::Store& store, engine::Engine& engine,
                                       const ResponseBody& body, engine::ToolsRef tools,
                                       Conversation said, const Previous& previous);

}  // namespace parley::api
