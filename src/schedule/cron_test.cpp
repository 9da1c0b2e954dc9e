#include "schedule/cron.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::schedule {
namespace {

using std::chrono::day;
using std::chrono::local_days;
using std::chrono::month;
using std::chrono::year;
using testing::HasSubstr;

std::string fault_of(std::string_view text)
{
    const auto cron = Cron::parse(text);
    return cron ? "none" : cron.error().message;
}

// The days of that month that the pattern has.
std::vector<unsigned> days_of(std::string_view text, int in_year, unsigned in_month)
{
    const Cron cron = Cron::parse(text).value();
    std::vector<unsigned> days;
    for (unsigned number = 1; number <= 31; ++number) {
        const auto date = year(in_year) / month(in_month) / day(number);
        if (date.ok() && cron.has_day(local_days(date))) days.push_back(number);
    }
    return days;
}

std::vector<int> minutes_of(const std::string& field)
{
    const Cron cron = Cron::parse(field + " * * * *").value();
    std::vector<int> minutes;
    for (int minute = 0; minute < 60; ++minute)
        if (cron.has_minute(minute)) minutes.push_back(minute);
    return minutes;
}

using Days = std::vector<unsigned>;
using Minutes = std::vector<int>;

TEST(Cron, ReadsNumbersRangesStepsAndLists)
{
    EXPECT_EQ(minutes_of("5"), Minutes({5}));
    EXPECT_EQ(minutes_of("05"), Minutes({5}));
    EXPECT_EQ(minutes_of("10-12"), Minutes({10, 11, 12}));
    EXPECT_EQ(minutes_of("*/25"), Minutes({0, 25, 50}));
    EXPECT_EQ(minutes_of("7-30/10"), Minutes({7, 17, 27}));
    EXPECT_EQ(minutes_of("59,1,1-2"), Minutes({1, 2, 59}));
    EXPECT_EQ(minutes_of("*").size(), 60U);
    EXPECT_EQ(minutes_of("*/59"), Minutes({0, 59}));
}

TEST(Cron, ReadsNamesWithoutCase)
{
    EXPECT_EQ(days_of("0 9 * jun mon-Wed", 2026, 6), days_of("0 9 * 6 1-3", 2026, 6));
    EXPECT_EQ(days_of("0 9 * DEC *", 2026, 11), Days());
}

TEST(Cron, HasTwoNumbersForSunday)
{
    const Days sundays{1, 8, 15, 22, 29};
    for (const char* text : {"0 9 * * 0", "0 9 * * 7", "0 9 * * SUN", "0 9 * * 7-7", "0 9 * * 0-0"})
        EXPECT_EQ(days_of(text, 2026, 11), sundays) << text;
    EXPECT_EQ(days_of("0 9 * * 5-7", 2026, 11).size(), 13U);
    EXPECT_EQ(days_of("0 9 * * */2", 2026, 11), days_of("0 9 * * SUN,TUE,THU,SAT", 2026, 11));
}

TEST(Cron, KnowsLastDaysAndCountedWeekdays)
{
    EXPECT_EQ(days_of("0 9 L * *", 2028, 2), Days({29}));
    EXPECT_EQ(days_of("0 9 L * *", 2100, 2), Days({28}));
    EXPECT_EQ(days_of("0 9 1,l * *", 2026, 11), Days({1, 30}));
    EXPECT_EQ(days_of("0 9 * * FRI#L", 2026, 11), Days({27}));
    EXPECT_EQ(days_of("0 9 * * MON#1", 2026, 11), Days({2}));
    EXPECT_EQ(days_of("0 9 * * 7#5", 2026, 11), Days({29}));
    EXPECT_EQ(days_of("0 9 * * FRI#5", 2026, 11), Days());
    EXPECT_EQ(days_of("0 9 * * tue#2,fri#l,WED", 2026, 11), Days({4, 10, 11, 18, 25, 27}));
}

TEST(Cron, TakesEitherDayIfBothAreRestricted)
{
    EXPECT_EQ(days_of("0 9 13 * FRI", 2026, 11), Days({6, 13, 20, 27}));
    EXPECT_EQ(days_of("0 9 14 * FRI", 2026, 11), Days({6, 13, 14, 20, 27}));
    EXPECT_EQ(days_of("0 9 */1 * FRI", 2026, 11).size(), 30U);  // Restricted, although by nothing.
    EXPECT_TRUE(Cron::parse("0 9 13 * FRI")->either_day_is_enough());
    EXPECT_FALSE(Cron::parse("0 9 13 * *")->either_day_is_enough());
    EXPECT_FALSE(Cron::parse("0 9 * * FRI")->either_day_is_enough());
}

TEST(Cron, JudgesEveryHourByValue)
{
    for (const char* text : {"0 * * * *", "0 0-23 * * *", "0 */1 * * *", "0 0-11,12-23 * * *"})
        EXPECT_TRUE(Cron::parse(text)->has_every_hour()) << text;
    EXPECT_FALSE(Cron::parse("0 1-23 * * *")->has_every_hour());
    EXPECT_FALSE(Cron::parse("0 */2 * * *")->has_every_hour());
}

TEST(Cron, ShowsHowToWriteARangeThatGoesOnAtTheBeginning)
{
    for (const auto& [text, hint] : {std::pair("* * * * FRI-SUN", "FRI-SAT,SUN"),
                                     {"* * * * sat-mon", "SAT,SUN-MON"},
                                     {"* * * NOV-FEB *", "NOV-DEC,JAN-FEB"},
                                     {"* 22-2 * * *", "22-23,0-2"}})
        EXPECT_NE(Cron::parse(text).error().message.find(hint), std::string::npos)
            << Cron::parse(text).error().message;
}

TEST(Cron, RefusesEverythingElse)
{
    for (const char* text : {"",
                             " ",
                             "@daily",
                             "* * * *",
                             "0 * * * * *",
                             "60 * * * *",
                             "*/0 * * * *",
                             "*/60 * * * *",
                             "5-1 * * * *",
                             "5/10 * * * *",
                             "-1 * * * *",
                             "1- * * * *",
                             "-5 * * * *",
                             "1-2-3 * * * *",
                             "1/2/3 * * * *",
                             "1,,2 * * * *",
                             ",1 * * * *",
                             "1, * * * *",
                             "+1 * * * *",
                             "001 * * * *",
                             "1.5 * * * *",
                             "0x1 * * * *",
                             "?* * * * *",
                             "? * * * *",
                             "** * * * *",
                             "*-5 * * * *",
                             "*/ * * * *",
                             "*/-1 * * * *",
                             "JAN * * * *",
                             "L * * * *",
                             "* 24 * * *",
                             "* */24 * * *",
                             "* * 0 * *",
                             "* * 32 * *",
                             "* * L-3 * *",
                             "* * LW * *",
                             "* * 15W * *",
                             "* * L/2 * *",
                             "* * 1#2 * *",
                             "* * ? * *",
                             "* * * 0 *",
                             "* * * 13 *",
                             "* * * JANUARY *",
                             "* * * NOV-FEB *",
                             "* * * MON *",
                             "* * * * 8",
                             "* * * * L",
                             "* * * * 5L",
                             "* * * * FRI#0",
                             "* * * * FRI#6",
                             "* * * * FRI#",
                             "* * * * #2",
                             "* * * * FRI#2#3",
                             "* * * * FRI#-1",
                             "* * * * MON-FRI#2",
                             "* * * * SAT-SUN",
                             "* * * * FRI#1-2",
                             "* * * * */2#1",
                             "* * * * *#1",
                             "*\n* * * *",
                             "* * * *\n*",
                             "٣ * * * *"})
        EXPECT_NE(fault_of(text), "none") << text;
}

TEST(Cron, NamesEveryFieldThatIsWrong)
{
    EXPECT_THAT(fault_of("60 * * * *"), HasSubstr("minute: \"60\" is not a number from 0 to 59"));
    EXPECT_THAT(fault_of("-1 * * * *"), HasSubstr("minute: \"-1\" is not a number from 0 to 59"));
    EXPECT_THAT(fault_of("0 0 L-1 * *"), HasSubstr("L stands alone; \"L-1\" is not supported"));
    EXPECT_THAT(fault_of("0 */0 * * *"), HasSubstr("hour: the step of \"*/0\""));
    EXPECT_THAT(fault_of("0 0 9-5 * *"), HasSubstr("day of month: \"9-5\" ends before it begins"));
    EXPECT_THAT(fault_of("0 0 * 13 *"), HasSubstr("month: "));
    EXPECT_THAT(fault_of("0 0 * * FRI#6"), HasSubstr("day of week: "));
    EXPECT_THAT(fault_of("0 0 * * FRX"), HasSubstr("or a name such as SUN"));
    EXPECT_THAT(fault_of("5/10 * * * *"), HasSubstr("no range such as 5-59"));
    EXPECT_THAT(fault_of("0 * * * * *"), HasSubstr("this has 6"));
    EXPECT_EQ(fault_of("60 24 * * *"),
              "minute: \"60\" is not a number from 0 to 59; "
              "hour: \"24\" is not a number from 0 to 23");
}

TEST(Cron, HasALimit)
{
    std::string list = "0";
    while (list.size() < 900) list += ",59";
    EXPECT_EQ(fault_of(list + " * * * *"), "none");
    EXPECT_THAT(fault_of(list + std::string(100, ' ') + " * * * *"), HasSubstr("1000 bytes"));
}

}  // namespace
}  // namespace parley::schedule
