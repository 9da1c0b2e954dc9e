#include "limits/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace parley::limits {
namespace {

using namespace std::chrono_literals;

// A ring of its own for a window to look at.
struct Ring {
    Ring(std::size_t limit, std::chrono::nanoseconds width) : stamps(limit), width(width) {}

    Window window() { return {stamps, oldest, width}; }
    bool ask(Moment now)
    {
        if (!window().has_room(now)) return false;
        window().admit(now);
        return true;
    }

    std::vector<Stamp> stamps;
    std::uint32_t oldest = 0;
    std::chrono::nanoseconds width;
};

TEST(Window, AdmitsNAtOnceAndThenNoMore)
{
    Ring ring(3, 60s);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(ring.ask(100s));
    EXPECT_FALSE(ring.ask(100s));
    EXPECT_EQ(ring.window().remaining(100s), 0U);
}

TEST(Window, FreesAnAdmissionExactlyOneWidthLater)
{
    Ring ring(1, 60s);
    EXPECT_TRUE(ring.ask(100s));
    EXPECT_FALSE(ring.ask(160s - 1ns));
    EXPECT_TRUE(ring.ask(160s));
}

TEST(Window, ReadsFreshMemoryAsNothingAdmitted)
{
    Ring ring(5, 60s);
    EXPECT_EQ(ring.window().remaining(0s), 5U);
    EXPECT_EQ(ring.window().remaining(-1000s), 5U);
    EXPECT_EQ(ring.window().until_one_more(0s), 0ns);
    EXPECT_EQ(ring.window().until_all(0s), 0ns);
    EXPECT_TRUE(ring.window().is_over(0s));
}

TEST(Window, WorksBeforeTheBeginningOfItsLineOfTime)
{
    Ring ring(2, 60s);
    EXPECT_TRUE(ring.ask(-50s));
    EXPECT_TRUE(ring.ask(-1ns));
    EXPECT_FALSE(ring.ask(9s));
    EXPECT_TRUE(ring.ask(10s));
}

TEST(Window, TellsWhenOneMoreAndWhenAllAreFree)
{
    Ring ring(3, 60s);
    ring.ask(100s);
    EXPECT_EQ(ring.window().until_one_more(100s), 60s);
    ring.ask(110s);
    EXPECT_EQ(ring.window().remaining(115s), 1U);
    EXPECT_EQ(ring.window().until_one_more(115s), 45s);
    EXPECT_EQ(ring.window().until_all(115s), 55s);
    EXPECT_EQ(ring.window().until_one_more(160s), 10s);
    EXPECT_EQ(ring.window().until_one_more(170s), 0s);
    EXPECT_FALSE(ring.window().is_over(170s - 1ns));
    EXPECT_TRUE(ring.window().is_over(170s));
}

TEST(Window, AdmitsNoMoreWhenTimeRunsBackwards)
{
    Ring ring(2, 60s);
    EXPECT_TRUE(ring.ask(100s));
    EXPECT_TRUE(ring.ask(40s));  // Recorded at 100 s, as if time had stood still.
    EXPECT_FALSE(ring.window().is_over(159s));
    EXPECT_EQ(ring.window().until_all(110s), 50s);
    EXPECT_FALSE(ring.ask(99s));
    EXPECT_FALSE(ring.ask(159s));
    EXPECT_EQ(ring.window().until_one_more(90s), 70s);
    EXPECT_TRUE(ring.ask(160s));
    EXPECT_TRUE(ring.ask(160s));
    EXPECT_FALSE(ring.ask(160s));
}

TEST(Window, ForgetsAll)
{
    Ring ring(2, 60s);
    ring.ask(100s);
    ring.ask(101s);
    ring.ask(161s);
    ring.window().forget_all();
    EXPECT_EQ(ring.window().remaining(161s), 2U);
    EXPECT_TRUE(ring.window().is_over(161s));
}

// The definition of a limit, as simple as possible.
struct Oracle {
    std::size_t limit;
    std::int64_t width;
    std::vector<std::int64_t> admitted = {};

    std::uint32_t remaining(std::int64_t now) const
    {
        std::size_t in_window = 0;
        for (const std::int64_t each : admitted) in_window += each > now - width && each <= now;
        return static_cast<std::uint32_t>(limit - in_window);
    }
    std::int64_t until_one_more(std::int64_t now) const
    {
        const std::uint32_t before = remaining(now);
        if (before == limit) return 0;
        std::int64_t wait = 1;
        while (remaining(now + wait) == before) ++wait;
        return wait;
    }
    std::size_t most_in_any_window() const
    {
        std::size_t most = 0;
        for (const std::int64_t begin : admitted)
            most = std::max(most, static_cast<std::size_t>(
                                      std::ranges::count_if(admitted, [&](std::int64_t each) {
                                          return each >= begin && each < begin + width;
                                      })));
        return most;
    }
};

// 100,000 patterns; PARLEY_PATTERNS sets another number for longer tests.
TEST(Window, AgreesWithTheOracleOnAnyPatternOfArrivals)
{
    const char* const wanted = std::getenv("PARLEY_PATTERNS");
    const long patterns = wanted != nullptr ? std::atol(wanted) : 100'000;
    std::mt19937_64 random(20260131);
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
    };
    for (long pattern = 0; pattern < patterns; ++pattern) {
        const bool large = pattern % 20 == 0;
        Oracle oracle{static_cast<std::size_t>(1 + below(large ? 40 : 5)), 1 + below(24)};
        Ring ring(oracle.limit, Moment(oracle.width));
        const std::int64_t most_gap =
            1 + below(2 * oracle.width / static_cast<int>(oracle.limit) + 2);
        std::int64_t now = below(100) - 50;
        for (std::int64_t arrivals = 4 + below(large ? 100 : 20); arrivals > 0; --arrivals) {
            now += below(most_gap + 1);
            const std::uint32_t remaining = oracle.remaining(now);
            ASSERT_EQ(ring.window().remaining(Moment(now)), remaining) << "pattern " << pattern;
            ASSERT_EQ(ring.window().until_one_more(Moment(now)).count(), oracle.until_one_more(now))
                << "pattern " << pattern;
            ASSERT_EQ(ring.ask(Moment(now)), remaining > 0) << "pattern " << pattern;
            if (remaining > 0) oracle.admitted.push_back(now);
        }
        ASSERT_LE(oracle.most_in_any_window(), oracle.limit) << "pattern " << pattern;
    }
}

}  // namespace
}  // namespace parley::limits
