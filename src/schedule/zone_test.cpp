#include "base/rfc3339.hpp"
#include "schedule/zones_for_tests.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>

namespace parley::schedule {
namespace {

using std::chrono::local_days;
using std::chrono::year;
using testing::HasSubstr;

TEST(Zones, KnowNamesAndLinks)
{
    for (const char* name : {"Europe/Berlin", "UTC", "EST5EDT", "Etc/GMT+5", "Asia/Calcutta",
                             "America/Argentina/Buenos_Aires", "Australia/Lord_Howe"})
        EXPECT_EQ(zones().find(name).value().name(), name);
}

TEST(Zones, RefuseEverythingElse)
{
    for (const char* name : {"",
                             "Berlin",
                             "+01:00",
                             "UTC+1",
                             "localtime",
                             "libc:localtime",
                             "posixrules",
                             "Factory",
                             "Fixed/UTC+01:00:00",
                             "../../etc/passwd",
                             "/etc/localtime",
                             "Europe/berlin",
                             "europe/Berlin",
                             "Europe/Berlin ",
                             "posix/Europe/Berlin",
                             "right/Europe/Berlin",
                             "Europe",
                             "tzdata.zi",
                             "zone.tab",
                             "Europe/../Europe/Berlin",
                             ":Europe/Berlin"})
        EXPECT_FALSE(zones().find(name)) << name;
    EXPECT_FALSE(zones().find(std::string("UTC\0", 4)));
    EXPECT_FALSE(zones().find(std::string(100'000, 'a')));
}

TEST(Zones, GuessWhatWasMeant)
{
    EXPECT_THAT(zones().find("Europe/berlin").error().message, HasSubstr("mean Europe/Berlin?"));
}

TEST(Zones, HaveAVersion)
{
    EXPECT_THAT(zones().version(), testing::MatchesRegex("20[0-9][0-9][a-z]+"));
}

TEST(Zones, AreAnErrorIfThereAreNone)
{
    const auto none = Zones::load("/nonexistent");
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("tzdata"));
}

TEST(Zones, AreUnknownIfTheirFileIsMissing)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "parley-zones";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "tzdata.zi") << "# version 2031x\nZ Moon/Base 1 - MBT\nL Moon/Base M\n";
    const Zones odd = Zones::load(folder).value();
    EXPECT_EQ(odd.version(), "2031x");
    EXPECT_THAT(odd.find("Moon/Base").error().message, HasSubstr("lacks its file"));
    EXPECT_THAT(odd.find("M").error().message, HasSubstr("lacks its file"));
    EXPECT_FALSE(odd.find("Europe/Berlin"));
    std::filesystem::remove_all(folder);
}

TEST(Zones, ComplainIfTheyAreMissingOrOld)
{
    const auto folder = std::filesystem::path(testing::TempDir()) / "parley-old-zones";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "tzdata.zi") << "# version 2024b\nZ Moon/Base 1 - MBT\n";
    const Zones old = Zones::load(folder).value();
    EXPECT_EQ(old.complaint(*parse_rfc3339("2026-12-31T23:59:59Z")), "");
    EXPECT_THAT(old.complaint(*parse_rfc3339("2027-01-01T00:00:00Z")),
                HasSubstr("2024b) is more than two years old"));
    std::ofstream(folder / "tzdata.zi") << "Z Moon/Base 1 - MBT\n";
    EXPECT_EQ(Zones::load(folder).value().complaint(*parse_rfc3339("2099-01-01T00:00:00Z")), "")
        << "without a version";
    EXPECT_THAT(Zones::none().complaint(TimePoint()), HasSubstr("no time zone database"));
    std::filesystem::remove_all(folder);
}

TEST(Zone, WritesLocalTimes)
{
    const Zone berlin = zones().find("Europe/Berlin").value();
    const TimePoint time = *parse_rfc3339("2027-03-28T01:30:00Z");
    EXPECT_EQ(berlin.text(time), "2027-03-28T03:30:00+02:00");
    EXPECT_EQ(berlin.date_text(time), "2027-03-28");
    EXPECT_EQ(berlin.time_text(time), "03:30");
    const Zone newfoundland = zones().find("America/St_Johns").value();
    EXPECT_EQ(newfoundland.text(time), "2027-03-27T23:00:00-02:30");
}

TEST(Zone, KnowsTheDaysOfClockChanges)
{
    const Zone berlin = zones().find("Europe/Berlin").value();
    EXPECT_EQ(berlin.offset_throughout(local_days(year(2027) / 3 / 27)), std::chrono::hours(1));
    EXPECT_EQ(berlin.offset_throughout(local_days(year(2027) / 3 / 28)), std::nullopt);
    EXPECT_EQ(berlin.offset_throughout(local_days(year(2027) / 3 / 29)), std::chrono::hours(2));
    EXPECT_EQ(berlin.offset_throughout(local_days(year(2038) / 7 / 1)), std::chrono::hours(2));
    EXPECT_EQ(berlin.offset_throughout(local_days(year(2145) / 7 / 1)), std::chrono::hours(2));
    const Zone cairo = zones().find("Africa/Cairo").value();  // Back to 23:00 at midnight.
    EXPECT_EQ(cairo.offset_throughout(local_days(year(2027) / 10 / 28)), std::nullopt);
}

}  // namespace
}  // namespace parley::schedule
