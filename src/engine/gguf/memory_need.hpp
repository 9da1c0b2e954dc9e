// The memory that a model needs, estimated from its file, so that a model that does not fit is
// refused with a message instead of crashing the process later.
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "engine/gguf/gguf.hpp"

namespace parley::engine::gguf {

// Tokens of a conversation, or of a text to embed: as many as were asked for, at most as many as
// the model knows; 0: as many as it knows, but no more than 8,192, or 2,048 to embed.
std::uint64_t context_of(const Facts& facts, std::uint64_t wanted);

// In bytes. Memory for conversations is taken as they grow and given back when the model rests.
struct MemoryNeed {
    std::uint64_t at_rest = 0;           // The whole program: weights, vocabulary, compute buffers.
    std::uint64_t per_conversation = 0;  // In addition, for each full conversation.

    std::uint64_t with(std::uint64_t conversations) const;
};

// Tokens of the texts that an embedding model computes together: one long text or several short
// ones.
std::uint64_t embedded_per_batch(std::uint64_t context);

// Tokens that it reads at once: the whole batch, if each token sees those after it.
std::uint64_t embedded_per_step(const Facts& facts, std::uint64_t context);

MemoryNeed memory_need(const Facts& facts, std::uint64_t context);

// Settings of the operator; 0: chosen automatically.
struct Wish {
    std::uint64_t context = 0;     // Tokens per conversation.
    std::uint64_t slots = 0;       // Answers generated at once.
    std::uint64_t cache = 0;       // Size of the prompt cache in bytes.
    std::int64_t gpu_layers = -1;  // Layers on GPUs; -1: as many as fit (placement.hpp).
};

// The memory that a model with this need takes while it answers, in bytes, with at least one
// conversation. Fails with a message if that is more than available.
Result<std::uint64_t> check_need(const MemoryNeed& need, std::uint64_t context, const Wish& wish,
                                 std::uint64_t available);

// The same without a GPU, from the file.
Result<std::uint64_t> check_fits(const Facts& facts, const Wish& wish, std::uint64_t available);

}  // namespace parley::engine::gguf
