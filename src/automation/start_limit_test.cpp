#include "automation/start_limit.hpp"

#include <gtest/gtest.h>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class StartLimitTest : public testing::Test {
protected:
    const Owner ana{"usr_ana", false};
    const Owner test{"usr_ana", true};
    const Owner ben{"usr_ben", false};
    ManualClock clock;
    StartLimit limit{2, clock};
};

TEST_F(StartLimitTest, AdmitsSoManyInAnyMinute)
{
    limit.count(ana);
    clock.advance(30s);
    EXPECT_TRUE(limit.admits(ana));
    limit.count(ana);
    EXPECT_FALSE(limit.admits(ana));
    EXPECT_EQ(limit.wait(ana), 30s);
    EXPECT_TRUE(limit.admits(ben)) << "each user has a limit of their own";
    clock.advance(30s - 1ns);
    EXPECT_FALSE(limit.admits(ana));
    clock.advance(1ns);
    EXPECT_TRUE(limit.admits(ana));
    EXPECT_EQ(limit.wait(ana), 0s);
}

TEST_F(StartLimitTest, DoesNotCountTestMode)
{
    for (int i = 0; i < 5; ++i) limit.count(test);
    EXPECT_TRUE(limit.admits(test));
    EXPECT_EQ(limit.left(test).remaining, 2);
    limit.count(ana);
    limit.give_back(test);
    EXPECT_EQ(limit.left(ana).remaining, 1);
}

TEST_F(StartLimitTest, TellsWhatIsLeft)
{
    EXPECT_EQ(limit.left(ana).limit, 2);
    EXPECT_EQ(limit.left(ana).remaining, 2);
    EXPECT_EQ(limit.left(ana).reset, 0s);
    limit.count(ana);
    clock.advance(500ms);
    EXPECT_EQ(limit.left(ana).remaining, 1);
    EXPECT_EQ(limit.left(ana).reset, 60s);
    limit.give_back(ana);
    EXPECT_EQ(limit.left(ana).remaining, 2);
}

TEST_F(StartLimitTest, GoesOnFromAnEarlierProcess)
{
    limit.count_earlier(ana, 50s);
    limit.count_earlier(ana, -1h);  // The wall clock was set back.
    EXPECT_FALSE(limit.admits(ana));
    clock.advance(10s);
    EXPECT_TRUE(limit.admits(ana));
    clock.advance(50s);
    EXPECT_EQ(limit.left(ana).remaining, 2);
}

TEST_F(StartLimitTest, IsNotHeldUpByAClockThatIsSetBack)
{
    limit.count(ana);
    limit.count(ana);
    clock.set(clock.now() - 1h);
    clock.advance(60s);
    EXPECT_TRUE(limit.admits(ana));
}

}  // namespace
}  // namespace parley::automation
