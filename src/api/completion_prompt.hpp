// Converts a request in OpenAI's shape to the prompt of an engine: the conversation and the
// sampling parameters. A feature that local models lack is a fault with its own code, so that a
// client can tell it from a typing error.
//
// Threads: plain functions.
#pragma once

#include "api/request_images.hpp"
#include "api/wire/completion_request.hpp"
#include "base/error.hpp"
#include "engine/engine.hpp"

namespace parley::api {

// Notes features of the request that only upstream models may support.
void check_supported(const CompletionBody& body, Faults& faults);

// Notes faults if the messages are not a conversation that can be answered. Calls and results of
// functions become text (engine/tool_text.hpp), for upstreams with their ids.
engine::Prompt prompt_of(CompletionBody& body, engine::ToolUse use, RequestImages& images,
                         Faults& faults);

// As the general tools_of(); a demanded call excludes `stop`.
engine::ToolsRef tools_of(const boost::json::object& request, engine::ToolUse use, bool is_stored,
                          Faults& faults);

engine::Sampling sampling_of(const CompletionBody& body);

}  // namespace parley::api
