// How much memory a model will take, estimated from what its file says, so that one that does not
// fit is refused with a sentence instead of ending the process in the middle of its work.
//
// Threads: plain functions, to be used from any thread.
#pragma once

#include "engine/gguf/gguf.hpp"

namespace parley::engine::gguf {

// Tokens of a conversation: as many as were asked for, at most as many as the model knows; 0: as
// many as it knows, but no more than 8,192.
std::uint64_t context_of(const Facts& facts, std::uint64_t wanted);

// In bytes. Memory for conversations is taken as they grow and given back when the model rests.
struct MemoryNeed {
    std::uint64_t at_rest = 0;  // The whole program: weights, vocabulary, what one step computes.
    std::uint64_t per_conversation = 0;  // More, for each one that has a whole context.

    std::uint64_t with(std::uint64_t conversations) const;
};

MemoryNeed memory_need(const Facts& facts, std::uint64_t context);

// What an operator wishes for; 0: whatever fits.
struct Wish {
    std::uint64_t context = 0;
    std::uint64_t slots = 0;
    std::uint64_t cache = 0;  // Bytes.
};

// What it takes while it answers, in bytes: one conversation if no more are wished for. Fails with
// a sentence if it is more than what is available.
Result<std::uint64_t> check_fits(const Facts& facts, const Wish& wish, std::uint64_t available);

}  // namespace parley::engine::gguf
