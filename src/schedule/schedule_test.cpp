#include "schedule/schedule.hpp"

#include "base/rfc3339.hpp"
#include "base/thread_time_for_tests.hpp"
#include "schedule/zones_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::schedule {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TimePoint at(const char* text) { return *parse_rfc3339(text); }

ScheduleRequest cron(const char* pattern, const char* zone = "Europe/Berlin")
{
    return {.cron = pattern, .time_zone = zone};
}

std::vector<std::string> times(const ScheduleRequest& request, const char* after, std::size_t most)
{
    std::vector<std::string> texts;
    const Schedule schedule = Schedule::make(request, zones()).value();
    for (const Occurrence& each : schedule.occurrences(at(after), most)) {
        std::string text = rfc3339(each.at).substr(0, 16);
        if (const auto note = to_text(each.note)) text.append(" ").append(*note);
        texts.push_back(text);
    }
    return texts;
}

std::vector<std::string> faults_of(const ScheduleRequest& request)
{
    std::vector<std::string> texts;
    const auto schedule = Schedule::make(request, zones());
    if (schedule) return texts;
    for (const Fault& fault : schedule.error().faults)
        texts.push_back(fault.where + " " + fault.code);
    return texts;
}

TEST(Schedule, MovesSkippedTimesAndTakesTheFirstOfTwo)
{
    EXPECT_THAT(times(cron("30 2 * * *"), "2027-03-27T00:00:00Z", 3),
                ElementsAre("2027-03-27T01:30", "2027-03-28T01:30 moved_by_clock_change",
                            "2027-03-29T00:30"));
    EXPECT_THAT(times(cron("30 2 * * *"), "2027-10-30T12:00:00Z", 2),
                ElementsAre("2027-10-31T00:30 first_of_two", "2027-11-01T01:30"));
}

TEST(Schedule, FollowsRealTimeIfEveryHourMatches)
{
    const ScheduleRequest request = cron("*/20 * * * *", "America/New_York");
    const Schedule schedule = Schedule::make(request, zones()).value();
    const auto fires = [&](const char* begin, const char* end) {
        std::size_t count = 0;
        for (const Occurrence& each :
             schedule.occurrences(at(begin) - std::chrono::seconds(1), 100))
            if (each.at < at(end)) ++count;
        return count;
    };
    EXPECT_EQ(fires("2027-11-07T04:00:00Z", "2027-11-08T05:00:00Z"), 75U);
    EXPECT_EQ(fires("2027-03-14T05:00:00Z", "2027-03-15T04:00:00Z"), 69U);
}

TEST(Schedule, FiresOnceForTwoTimesOnOneInstant)
{
    EXPECT_THAT(times(cron("30 2,3 * * *"), "2027-03-27T12:00:00Z", 3),
                ElementsAre("2027-03-28T01:30", "2027-03-29T00:30", "2027-03-29T01:30"));
}

TEST(Schedule, SortsMovedTimesAmongTheOthers)
{
    EXPECT_THAT(times(cron("15,45 2,3 * * *"), "2027-03-28T00:00:00Z", 2),
                ElementsAre("2027-03-28T01:15", "2027-03-28T01:45"));
    EXPECT_THAT(times(cron("50 2-3/1 28 3 *"), "2027-03-28T00:00:00Z", 1),
                ElementsAre("2027-03-28T01:50"));
}

TEST(Schedule, KeepsALostDay)
{
    EXPECT_THAT(times(cron("0 9 30 12 *", "Pacific/Apia"), "2011-12-01T00:00:00Z", 2),
                ElementsAre("2011-12-30T19:00 moved_by_clock_change", "2012-12-29T19:00"));
    EXPECT_THAT(times(cron("0 9 * * *", "Pacific/Apia"), "2011-12-29T00:00:00Z", 3),
                ElementsAre("2011-12-29T19:00", "2011-12-30T19:00", "2011-12-31T19:00"));
}

TEST(Schedule, FindsLeapDaysOverACentury)
{
    EXPECT_THAT(times(cron("0 0 29 2 *", "UTC"), "2096-02-29T00:00:00Z", 2),
                ElementsAre("2104-02-29T00:00", "2108-02-29T00:00"));
}

TEST(Schedule, CountsWeeksFromItsStart)
{
    ScheduleRequest request = cron("0 9 * * MON,WED,SUN", "UTC");
    request.every_weeks = 2;
    request.starts_at = at("2026-11-18T09:00:00Z");  // A Wednesday, and inclusive.
    EXPECT_THAT(times(request, "2026-11-01T00:00:00Z", 5),
                ElementsAre("2026-11-18T09:00", "2026-11-22T09:00", "2026-11-30T09:00",
                            "2026-12-02T09:00", "2026-12-06T09:00"));
    request.ends_at = at("2026-11-30T09:00:00Z");  // Inclusive as well.
    EXPECT_EQ(times(request, "2026-11-01T00:00:00Z", 5).size(), 3U);
    request.ends_at = at("2026-11-30T08:59:59Z");
    EXPECT_EQ(times(request, "2026-11-01T00:00:00Z", 5).size(), 2U);
}

TEST(Schedule, IsStrictlyAfter)
{
    EXPECT_THAT(times(cron("0 9 * * *", "UTC"), "2026-11-18T09:00:00Z", 1),
                ElementsAre("2026-11-19T09:00"));
    EXPECT_THAT(times(cron("0 9 * * *", "UTC"), "2026-11-18T08:59:59.999Z", 1),
                ElementsAre("2026-11-18T09:00"));
}

TEST(Schedule, FiresOnceAtAnInstant)
{
    ScheduleRequest request{.at = at("2026-11-18T09:00:00.500Z"), .time_zone = "UTC"};
    EXPECT_THAT(times(request, "2026-11-01T00:00:00Z", 5), ElementsAre("2026-11-18T09:00"));
    EXPECT_THAT(times(request, "2026-11-18T09:00:00.500Z", 5), IsEmpty());
    EXPECT_THAT(times(request, "2026-11-01T00:00:00Z", 0), IsEmpty());
    const Schedule schedule = Schedule::make(request, zones()).value();
    EXPECT_TRUE(schedule.fires_after(at("2026-11-18T09:00:00Z")));
    const auto past = schedule.fires_after(at("2026-11-19T00:00:00Z"));
    ASSERT_FALSE(past);
    EXPECT_EQ(past.error().faults.at(0).where, "/at");
    EXPECT_EQ(past.error().faults.at(0).code, "never_fires");
}

TEST(Schedule, SaysIfItNeverFires)
{
    for (const char* pattern : {"0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 * 2 MON#5"}) {
        const Schedule schedule = Schedule::make(cron(pattern), zones()).value();
        const auto fires = schedule.fires_after(at("2026-11-18T00:00:00Z"));
        ASSERT_FALSE(fires) << pattern;
        EXPECT_EQ(fires.error().faults.at(0).where, "/cron");
        EXPECT_EQ(fires.error().faults.at(0).code, "never_fires");
    }
    const Schedule leap = Schedule::make(cron("0 0 29 2 *"), zones()).value();
    EXPECT_TRUE(leap.fires_after(at("2097-01-01T00:00:00Z")));
}

TEST(Schedule, ReportsAllFaultsAtOnce)
{
    EXPECT_THAT(faults_of({}), ElementsAre("/cron required", "/time_zone required"));
    EXPECT_THAT(faults_of({.cron = "60 * * * *", .time_zone = "Berlin", .every_weeks = 53}),
                ElementsAre("/every_weeks out_of_range", "/starts_at required",
                            "/cron invalid_cron", "/time_zone unknown_time_zone"));
    ScheduleRequest both = cron("0 9 * * *");
    both.at = at("2026-11-18T09:00:00Z");
    EXPECT_THAT(faults_of(both), ElementsAre("/cron not_allowed"));
    ScheduleRequest backwards = cron("0 9 * * *");
    backwards.starts_at = at("2026-11-18T09:00:00Z");
    backwards.ends_at = at("2026-11-18T08:00:00Z");
    EXPECT_THAT(faults_of(backwards), ElementsAre("/ends_at out_of_range"));
}

TEST(Schedule, EndsWithTheTimesThatCanBeTold)
{
    EXPECT_THAT(times(cron("0 0 1 1 *", "UTC"), "2259-06-01T00:00:00Z", 9),
                ElementsAre("2260-01-01T00:00", "2261-01-01T00:00"));
    const Schedule schedule = Schedule::make(cron("* * * * *"), zones()).value();
    EXPECT_FALSE(schedule.next(TimePoint::max()));
    EXPECT_TRUE(schedule.next(TimePoint::min()));
}

// A release needs microseconds for each; this is built without optimisation and with sanitizers.
TEST(Schedule, AnswersQuickly)
{
    for (const char* pattern : {"0 0 30 2 *", "0 0 29 2 *", "* 0-22 * * *", "0 9 * * FRI#L"}) {
        const Schedule schedule = Schedule::make(cron(pattern), zones()).value();
        const auto before = thread_time();
        for (int i = 0; i < 10; ++i) schedule.next(at("2027-03-28T00:30:00Z"));
        EXPECT_LT(thread_time() - before, std::chrono::milliseconds(500)) << pattern;
    }
}

}  // namespace
}  // namespace parley::schedule
