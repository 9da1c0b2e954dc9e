#include "engine/embedder.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace parley::engine {
namespace {

TEST(Normalize, GivesAVectorTheLengthOne)
{
    std::vector<float> vector{3, 0, -4};
    EXPECT_TRUE(normalize(vector));
    EXPECT_EQ(vector, (std::vector<float>{0.6F, 0, -0.8F}));

    std::vector<float> tiny{1e-30F, 1e-30F};  // Its square is too small for a float.
    EXPECT_TRUE(normalize(tiny));
    EXPECT_NEAR(tiny[0], 0.70710678, 1e-6);
}

TEST(Normalize, RefusesAVectorWithoutADirection)
{
    std::vector<float> zeros(3);
    EXPECT_FALSE(normalize(zeros));
    for (const float odd :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        std::vector<float> broken{1, odd};
        EXPECT_FALSE(normalize(broken));
    }
}

}  // namespace
}  // namespace parley::engine
