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

// Bytes for the weights, what is kept of `slots` conversations of `context` tokens, and what one
// step computes with.
std::uint64_t memory_need(const Facts& facts, std::uint64_t context, std::uint64_t slots);

// What an operator wishes for; 0: whatever fits.
struct Wish {
    std::uint64_t context = 0;
    std::uint64_t slots = 0;
    std::uint64_t cache = 0;  // Bytes.
};

// What it takes at least, in bytes: one conversation, where no more are wished for. Fails with a
// sentence where it is more than what is available.
Result<std::uint64_t> check_fits(const Facts& facts, const Wish& wish, std::uint64_t available);

}  // namespace parley::engine::gguf
