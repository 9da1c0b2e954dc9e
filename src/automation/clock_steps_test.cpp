#include "automation/clock_steps.hpp"

#include <gtest/gtest.h>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class ClockStepsTest : public testing::Test {
protected:
    // Due at these minutes after the start.
    store::DueEntry entry(const std::string& id, const std::vector<int>& minutes,
                          std::optional<TimePoint> next, bool has_ended = false) const
    {
        store::DueEntry made{.automation = id,
                             .revision = 3,
                             .seen_until = start,
                             .new_until = end,
                             .next_at = next,
                             .has_ended = has_ended,
                             .now = start};
        for (const int minute : minutes)
            made.rows.push_back({.automation = id, .scheduled_for = at(minute)});
        return made;
    }
    TimePoint at(int minute) const { return start + std::chrono::minutes(minute); }
    store::TestClockChange change(std::vector<store::DueEntry> entries) const
    {
        return {.owner = {"usr_ana", true},
                .seen = start,
                .to = end,
                .entries = std::move(entries),
                .now = start};
    }

    const TimePoint start = TimePoint(1'000'000h);
    const TimePoint end = start + 60min;
};

TEST_F(ClockStepsTest, AFewRowsAreOneStep)
{
    const auto whole = change({entry("aut_1", {1, 2}, at(70)), entry("aut_2", {}, at(80))});
    const auto steps = in_steps(whole, 2);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].seen, whole.seen);
    EXPECT_EQ(steps[0].to, whole.to);
    ASSERT_EQ(steps[0].entries.size(), 2U);
    EXPECT_EQ(steps[0].entries[0].rows.size(), 2U);
    EXPECT_EQ(steps[0].entries[0].next_at, at(70));
    EXPECT_EQ(steps[0].entries[1].new_until, end);
}

TEST_F(ClockStepsTest, EachStepGoesOnWhereTheLastOneEnded)
{
    const auto steps =
        in_steps(change({entry("aut_1", {1, 2, 3, 4, 5}, at(70)), entry("aut_2", {4}, at(80))}), 2);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].to, at(2));
    EXPECT_EQ(steps[1].seen, at(2));
    EXPECT_EQ(steps[1].to, at(4));
    EXPECT_EQ(steps[2].seen, at(4));
    EXPECT_EQ(steps[2].to, end);
    ASSERT_EQ(steps[0].entries.size(), 1U) << "the second one has nothing there";
    EXPECT_EQ(steps[0].entries[0].next_at, at(3));
    EXPECT_EQ(steps[1].entries[0].seen_until, at(2));
    ASSERT_EQ(steps[1].entries.size(), 2U);
    EXPECT_EQ(steps[1].entries[1].seen_until, start);
    EXPECT_EQ(steps[1].entries[1].next_at, at(80));
    ASSERT_EQ(steps[2].entries.size(), 2U);
    EXPECT_EQ(steps[2].entries[0].rows.size(), 1U);
    EXPECT_EQ(steps[2].entries[1].seen_until, at(4));
    EXPECT_EQ(steps[2].entries[1].rows.size(), 0U);
}

TEST_F(ClockStepsTest, RowsOfOneInstantStayTogether)
{
    const auto steps = in_steps(change({entry("aut_1", {1, 2}, at(70)), entry("aut_2", {1}, at(70)),
                                        entry("aut_3", {1}, at(70))}),
                                1);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].entries.size(), 3U);
    EXPECT_EQ(steps[1].entries[0].rows.size(), 1U);
}

TEST_F(ClockStepsTest, OneThatHasEndedIsLeftAlone)
{
    const auto steps = in_steps(
        change({entry("aut_1", {1}, std::nullopt, true), entry("aut_2", {2, 3}, at(70))}), 1);
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_TRUE(steps[0].entries[0].has_ended);
    ASSERT_EQ(steps[2].entries.size(), 1U);
    EXPECT_EQ(steps[2].entries[0].automation, "aut_2");
}

TEST_F(ClockStepsTest, TheWayBackToRealTimeIsTheLastStep)
{
    auto whole = change({entry("aut_1", {1, 2}, at(70))});
    whole.to.reset();
    const auto steps = in_steps(whole, 1);
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].to, at(1));
    EXPECT_EQ(steps[1].to, std::nullopt);
}

}  // namespace
}  // namespace parley::automation
