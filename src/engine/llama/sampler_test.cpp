#include "engine/llama/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace parley::engine::llama {
namespace {

// Logits for the probabilities 1/4, 1/2, 1/8, 1/8.
const std::vector<float> halves{std::log(0.25F), std::log(0.5F), std::log(0.125F),
                                std::log(0.125F)};

// An answer of this many tokens, none of which is in the model.
std::span<const Token> written(std::size_t count)
{
    static const Tokens tokens(20000, -1);
    return std::span(tokens).first(count);
}

std::map<Token, int> counts(const SamplingParameters& parameters, int draws = 20000)
{
    std::map<Token, int> found;
    for (int i = 0; i < draws; ++i)
        ++found[sample(halves, parameters, written(static_cast<std::size_t>(i)))];
    return found;
}

TEST(Sampler, WithoutTemperatureIsTheLikeliest)
{
    EXPECT_EQ(counts({.temperature = 0}), (std::map<Token, int>{{1, 20000}}));
}

TEST(Sampler, FollowsTheProbabilities)
{
    const auto found = counts({.temperature = 1, .seed = 7});
    EXPECT_NEAR(found.at(1), 10000, 400);
    EXPECT_NEAR(found.at(0), 5000, 350);
    EXPECT_NEAR(found.at(2), 2500, 300);
    EXPECT_NEAR(found.at(3), 2500, 300);
}

TEST(Sampler, IsBolderWhenItIsHotter)
{
    EXPECT_GT(counts({.temperature = 0.5, .seed = 7}).at(1), 13000);
    EXPECT_LT(counts({.temperature = 5, .seed = 7}).at(1), 7500);
}

TEST(Sampler, LeavesOutWhatIsBeyondTopP)
{
    EXPECT_EQ(counts({.top_p = 0.5}).size(), 1U);
    EXPECT_EQ(counts({.top_p = 0.6}).size(), 2U);
    EXPECT_EQ(counts({.top_p = 0.0}).size(), 1U);
    EXPECT_EQ(counts({.top_p = 1.0}).size(), 4U);
}

TEST(Sampler, TakesAtMostTopKTokens)
{
    EXPECT_EQ(counts({.top_k = 1}).size(), 1U);
    EXPECT_EQ(counts({.top_k = 3}).size(), 3U);
    EXPECT_EQ(counts({.top_k = 100}).size(), 4U);
}

TEST(Sampler, LeavesOutWhatIsFarLessLikelyThanTheFirst)
{
    EXPECT_EQ(counts({.min_p = 0.6}).size(), 1U);
    EXPECT_EQ(counts({.min_p = 0.3}).size(), 2U);
    EXPECT_EQ(counts({.min_p = 0.2}).size(), 4U);
}

// Token 1 is the most likely, then 0.
TEST(Sampler, AvoidsWhatWasWritten)
{
    const Tokens once{1};
    const auto next = [&](SamplingParameters parameters, const Tokens& answer) {
        parameters.temperature = 0;
        return sample(halves, parameters, answer);
    };
    EXPECT_EQ(next({}, once), 1);
    EXPECT_EQ(next({.repeat_penalty = 2.5}, once), 0) << "Negative logits are multiplied";
    EXPECT_EQ(next({.presence_penalty = 1}, once), 0);
    EXPECT_EQ(next({.presence_penalty = 0.5}, once), 1);
    EXPECT_EQ(next({.frequency_penalty = 0.5}, once), 1);
    EXPECT_EQ(next({.frequency_penalty = 0.5}, {1, 1}), 0);
    EXPECT_EQ(next({.presence_penalty = -2}, {3}), 3);
    const std::vector<float> positive{1, 2};
    EXPECT_EQ(sample(positive, {.temperature = 0, .repeat_penalty = 3}, once), 0)
        << "Positive ones are divided";
}

TEST(Sampler, ForgetsRepetitionsOfLongAgo)
{
    Tokens answer(recent_tokens, 7);
    answer.insert(answer.begin(), 1);
    const SamplingParameters parameters{.temperature = 0, .repeat_penalty = 2.5};
    EXPECT_EQ(sample(halves, parameters, answer), 1);
    answer.pop_back();
    EXPECT_EQ(sample(halves, parameters, answer), 0);
}

TEST(Sampler, FollowsABias)
{
    const auto with = [](std::map<Token, double> bias) {
        return sample(halves, {.temperature = 0, .bias = std::move(bias)}, {});
    };
    EXPECT_EQ(with({{1, -100}}), 0);
    EXPECT_EQ(with({{3, 100}}), 3);
    EXPECT_EQ(with({{-1, 100}, {4, 100}}), 1) << "Unknown tokens change nothing";
}

TEST(Sampler, IsTheSameForTheSameSeedAndPlace)
{
    int different = 0;
    for (std::size_t place = 0; place < 100; ++place) {
        const auto answer = written(place);
        EXPECT_EQ(sample(halves, {.seed = 3}, answer), sample(halves, {.seed = 3}, answer));
        different += sample(halves, {.seed = 3}, answer) != sample(halves, {.seed = 4}, answer);
    }
    EXPECT_GT(different, 20);
}

// The tokens that may be chosen, found by sorting all of them.
Tokens allowed(const std::vector<float>& logits, const SamplingParameters& parameters)
{
    Tokens order(logits.size());
    std::iota(order.begin(), order.end(), Token{0});
    const auto logit = [&](Token token) { return logits[static_cast<std::size_t>(token)]; };
    std::ranges::sort(order, std::ranges::greater(), logit);
    if (parameters.top_k > 0 && order.size() > static_cast<std::size_t>(parameters.top_k))
        order.resize(static_cast<std::size_t>(parameters.top_k));
    const auto weight = [&](Token token) {
        return std::exp((logit(token) - logit(order.front())) / parameters.temperature);
    };
    double sum = 0;
    for (const Token token : order) sum += weight(token);
    double kept = 0;
    std::size_t count = 0;
    while (count < order.size() && (count == 0 || (kept < sum * parameters.top_p &&
                                                   weight(order[count]) >= parameters.min_p)))
        kept += weight(order[count++]);
    order.resize(count);
    return order;
}

TEST(Sampler, IsAmongTheSameTokensAsIfAllWereSorted)
{
    std::mt19937 random(7);
    for (const std::size_t words : {1, 63, 64, 65, 1000, 5000}) {
        std::normal_distribution<float> usual(0, 3);
        std::vector<float> logits(words);
        for (float& logit : logits) logit = usual(random);
        EXPECT_EQ(sample(logits, {.temperature = 0}, {}),
                  std::ranges::max_element(logits) - logits.begin());
        for (const SamplingParameters& parameters :
             {SamplingParameters{.temperature = 0.7, .top_k = 40},
              SamplingParameters{.temperature = 1.5, .top_p = 0.9, .top_k = 7},
              SamplingParameters{.temperature = 1, .top_p = 0.8},
              SamplingParameters{.temperature = 2, .min_p = 0.3},
              SamplingParameters{.temperature = 0.7, .top_p = 0.9, .top_k = 40, .min_p = 0.05}}) {
            const Tokens expected = allowed(logits, parameters);
            std::set<Token> found;
            for (std::size_t i = 0; i < 500; ++i)
                found.insert(sample(logits, parameters, written(i)));
            EXPECT_TRUE(std::ranges::all_of(found, [&](Token token) {
                return std::ranges::find(expected, token) != expected.end();
            }));
            EXPECT_TRUE(found.contains(expected.front()));
            if (expected.size() <= 8) EXPECT_EQ(found.size(), expected.size());
        }
    }
}

TEST(Sampler, SurvivesNumbersThatAreNone)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::array<float, 3> none{nan, nan, nan};
    const Token token = sample(none, {}, {});
    EXPECT_GE(token, 0);
    EXPECT_LT(token, 3);
    constexpr float least = -std::numeric_limits<float>::infinity();
    const std::array<float, 3> one{least, 2, least};
    EXPECT_EQ(sample(one, {}, {}), 1);
    std::vector<float> mixed(200, nan);
    mixed[150] = 1;
    mixed[199] = 3;
    EXPECT_EQ(sample(mixed, {.temperature = 0}, {}), 199);
    EXPECT_EQ(sample(mixed, {.temperature = 0.01, .top_k = 2}, {}), 199);
}

}  // namespace
}  // namespace parley::engine::llama
