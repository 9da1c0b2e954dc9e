// Chooses the next token from what the model thinks of each. Pure: the same seed, place and text so
// far give the same choice, so that an answer that is taken up in the middle goes on as it would
// have.
#pragma once

#include "engine/llama/token.hpp"

#include <cstdint>
#include <map>
#include <span>

namespace parley::engine::llama {

struct SamplingParameters {
    double temperature = 1;             // 0: always the likeliest.
    double top_p = 1;                   // The likeliest tokens that have this probability together.
    std::int64_t top_k = 0;             // At most so many tokens; 0: all.
    double min_p = 0;                   // Tokens of at least this share of the likeliest one's.
    double repeat_penalty = 1;          // Divides the logits of recent tokens; 1: none.
    double presence_penalty = 0;        // Taken off the logit of a token that the answer has,
    double frequency_penalty = 0;       // and this for each time.
    std::map<Token, double> bias = {};  // Added to logits.
    std::uint64_t seed = 0;
};

// The repeat penalty looks at so many tokens of the answer, the last ones.
inline constexpr std::size_t recent_tokens = 64;

// `answer` is what has been written of the answer before this token.
Token choose(std::span<const float> logits, const SamplingParameters& taste,
             std::span<const Token> answer);

}  // namespace parley::engine::llama
