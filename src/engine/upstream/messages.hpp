// The conversation of a prompt as the messages of a chat completion request. Calls of functions and
// their results, which a conversation holds as text (tool_text.hpp), become `tool_calls` and
// messages of the role `tool`.
#pragma once

#include "engine/engine.hpp"

#include <boost/json/array.hpp>

namespace parley::engine::upstream {

// A call without its result stays text: servers refuse it.
boost::json::array messages_of(const Prompt& prompt);

}  // namespace parley::engine::upstream
