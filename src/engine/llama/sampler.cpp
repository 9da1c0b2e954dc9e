#include "engine/llama/sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace parley::engine::llama {

struct Sampler::Candidate {
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

bool changes_logits(const SamplingParameters& parameters, std::span<const Token> answer)
{
    return !parameters.bias.empty() || (!answer.empty() && (parameters.repeat_penalty != 1 ||
                                                            parameters.presence_penalty != 0 ||
                                                            parameters.frequency_penalty != 0));
}

std::map<Token, int> counted(std::span<const Token> tokens)
{
    std::map<Token, int> times;
    for (const Token token : tokens) ++times[token];
    return times;
}

void penalise(std::span<float> logits, const SamplingParameters& parameters,
              std::span<const Token> answer)
{
    const auto at = [&](Token token) -> float* {
        const auto index = static_cast<std::size_t>(token);
        return token >= 0 && index < logits.size() ? &logits[index] : nullptr;
    };
    if (parameters.presence_penalty != 0 || parameters.frequency_penalty != 0)
        for (const auto& [token, count] : counted(answer))
            if (float* logit = at(token))
                *logit -=
                    static_cast<float>(parameters.presence_penalty +
                                       parameters.frequency_penalty * static_cast<double>(count));
    if (parameters.repeat_penalty != 1) {
        const auto penalty = static_cast<float>(parameters.repeat_penalty);
        const auto recent = answer.last(std::min(answer.size(), recent_tokens));
        for (const auto& [token, unused] : counted(recent))
            if (float* logit = at(token)) *logit = *logit > 0 ? *logit / penalty : *logit * penalty;
    }
    for (const auto& [token, bias] : parameters.bias)
        if (float* logit = at(token)) *logit += static_cast<float>(bias);
}

// The greatest logit of each block. A loop over equal blocks becomes vector instructions, which is
// several times faster than a search from one logit to the next; most blocks need no second look.
class Peaks {
public:
    explicit Peaks(std::span<const float> logits) : logits_(logits)
    {
        blocks_.reserve(logits.size() / block + 1);
        for (; logits.size() >= block; logits = logits.subspan(block))
            blocks_.push_back(peak_of(logits.first<block>()));
        if (!logits.empty()) blocks_.push_back(greatest(logits));
        highest_ = greatest(blocks_);
    }

    float highest() const { return highest_; }

    // At least `count` logits are not below this one.
    float floor_of(std::size_t count) const
    {
        if (count == 0 || count > blocks_.size()) return none;
        std::vector<float> sorted = blocks_;
        const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(count - 1);
        std::ranges::nth_element(sorted, last, std::ranges::greater());
        return *last;
    }

    // Calls use(index, logit) for each logit that is at least `least`, in order, until it returns
    // false.
    void at_least(float least, const auto& use) const
    {
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            if (!(blocks_[i] >= least)) continue;
            const std::size_t end = std::min((i + 1) * block, logits_.size());
            for (std::size_t at = i * block; at < end; ++at)
                if (logits_[at] >= least && !use(at, logits_[at])) return;
        }
    }

private:
    static constexpr std::size_t block = 64;
    static constexpr std::size_t lanes = 16;
    static constexpr float none = -std::numeric_limits<float>::infinity();

    static float greater(float one, float other) { return one > other ? one : other; }

    static float greatest(std::span<const float> logits)
    {
        float most = none;
        for (const float each : logits) most = greater(each, most);
        return most;
    }

    static float peak_of(std::span<const float, block> logits)
    {
        std::array<float, lanes> most{};
        most.fill(none);
        for (std::size_t i = 0; i < block; i += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                most[lane] = greater(logits[i + lane], most[lane]);
        return greatest(most);
    }

    std::span<const float> logits_;
    std::vector<float> blocks_;
    float highest_ = none;
};

}  // namespace

Sampler::Sampler(std::span<const float> logits, const SamplingParameters& parameters,
                 std::span<const Token> answer)
    : logits_(logits), parameters_(parameters), place_(answer.size())
{
    if (!changes_logits(parameters, answer)) return;
    changed_.assign(logits.begin(), logits.end());
    penalise(changed_, parameters, answer);
    logits_ = changed_;
}

Token Sampler::sampled() const
{
    const Peaks peaks(logits_);
    const float highest = peaks.highest();
    Token first = 0;
    peaks.at_least(highest, [&](std::size_t index, float) {
        first = static_cast<Token>(index);
        return false;
    });
    if (parameters_.temperature <= 0) return first;
    const auto likely = static_cast<float>(highest + negligible * parameters_.temperature);
    const float lowest =
        parameters_.top_k > 0
            ? std::max(likely, peaks.floor_of(static_cast<std::size_t>(parameters_.top_k)))
            : likely;
    std::vector<Candidate> found;
    peaks.at_least(lowest, [&](std::size_t index, float logit) {
        found.push_back({.token = static_cast<Token>(index),
                         .weight = std::exp((logit - highest) / parameters_.temperature)});
        return true;
    });
    if (found.empty()) return first;  // If logits are not numbers.
    return sample(std::move(found), 0);
}

Tokens Sampler::likeliest(std::size_t count) const
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

Token Sampler::among(std::span<const Token> tokens) const
{
    const auto logit = [this](Token token) { return logits_[static_cast<std::size_t>(token)]; };
    const Token first = *std::ranges::max_element(tokens, {}, logit);
    if (parameters_.temperature <= 0) return first;
    std::vector<Candidate> found;
    for (const Token token : tokens)
        if (logit(token) <= logit(first))  // Not if it is not a number.
            found.push_back(
                {.token = token,
                 .weight = std::exp((logit(token) - logit(first)) / parameters_.temperature)});
    if (found.empty()) return first;
    return sample(std::move(found), 1);
}

Token Sampler::sample(std::vector<Candidate> found, std::uint64_t draw) const
{
    const auto is_likelier = [](const Candidate& one, const Candidate& other) {
        return one.weight != other.weight ? one.weight > other.weight : one.token < other.token;
    };
    if (parameters_.top_k > 0 && found.size() > static_cast<std::size_t>(parameters_.top_k)) {
        std::ranges::nth_element(found, found.begin() + parameters_.top_k, is_likelier);
        found.resize(static_cast<std::size_t>(parameters_.top_k));
    }
    double sum = 0;
    for (const Candidate& each : found) sum += each.weight;
    const double least = std::ranges::max(found, {}, &Candidate::weight).weight *
                         std::clamp(parameters_.min_p, 0.0, 1.0);
    std::erase_if(found, [&](const Candidate& each) { return each.weight < least; });
    std::ranges::sort(found, is_likelier);

    const double wanted = sum * std::clamp(parameters_.top_p, 0.0, 1.0);
    double kept = 0;
    std::size_t count = 0;
    while (count < found.size() && (count == 0 || kept < wanted)) kept += found[count++].weight;

    double left = drawn(parameters_.seed, place_, draw) * kept;
    for (std::size_t i = 0; i < count; ++i) {
        left -= found[i].weight;
        if (left < 0) return found[i].token;
    }
    return found[count - 1].token;
}

Token sample(std::span<const float> logits, const SamplingParameters& parameters,
             std::span<const Token> answer)
{
    return Sampler(logits, parameters, answer).sampled();
}

}  // namespace parley::engine::llama
