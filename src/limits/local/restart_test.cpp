#include "limits/local/limiter_for_tests.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::limits::local {
namespace {

using namespace std::chrono_literals;

// After a reboot, the steady clock starts from another point.
class OtherBoot final : public Clock {
public:
    OtherBoot(const Clock& world, std::chrono::nanoseconds set_by)
        : world_(world), since_(world.steady()), set_by_(set_by)
    {
    }
    TimePoint now() const override { return world_.now() + set_by_; }
    SteadyPoint steady() const override { return SteadyPoint(5s + (world_.steady() - since_)); }

private:
    const Clock& world_;
    SteadyPoint since_;
    std::chrono::nanoseconds set_by_;
};

class RestartTest : public LocalLimiterTest {
protected:
    // The machine reboots after a while, and its wall clock is set by this amount.
    void restart_machine(std::chrono::nanoseconds set_by)
    {
        limiter.reset();
        machine = std::make_unique<OtherBoot>(clock, set_by);
        auto other = options();
        other.clock = machine.get();
        other.boot_id = "another";
        auto opened = LocalLimiter::open(other);
        ASSERT_TRUE(opened) << opened.error().message;
        limiter = std::move(*opened);
    }

    std::unique_ptr<OtherBoot> machine;
};

TEST_F(RestartTest, SaysWhetherItGoesOnOrBegins)
{
    EXPECT_NE(log_of_open().find("rate-limit state created"), std::string::npos);
    admits_of(1, Class::chat, usr_1);
    const std::string said = log_of_open();
    EXPECT_NE(said.find("rate-limit state loaded"), std::string::npos);
    EXPECT_NE(said.find(R"("keys":1)"), std::string::npos) << said;
}

TEST_F(RestartTest, LosesNothingHoweverOftenItIsOpened)
{
    open();
    for (int i = 0; i < 30; ++i) {
        ASSERT_EQ(admits_of(1, Class::chat, usr_1), 1);
        clock.advance(1s);
        open();
    }
    clock.advance(30s - 1ns);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(1ns);
    EXPECT_EQ(admits_of(2, Class::chat, usr_1), 1);
}

TEST_F(RestartTest, KnowsItsTimesAgainWhenTheMachineWasStartedAgain)
{
    open();
    admits_of(10, Class::chat, usr_1);
    clock.advance(20s);
    admits_of(20, Class::chat, usr_1);
    clock.advance(15s);
    restart_machine(0s);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(25s - 1ns);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(1ns);
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 10);
    clock.advance(20s);
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 20);
}

TEST_F(RestartTest, ForgetsWhatIsOutOfTheWindowWhenTheMachineIsBack)
{
    open();
    admits_of(30, Class::chat, usr_1);
    clock.advance(60s);
    restart_machine(0s);
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
}

TEST_F(RestartTest, NeverAdmitsMoreWhenTheTimeOfDayWasSetBackMeanwhile)
{
    open();
    admits_of(30, Class::chat, usr_1);
    clock.advance(30s);
    restart_machine(-1h);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    // By the wall clock the admissions are in the future, so they count as now: too long, but not
    // for an hour.
    clock.advance(60s - 1ns);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(1ns);
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
}

TEST_F(RestartTest, DoesNotReviveTheDeadWhenTheTimeOfDayWasSetBack)
{
    open();
    admits_of(30, Class::chat, Key::user("early"));
    clock.advance(2min);
    admits_of(30, Class::chat, Key::user("late"));
    restart_machine(-1h);
    EXPECT_EQ(admits_of(31, Class::chat, Key::user("early")), 30);
    EXPECT_EQ(admits_of(1, Class::chat, Key::user("late")), 0);
}

TEST_F(RestartTest, TranslatesByTheTimeOfDayThatWasLastSeen)
{
    clock.set(TimePoint() + 24h);  // Before the wall clock was synchronised.
    open();
    admits_of(15, Class::chat, usr_1);
    clock.advance(2s);
    clock.set(TimePoint() + std::chrono::years(56));
    admits_of(15, Class::chat, usr_1);
    clock.advance(10s);
    restart_machine(0s);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(48s);
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 15);
}

TEST_F(RestartTest, IgnoresTheTimeOfDayWhileTheMachineRunsOn)
{
    open();
    admits_of(30, Class::chat, usr_1);
    clock.set(clock.now() + 1h);
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    open();
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.set(clock.now() - 3h);
    clock.advance(60s);
    open();
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
}

TEST_F(RestartTest, TranslatesWhereTheSystemDoesNotTellOneStartFromTheNext)
{
    boot = "";
    open();
    admits_of(30, Class::chat, usr_1);
    clock.advance(59s);
    open();
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(1s);
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
}

TEST_F(RestartTest, NoticesAnotherLineOfTimeOnTheSameMachine)
{
    open();
    admits_of(30, Class::chat, usr_1);
    clock.advance(30s);
    limiter.reset();
    const OtherBoot container(clock, 0s);
    auto there = options();
    there.clock = &container;
    limiter = LocalLimiter::open(there).value();
    EXPECT_EQ(admits_of(1, Class::chat, usr_1), 0);
    clock.advance(30s);
    EXPECT_EQ(admits_of(31, Class::chat, usr_1), 30);
    limiter.reset();
}

TEST_F(RestartTest, KeepsItsCountsWhenTheLimitsChange)
{
    open();
    admits_of(20, Class::chat, usr_1);
    clock.advance(10s);
    limits = {.chat = 25};
    open();
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 5);
    limits = {.chat = 5};
    open();
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 0);
    clock.advance(60s);
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 5);
    limits = {.chat = 7, .window = 120s};
    clock.advance(100s);
    open();
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 2);
    limits = {.chat = 7, .window = 10s};
    clock.advance(10s);
    open();
    EXPECT_EQ(admits_of(30, Class::chat, usr_1), 7);
}

TEST_F(RestartTest, SaysHowManyKeysAreLostWhenThereIsLessRoom)
{
    users = 20;
    open();
    for (int i = 0; i < 20; ++i) {
        const std::string id = "usr_" + std::to_string(i);
        admits_of(1, Class::chat, Key::user(id));
    }
    users = 5;
    const std::string said = log_of_open();
    EXPECT_NE(said.find(R"("lost":15)"), std::string::npos) << said;
    users = 20;
    EXPECT_NE(log_of_open().find(R"("keys":5)"), std::string::npos);
}

TEST_F(RestartTest, StillKnowsWhoseTurnItIsToMakeRoom)
{
    users = 2;
    open();
    admits_of(1, Class::chat, Key::user("first"));
    clock.advance(10s);
    admits_of(1, Class::chat, Key::user("second"));
    clock.advance(20s);
    admits_of(1, Class::chat, Key::user("first"));
    open();
    clock.advance(40s);  // The second has expired, the first has not.
    EXPECT_EQ(admits_of(1, Class::chat, Key::user("third")), 1);
    EXPECT_EQ(remaining(Class::chat, Key::user("first")), 29U);
}

TEST_F(RestartTest, KeepsTheKeysOfManyShards)
{
    users = 5000;
    open();
    const auto name = [](int i) { return "usr_" + std::to_string(i); };
    for (int i = 0; i < 4000; ++i) {
        const std::string id = name(i);
        ASSERT_EQ(admits_of(1 + i % 3, Class::chat, Key::user(id)), 1 + i % 3);
    }
    open();
    for (int i = 0; i < 4000; ++i) {
        const std::string id = name(i);
        ASSERT_EQ(remaining(Class::chat, Key::user(id)), 29U - i % 3);
    }
}

}  // namespace
}  // namespace parley::limits::local
