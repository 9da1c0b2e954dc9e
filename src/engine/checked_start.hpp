// Starts a reply, and checks its text against the format of the prompt when the model has ended.
// Tells models in this process about the tools of the prompt, and restricts an answer that must be
// a call of a function to such calls.
//
// Threads: as Engine::start.
#pragma once

#include "engine/engine.hpp"

namespace parley::engine {

// As Engine::start. The last call of Reply::next() fails with invalid_output if the model ended its
// turn and the text does not match; with internal if the engine enforces the format. An answer that
// ends for another reason is not checked: it is known to be incomplete.
Task<Result<std::unique_ptr<Reply>>> checked_start(Engine& engine, Prompt prompt,
                                                   std::string so_far);

}  // namespace parley::engine
