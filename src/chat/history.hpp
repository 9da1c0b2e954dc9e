// What the model is shown of a conversation: the branch that ends with the question, cut to the
// model's context by whole turns, oldest first. It is cut in big steps, to 60%, and
// the next question begins where this one did: a beginning that moved with every turn would make
// the engine compute everything anew each time.
//
// Threads: plain functions, to be called from any loop.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "engine/engine.hpp"
#include "store/store.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::chat {

struct History {
    std::vector<engine::Turn> turns;  // The question last.
    std::int64_t from = 0;            // The depth of the first one.
};

// Turns without an answer are left out. `instructions` are not part of it, but take room.
Task<Result<History>> history(store::Store& store, engine::Engine& engine,
                              const store::RunWithMessages& whole, const std::string& instructions);

// Fails with message_too_long where a conversation cannot be shown as a whole.
Task<Result<>> check_length(engine::Engine& engine, const engine::Prompt& prompt);

// The same where a question could not even be shown alone.
Task<Result<>> check_length(engine::Engine& engine, const std::vector<std::string>& parts,
                            const std::string& instructions, const engine::Sampling& sampling);

// The parts of a message as the model reads them.
std::string text_of(const std::vector<std::string>& parts);

}  // namespace parley::chat
