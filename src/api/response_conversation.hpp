// The input of POST /v1/responses as a conversation. Calls of functions and their results become
// text (engine/tool_text.hpp).
//
// Threads: the loop of the request.
#pragma once

#include "api/request_images.hpp"
#include "api/stored_items.hpp"
#include "api/wire/response_request.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::api {

// Questions and answers alternate; the last turn is the question.
struct Conversation {
    std::string instructions = {};  // Messages of the roles system and developer.
    std::vector<engine::Turn> turns = {};
};

// The response that the input follows.
using Previous = std::optional<store::RunWithMessages>;

// Looks up the items that the input refers to. `use`: by the model that will answer. Fails with
// validation_failed and not_found, and as the store does.
Task<Result<Conversation>> conversation_of(StoredItems stored, const engine::Models& models,
                                           ResponseInput input, engine::ToolUse use,
                                           const Previous& previous, RequestImages& images);

void append_paragraph(std::string& text, const std::string& more);

}  // namespace parley::api
