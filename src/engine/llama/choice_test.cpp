#include "engine/llama/choice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace parley::engine {
namespace {

// Of probabilities 1/2, 1/4, 1/8, 1/8.
const std::vector<float> halves{std::log(0.25F), std::log(0.5F), std::log(0.125F),
                                std::log(0.125F)};

std::map<Token, int> counts(const Taste& taste, int draws = 20000)
{
    std::map<Token, int> found;
    for (int i = 0; i < draws; ++i) ++found[choose(halves, taste, static_cast<std::uint64_t>(i))];
    return found;
}

TEST(Choice, WithoutTemperatureIsTheLikeliest)
{
    EXPECT_EQ(counts({.temperature = 0}), (std::map<Token, int>{{1, 20000}}));
}

TEST(Choice, FollowsTheProbabilities)
{
    const auto found = counts({.temperature = 1, .seed = 7});
    EXPECT_NEAR(found.at(1), 10000, 400);
    EXPECT_NEAR(found.at(0), 5000, 350);
    EXPECT_NEAR(found.at(2), 2500, 300);
    EXPECT_NEAR(found.at(3), 2500, 300);
}

TEST(Choice, IsBolderWhenItIsHotter)
{
    EXPECT_GT(counts({.temperature = 0.5, .seed = 7}).at(1), 13000);
    EXPECT_LT(counts({.temperature = 5, .seed = 7}).at(1), 7500);
}

TEST(Choice, LeavesOutWhatIsBeyondTopP)
{
    EXPECT_EQ(counts({.top_p = 0.5}).size(), 1U);
    EXPECT_EQ(counts({.top_p = 0.6}).size(), 2U);
    EXPECT_EQ(counts({.top_p = 0.0}).size(), 1U);
    EXPECT_EQ(counts({.top_p = 1.0}).size(), 4U);
}

TEST(Choice, IsTheSameForTheSameSeedAndPlace)
{
    int different = 0;
    for (std::uint64_t place = 0; place < 100; ++place) {
        EXPECT_EQ(choose(halves, {.seed = 3}, place), choose(halves, {.seed = 3}, place));
        different += choose(halves, {.seed = 3}, place) != choose(halves, {.seed = 4}, place);
    }
    EXPECT_GT(different, 20);
}

TEST(Choice, SurvivesNumbersThatAreNone)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::array<float, 3> none{nan, nan, nan};
    const Token token = choose(none, {}, 0);
    EXPECT_GE(token, 0);
    EXPECT_LT(token, 3);
    constexpr float least = -std::numeric_limits<float>::infinity();
    const std::array<float, 3> one{least, 2, least};
    EXPECT_EQ(choose(one, {}, 0), 1);
}

}  // namespace
}  // namespace parley::engine
