#include "automation/start_limit.hpp"

#include <gtest/gtest.h>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class StartLimitTest : public testing::Test {
protected:
    const StartLimit::Payer ana{.owner = {"usr_ana", false}};
    const StartLimit::Payer test{.owner = {"usr_ana", true}};
    const StartLimit::Payer ben{.owner = {"usr_ben", false}};
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
    limit.give_back(test, limit.count(test));
    EXPECT_EQ(limit.left(ana).remaining, 1);
}

TEST_F(StartLimitTest, TellsWhatIsLeft)
{
    EXPECT_EQ(limit.left(ana).limit, 2);
    EXPECT_EQ(limit.left(ana).remaining, 2);
    EXPECT_EQ(limit.left(ana).reset, 0s);
    const SteadyPoint start = limit.count(ana);
    clock.advance(500ms);
    EXPECT_EQ(limit.left(ana).remaining, 1);
    EXPECT_EQ(limit.left(ana).reset, 60s);
    limit.give_back(ana, start);
    EXPECT_EQ(limit.left(ana).remaining, 2);
}

TEST_F(StartLimitTest, GivesBackTheStartThatWasNone)
{
    const SteadyPoint refused = limit.count(ana);
    clock.advance(30s);
    limit.count(ana);
    limit.give_back(ana, refused);
    clock.advance(30s);
    EXPECT_EQ(limit.left(ana).remaining, 1) << "the other one was started 30 s ago";
    limit.give_back(ana, refused);
    EXPECT_EQ(limit.left(ana).remaining, 1) << "it is counted no longer anyway";
}

TEST_F(StartLimitTest, CountsFromTheMomentWhenTheStartIsStored)
{
    const SteadyPoint start = limit.count(ana);
    limit.count(ana);
    clock.advance(1s);
    limit.note_begun(ana, start);
    EXPECT_EQ(limit.left(ana).remaining, 0);
    clock.advance(59s);
    limit.count(ana);
    EXPECT_EQ(limit.wait(ana), 1s);
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

TEST_F(StartLimitTest, WaitsWhileOtherServersHaveUsedItUp)
{
    limit.hold(ana, 10s);
    EXPECT_EQ(limit.wait(ana), 10s);
    EXPECT_EQ(limit.left(ana).remaining, 0);
    EXPECT_EQ(limit.left(ana).reset, 10s);
    EXPECT_TRUE(limit.admits(ben));
    clock.advance(10s);
    EXPECT_TRUE(limit.admits(ana));
    EXPECT_EQ(limit.left(ana).remaining, 2);
    limit.hold(ana, 10s);
    EXPECT_TRUE(limit.admits({.owner = ana.owner, .limit = 3})) << "it was raised";
}

TEST_F(StartLimitTest, AUserMayHaveANumberOfTheirOwn)
{
    StartLimit::Payer eva{.owner = {"usr_eva", false}, .limit = 3};
    for (int i = 0; i < 3; ++i) limit.count(eva);
    EXPECT_FALSE(limit.admits(eva));
    EXPECT_EQ(limit.left(eva).limit, 3);
    eva.limit = 4;
    EXPECT_TRUE(limit.admits(eva)) << "at once";
    eva.limit = 1;
    EXPECT_EQ(limit.left(eva).remaining, 0);
    EXPECT_EQ(limit.wait(eva), 60s);
}

TEST_F(StartLimitTest, ATokenHasItsNumberInsideThatOfItsUser)
{
    const StartLimit::Payer narrow{.owner = ana.owner, .token = "tok_narrow", .token_limit = 1};
    const StartLimit::Payer other{.owner = ana.owner, .token = "tok_other"};
    const SteadyPoint start = limit.count(narrow);
    EXPECT_FALSE(limit.admits(narrow));
    EXPECT_EQ(limit.left(narrow).limit, 1);
    EXPECT_TRUE(limit.admits(other));
    EXPECT_TRUE(limit.admits(ana));
    EXPECT_EQ(limit.held().tokens, "tok_narrow=1 ");
    EXPECT_EQ(limit.held().wait, 60s);
    limit.count(other);
    EXPECT_FALSE(limit.admits(other)) << "the number of the user counts, too";
    limit.give_back(narrow, start);
    EXPECT_EQ(limit.held().tokens, "");
    EXPECT_TRUE(limit.admits(narrow));
    clock.advance(60s);
    EXPECT_EQ(limit.held().wait, std::nullopt);
}

}  // namespace
}  // namespace parley::automation
