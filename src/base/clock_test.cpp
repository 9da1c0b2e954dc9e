#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

using namespace std::chrono_literals;

TimePoint at(std::chrono::year_month_day date, std::chrono::nanoseconds time = 0ns)
{
    return std::chrono::time_point_cast<TimePoint::duration>(std::chrono::sys_days(date) + time);
}

TEST(Clock, WritesTimesInUtcWithMilliseconds)
{
    using namespace std::chrono;
    EXPECT_EQ(rfc3339(at(2026y / January / 31, 9h + 30min)), "2026-01-31T09:30:00.000Z");
    EXPECT_EQ(rfc3339(at(2024y / February / 29, 23h + 59min + 59s + 7ms)),
              "2024-02-29T23:59:59.007Z");
    EXPECT_EQ(rfc3339(TimePoint()), "1970-01-01T00:00:00.000Z");
}

TEST(Clock, RoundsDownAlsoBefore1970)
{
    EXPECT_EQ(rfc3339(TimePoint(1ms + 999us)), "1970-01-01T00:00:00.001Z");
    EXPECT_EQ(rfc3339(TimePoint(-1us)), "1969-12-31T23:59:59.999Z");
}

TEST(Clock, AManualOneStandsStillUntilItIsMoved)
{
    ManualClock clock;
    EXPECT_EQ(rfc3339(clock.now()), "2026-01-31T09:30:00.000Z");
    const SteadyPoint before = clock.steady();
    clock.advance(90s);
    EXPECT_EQ(rfc3339(clock.now()), "2026-01-31T09:31:30.000Z");
    EXPECT_EQ(clock.steady() - before, 90s);
}

TEST(Clock, SettingTheTimeOfDayDoesNotMoveTheSteadyOne)
{
    ManualClock clock;
    const SteadyPoint before = clock.steady();
    clock.set(TimePoint());
    EXPECT_EQ(clock.now(), TimePoint());
    EXPECT_EQ(clock.steady(), before);
}

TEST(Clock, TheSystemsOneGoesOn)
{
    const SteadyPoint before = system_clock().steady();
    EXPECT_GE(system_clock().steady(), before);
    EXPECT_GT(system_clock().now(), ManualClock().now() - std::chrono::years(1));
}

}  // namespace
}  // namespace parley
