#include "base/id.hpp"

#include "base/base62.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace parley {
namespace {

using namespace std::chrono_literals;

TEST(Base62, PutsTheMostSignificantDigitFirst)
{
    std::string text = "x";
    append_base62(text, 62 * 62 * 61 + 62 * 36 + 1, 6);
    EXPECT_EQ(text, "x000za1");
}

TEST(Base62, KeepsTheLastDigitsOfANumberThatIsTooLarge)
{
    std::string text;
    append_base62(text, 62 * 62 + 5, 2);
    EXPECT_EQ(text, "05");
}

TEST(Base62, HasTheOrderOfAscii)
{
    for (std::size_t i = 1; i < base62_alphabet.size(); ++i)
        EXPECT_LT(base62_alphabet[i - 1], base62_alphabet[i]);
}

TEST(Id, HasAPrefixAndFitsTheContract)
{
    const std::string id = new_id("req", ManualClock().now());
    EXPECT_EQ(id.size(), 4 + 8 + 18);
    EXPECT_TRUE(id.starts_with("req_"));
    EXPECT_EQ(id.find_first_not_of(base62_alphabet, 4), std::string::npos);
    EXPECT_EQ(new_id("thirteen_char", ManualClock().now()).size(), max_id_length);
}

TEST(Id, RefusesAPrefixThatWouldMakeItTooLong)
{
    EXPECT_THROW(new_id("fourteen_chars", ManualClock().now()), std::logic_error);
}

TEST(Id, SortsByTime)
{
    ManualClock clock;
    std::string last = new_id("msg", clock.now());
    for (const auto step : {1ms, 61ms, 62ms, 3844ms, 86400000ms, 31536000000ms}) {
        clock.advance(step);
        const std::string next = new_id("msg", clock.now());
        EXPECT_LT(last, next);
        last = next;
    }
}

TEST(Id, IsNeverMadeTwice)
{
    const TimePoint now = ManualClock().now();
    std::set<std::string> ids;
    for (int i = 0; i < 10000; ++i) ids.insert(new_id("run", now));
    EXPECT_EQ(ids.size(), 10000);
}

TEST(Id, CountsTimesBefore1970AsItsBeginning)
{
    EXPECT_TRUE(new_id("req", TimePoint(-1h)).starts_with("req_00000000"));
}

}  // namespace
}  // namespace parley
