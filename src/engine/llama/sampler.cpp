#include "engine/llama/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace parley::engine::llama {

struct Choice::Candidate {
    Token token = 0;
    double weight = 0;
};

namespace {

// Tokens below this share of the most likely token's weight are ignored: 50,000 of them together
// would be chosen once in twenty thousand years.
const double negligible = std::log(1e-18);

// A stateless random number from 0 to 1: SplitMix64, by Steele, Lea and Flood. Second draws for a
// place come from another sequence.
double drawn(std::uint64_t seed, std::uint64_t place, std::uint64_t draw)
{
    seed ^= draw * 0xD1B54A32D192ED03U;
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

}  // namespace

Choice::Choice(std::span<const float> logits, const SamplingParameters& taste,
               std::span<const Token> answer)
    : logits_(logits), taste_(taste), place_(answer.size())
{
    if (!changes_logits(taste, answer)) return;
    changed_.assign(logits.begin(), logits.end());
    penalise(changed_, taste, answer);
    logits_ = changed_;
}

Token Choice::sampled() const
{
    const auto likeliest = std::ranges::max_element(logits_);
    const auto first = static_cast<Token>(likeliest - logits_.begin());
    if (taste_.temperature <= 0) return first;
    const auto lowest = static_cast<float>(*likeliest + negligible * taste_.temperature);
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < logits_.size(); ++i)
        if (logits_[i] >= lowest)
            found.push_back({.token = static_cast<Token>(i),
                             .weight = std::exp((logits_[i] - *likeliest) / taste_.temperature)});
    if (found.empty()) return first;  // If logits are not numbers.
    return sample(std::move(found), 0);
}

Tokens Choice::likeliest(std::size_t count) const
{
    Tokens tokens(logits_.size());
    std::iota(tokens.begin(), tokens.end(), Token{0});
    if (count >= tokens.size()) return tokens;
    const auto logit = [this](Token token) {
        const float value = logits_[static_cast<std::size_t>(token)];
        return std::isnan(value) ? -std::numeric_limits<float>::infinity() : value;
    };
    const auto middle = tokens.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::partial_sort(tokens, middle, [&](Token one, Token other) {
        return logit(one) != logit(other) ? logit(one) > logit(other) : one < other;
    });
    tokens.erase(middle, tokens.end());
    return tokens;
}

Token Choice::among(std::span<const Token> tokens) const
{
    const auto logit = [this](Token token) { return logits_[static_cast<std::size_t>(token)]; };
    const Token first = *std::ranges::max_element(tokens, {}, logit);
    if (taste_.temperature <= 0) return first;
    std::vector<Candidate> found;
    for (const Token token : tokens)
        if (logit(token) <= logit(first))  // Not if it is not a number.
            found.push_back(
                {.token = token,
                 .weight = std::exp((logit(token) - logit(first)) / taste_.temperature)});
    if (found.empty()) return first;
    return sample(std::move(found), 1);
}

Token Choice::sample(std::vector<Candidate> found, std::uint64_t draw) const
{
    std::ranges::sort(found, [](const Candidate& one, const Candidate& other) {
        return one.weight != other.weight ? one.weight > other.weight : one.token < other.token;
    });
    if (taste_.top_k > 0 && found.size() > static_cast<std::size_t>(taste_.top_k))
        found.resize(static_cast<std::size_t>(taste_.top_k));
    const double least = found.front().weight * std::clamp(taste_.min_p, 0.0, 1.0);

    double sum = 0;
    for (const Candidate& each : found) sum += each.weight;
    const double wanted = sum * std::clamp(taste_.top_p, 0.0, 1.0);
    double kept = 0;
    std::size_t count = 0;
    while (count < found.size() && (count == 0 || (kept < wanted && found[count].weight >= least)))
        kept += found[count++].weight;

    double left = drawn(taste_.seed, place_, draw) * kept;
    for (std::size_t i = 0; i < count; ++i) {
        left -= found[i].weight;
        if (left < 0) return found[i].token;
    }
    return found[count - 1].token;
}

Token choose(std::span<const float> logits, const SamplingParameters& taste,
             std::span<const Token> answer)
{
    return Choice(logits, taste, answer).sampled();
}

}  // namespace parley::engine::llama
