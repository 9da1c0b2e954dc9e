#include "base/trusted_time.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

using namespace std::chrono_literals;

class TrustedTimeTest : public testing::Test {
protected:
    // Lets time pass as in a running server, which reads the clocks once a minute.
    void pass(std::chrono::minutes time)
    {
        for (; time > 0min; time -= 1min) {
            clock.advance(1min);
            now->look();
        }
    }
    void set_wall(std::chrono::nanoseconds by)
    {
        clock.set(clock.now() + std::chrono::duration_cast<TimePoint::duration>(by));
        now->look();
    }
    // The server restarts, possibly after a reboot; the wall clock moves meanwhile.
    void restart(std::string in_boot = "first")
    {
        kept = now->text();
        boot = std::move(in_boot);
        now.emplace(clock, boot, kept);
    }

    ManualClock clock;
    const TimePoint begin = clock.now();
    std::string boot = "first";
    std::string kept;
    std::optional<TrustedTime> now{std::in_place, clock, boot};
    TimePoint time() const { return now->now(); }
};

TEST_F(TrustedTimeTest, IsTheWallClockWhileTheClocksAgree)
{
    EXPECT_EQ(time(), begin);
    pass(90min);
    EXPECT_EQ(time(), begin + 90min);
    EXPECT_EQ(now->steady(), clock.steady());
}

TEST_F(TrustedTimeTest, DoesNotGoBackWithTheWallClock)
{
    set_wall(-1h);
    EXPECT_EQ(time(), begin);
    pass(10min);
    EXPECT_EQ(time(), begin + 10min) << "lives stay as long as they were meant to be";
    set_wall(1h);
    EXPECT_EQ(time(), begin + 10min);
}

TEST_F(TrustedTimeTest, FollowsASmallStepAtOnceAndStaysThere)
{
    set_wall(4min);
    EXPECT_EQ(time(), begin + 4min);
    set_wall(-4min);
    EXPECT_EQ(time(), begin + 4min);
    set_wall(6min);
    EXPECT_EQ(time(), begin + 5min) << "all steps together";
}

struct Jump {
    std::chrono::hours by;
    std::chrono::minutes trusted;
};
class Jumps : public TrustedTimeTest, public testing::WithParamInterface<Jump> {};

TEST_P(Jumps, AreNotFollowedWithinABootForADay)
{
    pass(2h);
    ASSERT_TRUE(now->may_sweep());
    set_wall(GetParam().by);
    const TimePoint jumped = begin + 2h + GetParam().trusted;
    EXPECT_EQ(time(), jumped);
    EXPECT_FALSE(now->may_sweep());

    restart();
    EXPECT_EQ(time(), jumped) << "also not by the next server of the same boot";
    pass(24h - 2min);
    EXPECT_EQ(time(), jumped + 24h - 2min);
    EXPECT_FALSE(now->may_sweep());

    pass(2min);
    EXPECT_EQ(time(), clock.now()) << "settled";
    EXPECT_TRUE(now->may_sweep());
}

TEST_P(Jumps, AreForgottenOnceTheyAreTakenBack)
{
    pass(2h);
    set_wall(GetParam().by);
    pass(23h);
    set_wall(-GetParam().by);
    pass(2h);
    EXPECT_EQ(time(), begin + 27h + GetParam().trusted);
    EXPECT_TRUE(now->may_sweep());
    set_wall(GetParam().by);
    pass(23h);
    EXPECT_NE(time(), clock.now()) << "a new disagreement has a day of its own";
}

INSTANTIATE_TEST_SUITE_P(AllWays, Jumps,
                         testing::Values(Jump{-1h, 0min}, Jump{2h, 5min}, Jump{30 * 24h, 5min}),
                         [](const auto& of) {
                             const auto hours = of.param.by.count();
                             return (hours < 0 ? "Back" : "Ahead") +
                                    std::to_string(std::abs(hours));
                         });

TEST_F(TrustedTimeTest, TakesALaterWallClockAfterABoot)
{
    kept = now->text();
    clock.set(begin + 30 * 24h);
    now.emplace(clock, "second", kept);
    EXPECT_EQ(time(), begin + 30 * 24h);
    pass(61min);
    EXPECT_TRUE(now->may_sweep());
}

TEST_F(TrustedTimeTest, TakesNoEarlierWallClockAfterABootUntilADayHasPassed)
{
    pass(10min);
    kept = now->text();
    clock.set(begin - 1h);
    now.emplace(clock, "second", kept);
    EXPECT_EQ(time(), begin + 10min);
    pass(12h);
    EXPECT_FALSE(now->may_sweep());
    // A machine that is off every night settles, too: all its running hours count.
    restart("third");
    EXPECT_EQ(time(), begin + 12h + 10min);
    pass(12h);
    EXPECT_EQ(time(), clock.now());
    EXPECT_TRUE(now->may_sweep());
}

TEST_F(TrustedTimeTest, DoesNotSweepForAnHourAfterEachStart)
{
    pass(59min);
    EXPECT_FALSE(now->may_sweep());
    pass(1min);
    EXPECT_TRUE(now->may_sweep());
    restart();
    EXPECT_FALSE(now->may_sweep());
}

TEST_F(TrustedTimeTest, BeginsAnewWithoutSomethingReadable)
{
    constexpr auto far_ahead =
        R"({"boot":"first","latest":99999999999999999,"anchor":0,"trusted":0,)"
        R"("disagreeing_lead":null,"disagreed_for":0,"kept_at":0})";
    for (const char* text : {"", "{", "[]", "{\"boot\":1}", far_ahead}) {
        now.emplace(clock, boot, text);
        EXPECT_EQ(time(), begin) << text;
    }
    now.emplace(clock, "", TrustedTime(clock, "").text());
    EXPECT_EQ(time(), begin);
}

TEST_F(TrustedTimeTest, DoesNotTrustABootClockThatWentBack)
{
    pass(60min);
    kept = now->text();
    ManualClock other;  // For example a container that was moved; its boot clock is an hour behind.
    now.emplace(other, boot, kept);
    EXPECT_EQ(time(), begin + 60min);
}

}  // namespace
}  // namespace parley
