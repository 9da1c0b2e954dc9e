#include "app/descriptors.hpp"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(Descriptors, LeaveRoomForEverythingElse)
{
    EXPECT_EQ(connections_within(1'000'000, 10'000), 10'000U);
    EXPECT_EQ(connections_within(1024, 10'000), 1024U - 128U);
    EXPECT_EQ(connections_within(64, 10'000), 32U);
    EXPECT_EQ(connections_within(1, 10'000), 1U);
    EXPECT_EQ(connections_within(1024, 5), 5U);
}

}  // namespace
}  // namespace parley::app
