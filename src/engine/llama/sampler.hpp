// Samples the next token from the logits. Pure: the same seed, position and text so far give the
// same token, so that a resumed answer continues as it would have.
#pragma once

#include "engine/llama/token.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace parley::engine::llama {

struct SamplingParameters {
    double temperature = 1;             // 0: always the likeliest.
    double top_p = 1;                   // The likeliest tokens that have this probability together.
    std::int64_t top_k = 0;             // At most so many tokens; 0: all.
    double min_p = 0;                   // Tokens of at least this share of the likeliest one's.
    double repeat_penalty = 1;          // Divides the logits of recent tokens; 1: none.
    double presence_penalty = 0;        // Subtracted from the logit of a token in the answer,
    double frequency_penalty = 0;       // and this for each time.
    std::map<Token, double> bias = {};  // Added to logits.
    std::uint64_t seed = 0;
};

// The repeat penalty applies to this many of the last tokens of the answer.
inline constexpr std::size_t recent_tokens = 64;

// The choice of one token. The logits must outlive it.
class Sampler {
public:
    // `answer` is the answer before this token.
    Sampler(std::span<const float> logits, const SamplingParameters& parameters,
            std::span<const Token> answer);
    Sampler(const Sampler&) = delete;
    Sampler& operator=(const Sampler&) = delete;

    Token sampled() const;

    // At most so many tokens, the likeliest first; unordered if these are all.
    Tokens likeliest(std::size_t count) const;

    // Samples from these tokens alone, of which there must be one at least; with a random number of
    // its own.
    Token among(std::span<const Token> tokens) const;

private:
    struct Candidate;

    Token sample(std::vector<Candidate> candidates, std::uint64_t draw) const;

    std::vector<float> changed_;  // By penalties and bias.
    std::span<const float> logits_;
    const SamplingParameters& parameters_;
    std::size_t place_;
};

// The token without any restriction.
Token sample(std::span<const float> logits, const SamplingParameters& parameters,
             std::span<const Token> answer);

}  // namespace parley::engine::llama
