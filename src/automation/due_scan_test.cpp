#include "automation/due_scan.hpp"

#include "base/rfc3339.hpp"
#include "fields/write.hpp"

#include <gtest/gtest.h>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

TimePoint time(std::string_view text) { return parse_rfc3339(text).value(); }

class DueScanTest : public testing::Test {
protected:
    const schedule::Zones zones = schedule::Zones::load().value();

    schedule::Schedule every(const std::string& cron)
    {
        return schedule::Schedule::make({.cron = cron, .time_zone = "UTC"}, zones).value();
    }
    // "09:00 missed", "09:02", …
    std::vector<std::string> rows(const std::string& cron, DueScan::CatchUpRule rule,
                                  std::string_view after, std::string_view now)
    {
        const schedule::Schedule schedule = every(cron);
        DueScan scan(schedule, rule, time(after), time(now));
        while (!scan.step()) {
        }
        next = scan.next();
        std::vector<std::string> texts;
        for (const DueTime& each : scan.times()) {
            texts.push_back(rfc3339(each.at).substr(11, 5));
            if (each.is_missed) texts.back() += " missed";
            if (each.missed_count) texts.back() += " " + std::to_string(*each.missed_count);
        }
        return texts;
    }
    using Rows = std::vector<std::string>;

    std::optional<TimePoint> next;
};

TEST_F(DueScanTest, RunsTheTimesOfTheLastMinute)
{
    const Rows one{"09:00"};
    for (const CatchUp which : {CatchUp::none, CatchUp::latest, CatchUp::all}) {
        EXPECT_EQ(rows("0 9 * * *", {which}, "2027-01-01T08:00:00Z", "2027-01-01T09:00:00Z"), one);
        EXPECT_EQ(rows("0 9 * * *", {which}, "2027-01-01T08:00:00Z", "2027-01-01T09:01:00Z"), one);
        EXPECT_EQ(next, time("2027-01-02T09:00:00Z"));
    }
    EXPECT_EQ(rows("0 9 * * *", {}, "2027-01-01T09:00:00Z", "2027-01-01T09:00:30Z"), Rows());
}

TEST_F(DueScanTest, CatchesUpAsItIsTold)
{
    const auto of = [&](CatchUp which) {
        return rows("*/2 * * * *", {which}, "2027-01-01T09:00:00Z", "2027-01-01T09:11:30Z");
    };
    EXPECT_EQ(of(CatchUp::none), (Rows{"09:02 missed", "09:04 missed", "09:06 missed",
                                       "09:08 missed", "09:10 missed"}));
    EXPECT_EQ(of(CatchUp::latest),
              (Rows{"09:02 missed", "09:04 missed", "09:06 missed", "09:08 missed", "09:10"}));
    EXPECT_EQ(of(CatchUp::all), (Rows{"09:02", "09:04", "09:06", "09:08", "09:10"}));
}

TEST_F(DueScanTest, RunsNothingThatIsOlderThanTheWindow)
{
    EXPECT_EQ(rows("0 * * * *", {CatchUp::all, 2h}, "2027-01-01T05:30:00Z", "2027-01-01T09:30:00Z"),
              (Rows{"06:00 missed", "07:00 missed", "08:00", "09:00"}));
    EXPECT_EQ(
        rows("0 9 * * *", {CatchUp::latest, 1h}, "2027-01-01T08:00:00Z", "2027-01-01T10:30:00Z"),
        Rows{"09:00 missed"});
}

TEST_F(DueScanTest, CountsWhatIsBeyondAHundred)
{
    auto minutes = rows("* * * * *", {CatchUp::none}, "2027-01-01T00:00:00Z",
                        "2027-01-08T00:01:30Z");  // 10,081, and one on time.
    ASSERT_EQ(minutes.size(), 102U);
    EXPECT_EQ(minutes.front(), "22:20 missed 9980");
    EXPECT_EQ(minutes[1], "22:21 missed");
    EXPECT_EQ(minutes[100], "00:00 missed");
    EXPECT_EQ(minutes[101], "00:01");
    minutes = rows("* * * * *", {CatchUp::all}, "2027-01-01T00:00:00Z", "2027-01-01T05:01:30Z");
    ASSERT_EQ(minutes.size(), 202U);
    EXPECT_EQ(minutes.front(), "01:40 missed 100");
    EXPECT_EQ(minutes[100], "03:20 missed");
    EXPECT_EQ(minutes[101], "03:21");
}

TEST_F(DueScanTest, KnowsTheEndOfASchedule)
{
    const auto once =
        schedule::Schedule::make({.at = time("2027-01-01T09:00:00Z"), .time_zone = "UTC"}, zones)
            .value();
    DueScan scan(once, {}, time("2027-01-01T08:00:00Z"), time("2027-01-01T09:00:00Z"));
    while (!scan.step()) {
    }
    EXPECT_EQ(scan.times().size(), 1U);
    EXPECT_EQ(scan.next(), std::nullopt);
}

}  // namespace
}  // namespace parley::automation
