// An answer that must be a call of a function: an answer in the format of a call, with the marks of
// a call around it (tool_text.hpp).
//
// Threads: as Engine::start.
#pragma once

#include "engine/engine.hpp"

namespace parley::engine {

// The part of the answer so far that the engine wrote. Nothing if it is no beginning of a call.
std::optional<std::string> inside_of_call(std::string_view so_far);

// Adds the marks to a reply that continues after `so_far`, which has them.
std::unique_ptr<Reply> marked_call(std::unique_ptr<Reply> reply, std::string_view so_far);

}  // namespace parley::engine
