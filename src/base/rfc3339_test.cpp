#include "base/rfc3339.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

std::string read_back(std::string_view text)
{
    const auto time = parse_rfc3339(text);
    return time ? rfc3339(*time) : "nothing";
}

TEST(Rfc3339, ReadsWhatItsWriterWrites)
{
    for (const char* text : {"2026-01-31T09:30:00.000Z", "1970-01-01T00:00:00.001Z",
                             "2024-02-29T23:59:59.999Z", "1999-12-31T23:59:59.000Z"})
        EXPECT_EQ(read_back(text), text);
}

TEST(Rfc3339, ReadsOtherSpellings)
{
    EXPECT_EQ(read_back("2026-01-31t09:30:00z"), "2026-01-31T09:30:00.000Z");
    EXPECT_EQ(read_back("2026-01-31T09:30:00.5Z"), "2026-01-31T09:30:00.500Z");
    EXPECT_EQ(read_back("2026-01-31T09:30:00.123456789Z"), "2026-01-31T09:30:00.123Z");
    EXPECT_EQ(read_back("2026-01-31T10:30:00+01:00"), "2026-01-31T09:30:00.000Z");
    EXPECT_EQ(read_back("2026-01-30T22:00:00.000-11:30"), "2026-01-31T09:30:00.000Z");
    EXPECT_EQ(read_back("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z");
}

TEST(Rfc3339, RefusesWhatIsNoTime)
{
    for (const char* text :
         {"", "2026", "2026-01-31", "2026-01-31T09:30:00", "2026-01-31 09:30:00Z",
          "2026-02-30T09:30:00Z", "2026-13-01T09:30:00Z", "2026-00-01T09:30:00Z",
          "2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:30:61Z",
          "2026-01-31T09:30:00.Z", "2026-01-31T09:30:00Zx", "2026-01-31T09:30:00+24:00",
          "2026-01-31T09:30:00+0100", "-026-01-31T09:30:00Z", "9999-01-31T09:30:00Z",
          "2026-1-31T09:30:00Z", "+2026-01-31T09:30:00Z"})
        EXPECT_EQ(read_back(text), "nothing") << text;
}

}  // namespace
}  // namespace parley
