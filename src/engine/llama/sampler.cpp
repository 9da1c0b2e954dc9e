#include "engine/llama/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace parley::engine::llama {
namespace {

struct Candidate {
    Token token = 0;
    double weight = 0;
};

// Tokens below this share of the most likely token's weight are ignored: 50,000 of them together
// would be chosen once in twenty thousand years.
const double negligible = std::log(1e-18);

// A stateless random number from 0 to 1: SplitMix64, by Steele, Lea and Flood.
double drawn(std::uint64_t seed, std::uint64_t place)
{
    std::uint64_t mixed = seed + (place + 1) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31U;
    return static_cast<double>(mixed >> 11U) * 0x1.0p-53;
}

bool changes_logits(const SamplingParameters& taste, std::span<const Token> answer)
{
    return !taste.bias.empty() ||
           (!answer.empty() && (taste.repeat_penalty != 1 || taste.presence_penalty != 0 ||
                                taste.frequency_penalty != 0));
}

std::map<Token, int> counted(std::span<const Token> tokens)
{
    std::map<Token, int> times;
    for (const Token token : tokens) ++times[token];
    return times;
}

void penalise(std::span<float> logits, const SamplingParameters& taste,
              std::span<const Token> answer)
{
    const auto at = [&](Token token) -> float* {
        const auto index = static_cast<std::size_t>(token);
        return token >= 0 && index < logits.size() ? &logits[index] : nullptr;
    };
    if (taste.presence_penalty != 0 || taste.frequency_penalty != 0)
        for (const auto& [token, count] : counted(answer))
            if (float* logit = at(token))
                *logit -= static_cast<float>(taste.presence_penalty +
                                             taste.frequency_penalty * static_cast<double>(count));
    if (taste.repeat_penalty != 1) {
        const auto penalty = static_cast<float>(taste.repeat_penalty);
        const auto recent = answer.last(std::min(answer.size(), recent_tokens));
        for (const auto& [token, unused] : counted(recent))
            if (float* logit = at(token)) *logit = *logit > 0 ? *logit / penalty : *logit * penalty;
    }
    for (const auto& [token, bias] : taste.bias)
        if (float* logit = at(token)) *logit += static_cast<float>(bias);
}

std::vector<Candidate> candidates(std::span<const float> logits, float highest, double temperature)
{
    const auto lowest = static_cast<float>(highest + negligible * temperature);
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (logits[i] >= lowest)
            found.push_back({.token = static_cast<Token>(i),
                             .weight = std::exp((logits[i] - highest) / temperature)});
    std::ranges::sort(found, [](const Candidate& one, const Candidate& other) {
        return one.weight != other.weight ? one.weight > other.weight : one.token < other.token;
    });
    return found;
}

}  // namespace

Token choose(std::span<const float> logits, const SamplingParameters& taste,
             std::span<const Token> answer)
{
    std::vector<float> changed;
    if (changes_logits(taste, answer)) {
        changed.assign(logits.begin(), logits.end());
        penalise(changed, taste, answer);
        logits = changed;
    }
    const auto likeliest = std::ranges::max_element(logits);
    const auto first = static_cast<Token>(likeliest - logits.begin());
    if (taste.temperature <= 0) return first;
    auto found = candidates(logits, *likeliest, taste.temperature);
    if (found.empty()) return first;  // If logits are not numbers.
    if (taste.top_k > 0 && found.size() > static_cast<std::size_t>(taste.top_k))
        found.resize(static_cast<std::size_t>(taste.top_k));
    const double least = found.front().weight * std::clamp(taste.min_p, 0.0, 1.0);

    double sum = 0;
    for (const Candidate& each : found) sum += each.weight;
    const double wanted = sum * std::clamp(taste.top_p, 0.0, 1.0);
    double kept = 0;
    std::size_t count = 0;
    while (count < found.size() && (count == 0 || (kept < wanted && found[count].weight >= least)))
        kept += found[count++].weight;

    double left = drawn(taste.seed, answer.size()) * kept;
    for (std::size_t i = 0; i < count; ++i) {
        left -= found[i].weight;
        if (left < 0) return found[i].token;
    }
    return found[count - 1].token;
}

}  // namespace parley::engine::llama
