// The part of a conversation that the model gets: the branch that ends with the question, cut to
// the model's context by removing whole turns, oldest first. It is cut in big steps, to 60%, and
// the next question keeps the same beginning: if the beginning moved with every turn, the prompt
// cache would be useless. Images are paths of stored ones here, see chat/prompt_images.hpp.
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

// Turns without an answer are left out. `instructions`, with the section about tools, are not part
// of the result, but count.
Task<Result<History>> history(store::Store& store, engine::Engine& engine,
                              const store::RunWithMessages& whole, const std::string& instructions);

// The same for a question, not stored, that follows an answer that is.
Task<Result<History>> history_below(store::Store& store, engine::Engine& engine,
                                    const store::RunWithMessages& previous, engine::Turn question,
                                    const engine::Sampling& sampling,
                                    const std::string& instructions);

// Fails with message_too_long if the conversation does not fit into the context.
Task<Result<>> check_length(engine::Engine& engine, const engine::Prompt& prompt);

// The same if the question alone does not fit.
Task<Result<>> check_length(engine::Engine& engine, engine::Turn question,
                            const std::string& instructions, const engine::Sampling& sampling);

// The parts of a message as the model reads them.
std::string text_of(const std::vector<std::string>& parts);

}  // namespace parley::chat
