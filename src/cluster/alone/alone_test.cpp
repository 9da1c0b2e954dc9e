#include "cluster/alone/alone.hpp"

#include <gtest/gtest.h>

namespace parley::cluster {
namespace {

TEST(Alone, HasNoIncarnationAndIsAlwaysFresh)
{
    Alone alone;
    bool was_called = false;
    alone.listen(
        {.heard = [&](const Heard&) { was_called = true; }, .fenced = [&] { was_called = true; }});
    EXPECT_TRUE(alone.is_alone());
    EXPECT_TRUE(alone.is_fresh());
    EXPECT_EQ(alone.members(), 1U);
    alone.leave();
    EXPECT_FALSE(was_called);
}

}  // namespace
}  // namespace parley::cluster
