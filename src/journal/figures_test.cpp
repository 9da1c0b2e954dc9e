#include "journal/figures.hpp"

#include <gtest/gtest.h>

namespace parley::journal {
namespace {

TEST(Durations, AreCountedByTheirBounds)
{
    Durations durations;
    durations.add(std::chrono::microseconds(10));
    durations.add(std::chrono::nanoseconds(10'001));
    durations.add(std::chrono::seconds(5));
    EXPECT_EQ(durations.counts[0], 1U);
    EXPECT_EQ(durations.counts[1], 1U);
    EXPECT_EQ(durations.counts.back(), 1U);
    EXPECT_EQ(durations.max, std::chrono::seconds(5));
    EXPECT_EQ(durations.sum, std::chrono::nanoseconds(5'000'020'001));
}

}  // namespace
}  // namespace parley::journal
