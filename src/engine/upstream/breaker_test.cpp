#include "engine/upstream/breaker.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

class BreakerTest : public testing::Test {
protected:
    void fail(int times)
    {
        for (int i = 0; i < times; ++i) breaker.failed(clock.steady());
    }
    bool may_ask() { return breaker.may_ask(clock.steady()); }

    ManualClock clock;
    Breaker breaker;
};

TEST_F(BreakerTest, OpensAfterFailuresInARow)
{
    fail(Breaker::failures_in_a_row - 1);
    EXPECT_TRUE(may_ask());
    breaker.succeeded();
    fail(Breaker::failures_in_a_row - 1);
    EXPECT_TRUE(may_ask());
    fail(1);
    EXPECT_FALSE(may_ask());
    EXPECT_EQ(breaker.remaining_pause(clock.steady()), Breaker::pause);
}

TEST_F(BreakerTest, LetsOneProbeThroughInEachPause)
{
    fail(Breaker::failures_in_a_row);
    clock.advance(Breaker::pause - std::chrono::milliseconds(1));
    EXPECT_FALSE(may_ask());
    clock.advance(std::chrono::milliseconds(1));
    EXPECT_TRUE(may_ask());
    EXPECT_FALSE(may_ask());
    fail(1);
    EXPECT_FALSE(may_ask());
    clock.advance(Breaker::pause);
    EXPECT_TRUE(may_ask());
    breaker.succeeded();
    EXPECT_TRUE(may_ask());
    EXPECT_TRUE(may_ask());
    EXPECT_EQ(breaker.remaining_pause(clock.steady()), std::chrono::seconds(0));
}

TEST_F(BreakerTest, OpensAfterTimeoutsOnlyIfAProbeFails)
{
    const auto time_out_until_probe = [&] {
        for (int i = 1; i < Breaker::failures_in_a_row; ++i) EXPECT_FALSE(breaker.timed_out());
        EXPECT_TRUE(breaker.timed_out());
        EXPECT_FALSE(breaker.timed_out()) << "One probe at a time";
        EXPECT_TRUE(may_ask());
    };
    time_out_until_probe();
    breaker.probed(true, clock.steady());
    EXPECT_TRUE(may_ask());
    time_out_until_probe();
    breaker.probed(false, clock.steady());
    EXPECT_FALSE(may_ask());
    clock.advance(Breaker::pause);
    EXPECT_TRUE(may_ask());
    breaker.succeeded();
    EXPECT_TRUE(may_ask());
    EXPECT_FALSE(breaker.timed_out()) << "Counted from the last success";
}

TEST_F(BreakerTest, ProbesAgainWhenAProbeCameToNothing)
{
    fail(Breaker::failures_in_a_row);
    clock.advance(Breaker::pause);
    EXPECT_TRUE(may_ask());
    clock.advance(Breaker::pause);
    EXPECT_TRUE(may_ask());
}

}  // namespace
}  // namespace parley::engine::upstream
