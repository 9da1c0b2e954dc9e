// Chooses the next token from what the model thinks of each. Pure: the same seed and place give the
// same choice, so that an answer that is taken up in the middle goes on as it would have.
#pragma once

#include "engine/llama/token.hpp"

#include <cstdint>
#include <span>

namespace parley::engine {

struct Taste {
    double temperature = 1;  // 0: always the likeliest.
    double top_p = 1;        // Of the likeliest tokens, as many as have this probability together.
    std::uint64_t seed = 0;
};

// `place` is how many tokens the answer has before this one.
Token choose(std::span<const float> logits, const Taste& taste, std::uint64_t place);

}  // namespace parley::engine
