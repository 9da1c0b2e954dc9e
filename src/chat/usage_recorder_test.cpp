#include "chat/usage_recorder.hpp"

#include <gtest/gtest.h>

namespace parley::chat {
namespace {

using namespace std::chrono_literals;

const Owner ana{"usr_ana", false};
const Owner ana_testing{"usr_ana", true};
const TimePoint noon = TimePoint(std::chrono::days(20'000)) + 12h;

TEST(UsageRecorder, AddsUpByOwnerModelAndDay)
{
    UsageRecorder recorder;
    recorder.count(ana, "small", noon, {10, 5, 2});
    recorder.count(ana, "small", noon + 1h, {1, 2, 0});
    recorder.count(ana, "large", noon, {7, 7, 0});
    recorder.count(ana, "small", noon + 12h, {3, 3, 0});
    recorder.count(ana_testing, "small", noon, {});
    const store::Day day = store::day_of(noon);
    const std::vector<store::DailyUsage> expected{
        {ana, "large", day, 1, {7, 7, 0}},
        {ana, "small", day, 2, {11, 7, 2}},
        {ana, "small", day + std::chrono::days(1), 1, {3, 3, 0}},
        {ana_testing, "small", day, 1, {}},
    };
    EXPECT_EQ(recorder.take().used, expected);
    EXPECT_TRUE(recorder.take().empty());
}

TEST(UsageRecorder, KeepsWhatCouldNotBeStored)
{
    UsageRecorder recorder;
    recorder.count(ana, "small", noon, {10, 5, 2});
    recorder.settle("one");
    const auto taken = recorder.take();
    recorder.count(ana, "small", noon, {1, 1, 1});
    recorder.settle("two");
    recorder.put_back(taken);
    const std::vector<store::DailyUsage> expected{
        {ana, "small", store::day_of(noon), 2, {11, 6, 3}}};
    const auto all = recorder.take();
    EXPECT_EQ(all.used, expected);
    EXPECT_EQ(all.settled, (std::vector<std::string>{"two", "one"}));
}

}  // namespace
}  // namespace parley::chat
