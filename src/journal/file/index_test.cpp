#include "journal/file/index.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <limits>

namespace parley::journal::file {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class IndexTest : public testing::Test {
protected:
    SegmentPtr segment(std::uint32_t number)
    {
        auto made = std::make_shared<Segment>(number, File(-1), 0);
        index.add_segment(made);
        return made;
    }
    Index::Placed placed(const RunName& run, std::uint32_t number, std::uint32_t offset = 0)
    {
        return {run, number, offset != 0 ? offset : number * 100};
    }
    void write(const SegmentPtr& to, const RunName& run, std::uint32_t number)
    {
        ASSERT_FALSE(index.claim(run, number, 1));
        const auto record = placed(run, number);
        index.settle(to, {&record, 1});
    }
    std::vector<std::uint32_t> numbers(const RunName& run, std::uint32_t after,
                                       std::size_t limit = 100)
    {
        std::vector<std::uint32_t> all;
        const auto places = index.find(run, after, limit);
        for (const auto& place : places.value()) {
            EXPECT_EQ(place.offset, place.number * 100);
            all.push_back(place.number);
        }
        return all;
    }
    std::vector<std::uint32_t> free_segments()
    {
        std::vector<std::uint32_t> all;
        for (const auto& each : index.take_free_segments()) all.push_back(each->number);
        return all;
    }

    Index index;
    const RunName a = *RunName::from("a");
    const RunName b = *RunName::from("b");
};

TEST_F(IndexTest, GivesOutNumbersWithoutAGap)
{
    EXPECT_EQ(index.claim(a, 2, 1), 1U);
    EXPECT_EQ(index.claim(a, 0, 1), 1U);
    EXPECT_EQ(index.claim(a, 1, 3), std::nullopt);
    EXPECT_EQ(index.claim(a, 3, 1), 4U);
    EXPECT_EQ(index.claim(a, 5, 1), 4U);
    EXPECT_EQ(index.claim(a, 4, 1), std::nullopt);
    EXPECT_EQ(index.claim(b, 1, 1), std::nullopt);
}

TEST_F(IndexTest, GivesANumberAgainAfterAFailedWrite)
{
    const auto one = segment(1);
    write(one, a, 1);
    EXPECT_FALSE(index.claim(a, 2, 5));
    EXPECT_FALSE(index.claim(b, 1, 1));
    index.give_up(a);
    index.give_up(b);
    EXPECT_EQ(index.claim(a, 2, 1), std::nullopt);
    EXPECT_EQ(index.run_count(), 1U);
}

TEST_F(IndexTest, NeverRunsOutOfNumbersInSilence)
{
    const auto last = std::numeric_limits<std::uint32_t>::max();
    EXPECT_TRUE(index.restore(segment(1), placed(a, last - 1)));
    EXPECT_EQ(index.claim(a, last, 2), last);
    EXPECT_EQ(index.claim(a, last, 1), std::nullopt);
    EXPECT_TRUE(index.claim(a, 0, 1));
    EXPECT_TRUE(index.claim(a, 1, 1));
}

TEST_F(IndexTest, ShowsNothingOfARunBeforeItsFirstWriteIsDone)
{
    segment(1);
    EXPECT_FALSE(index.claim(a, 1, 1));
    EXPECT_EQ(index.find(a, 0, 10), std::nullopt);
    EXPECT_THAT(index.runs(), IsEmpty());
}

TEST_F(IndexTest, FindsEventsAcrossSegments)
{
    const auto one = segment(1);
    const auto two = segment(2);
    for (std::uint32_t number = 1; number <= 3; ++number) write(one, a, number);
    for (std::uint32_t number = 4; number <= 5; ++number) write(two, a, number);
    EXPECT_THAT(numbers(a, 0), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(numbers(a, 2), ElementsAre(3, 4, 5));
    EXPECT_THAT(numbers(a, 3), ElementsAre(4, 5));
    EXPECT_THAT(numbers(a, 1, 3), ElementsAre(2, 3, 4));
    EXPECT_THAT(numbers(a, 5), IsEmpty());
    EXPECT_THAT(numbers(a, 4'000'000'000), IsEmpty());
    EXPECT_EQ(index.find(a, 3, 1)->front().segment, two);
    EXPECT_EQ(index.find(b, 0, 10), std::nullopt);
}

TEST_F(IndexTest, FreesASegmentWithItsLastRun)
{
    const auto one = segment(1);
    const auto two = segment(2);
    write(one, a, 1);
    write(one, b, 1);
    write(two, b, 2);
    EXPECT_THAT(free_segments(), IsEmpty());
    EXPECT_TRUE(index.end(b));  // The second segment had no other events.
    EXPECT_TRUE(index.end(a));
    EXPECT_THAT(free_segments(), ElementsAre(1, 2));
    EXPECT_THAT(free_segments(), IsEmpty());
}

TEST_F(IndexTest, SaysWhenEndingARunFreesASegment)
{
    const auto one = segment(1);
    write(one, a, 1);
    write(one, b, 1);
    EXPECT_FALSE(index.end(a));
    EXPECT_FALSE(index.end(a));
    EXPECT_TRUE(index.end(b));
    EXPECT_FALSE(index.end(b));
}

TEST_F(IndexTest, LetsARunStayEndedWhoseWriteComesLate)
{
    const auto one = segment(1);
    EXPECT_FALSE(index.claim(a, 1, 1));
    index.end(a);
    const auto late = placed(a, 1);
    index.settle(one, {&late, 1});
    EXPECT_EQ(index.find(a, 0, 10), std::nullopt);
    EXPECT_THAT(free_segments(), ElementsAre(1));
}

TEST_F(IndexTest, KeepsWhatDamageHasLeftAndSaysSo)
{
    const auto one = segment(1);
    for (const std::uint32_t number : {1, 2, 5, 6})
        EXPECT_TRUE(index.restore(one, placed(a, number)));
    EXPECT_TRUE(index.restore(one, placed(b, 3)));
    EXPECT_FALSE(index.restore(one, placed(a, 6)));
    EXPECT_FALSE(index.restore(one, placed(a, 3)));
    EXPECT_FALSE(index.restore(one, placed(*RunName::from("zero"), 0)));

    for (const RunName& run : index.runs()) EXPECT_FALSE(index.state(run)->whole) << run.text();
    EXPECT_EQ(index.runs().size(), 2U);
    EXPECT_THAT(numbers(a, 2), ElementsAre(5, 6));
    EXPECT_THAT(numbers(b, 0), ElementsAre(3));
    EXPECT_EQ(index.claim(a, 7, 1), std::nullopt);  // A number that was sent is never reused.
    index.end(a);
    index.end(b);
    EXPECT_THAT(free_segments(), ElementsAre(1));
}

}  // namespace
}  // namespace parley::journal::file
