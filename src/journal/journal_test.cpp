#include "journal/journal_for_tests.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace parley::journal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST_F(JournalTest, GivesBackWhatWasAppended)
{
    open();
    const std::string odd("\0\n\xff", 3);
    ASSERT_TRUE(append("run_a", 1, "first"));
    ASSERT_TRUE(append("run_b", 1, odd));
    ASSERT_TRUE(append("run_a", 2, ""));
    EXPECT_EQ(read("run_a"), Texts({"first", ""}));
    EXPECT_EQ(read("run_b"), Texts({odd}));
    EXPECT_THAT(last_numbers(), ElementsAre(Pair("run_a", 2), Pair("run_b", 1)));
    open();
    EXPECT_EQ(read("run_a"), Texts({"first", ""}));
    EXPECT_EQ(read("run_b"), Texts({odd}));
}

TEST_F(JournalTest, IsForItsOwnerAlone)
{
    std::filesystem::create_directory(folder);
    ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
    const auto mask = ::umask(0);
    open();
    ASSERT_TRUE(append("run", 1, "private"));
    ::umask(mask);
    using std::filesystem::perms;
    EXPECT_EQ(std::filesystem::status(folder).permissions(), perms::owner_all);
    EXPECT_EQ(std::filesystem::status(files().at(0)).permissions(),
              perms::owner_read | perms::owner_write);
}

TEST_F(JournalTest, BelongsToOneProcessAtATime)
{
    open();
    EXPECT_THAT(Journal::open(folder).error().message, HasSubstr("is in use"));
    journal.reset();
    EXPECT_TRUE(Journal::open(folder));
}

TEST_F(JournalTest, SaysWhyItCannotBeOpened)
{
    EXPECT_THAT(Journal::open(root / "no" / "journal").error().message,
                HasSubstr("No such file or directory"));
    write_file(root / "file", "");
    EXPECT_THAT(Journal::open(root / "file").error().message, HasSubstr("Not a directory"));
}

TEST_F(JournalTest, TakesSeveralFramesTogether)
{
    open();
    const std::vector<Frame> frames{frame("one"), frame("two"), frame("three")};
    ASSERT_TRUE(wait_for(journal->append("run", 1, frames)));
    ASSERT_TRUE(append("run", 4, "four"));
    EXPECT_EQ(read("run"), Texts({"one", "two", "three", "four"}));
    EXPECT_EQ(journal->figures().batches, 2U);
    EXPECT_EQ(journal->figures().records, 4U);
}

TEST_F(JournalTest, RefusesNumbersThatRepeatOrLeaveAGap)
{
    open();
    EXPECT_EQ(append("run", 2, "x").error().code, Errc::internal);
    EXPECT_EQ(append("run", 0, "x").error().code, Errc::internal);
    ASSERT_TRUE(append("run", 1, "one"));
    EXPECT_EQ(append("run", 1, "x").error().code, Errc::internal);
    EXPECT_EQ(append("run", 3, "x").error().code, Errc::internal);
    EXPECT_THAT(append("run", 3, "x").error().detail, HasSubstr("3 came, 2 is next"));
    ASSERT_TRUE(append("run", 2, "two"));
    open();
    EXPECT_EQ(append("run", 2, "x").error().code, Errc::internal);
    ASSERT_TRUE(append("run", 3, "three"));
    EXPECT_EQ(read("run"), Texts({"one", "two", "three"}));
}

TEST_F(JournalTest, HoldsItsLimits)
{
    open({.max_frame = 100, .max_append = 250});
    EXPECT_EQ(append("", 1, "x").error().code, Errc::internal);
    EXPECT_EQ(append(std::string(41, 'r'), 1, "x").error().code, Errc::internal);
    EXPECT_EQ(append("run", 1, std::string(101, 'x')).error().code, Errc::internal);
    EXPECT_EQ(wait_for(journal->append("run", 1, Frame())).error().code, Errc::internal);
    EXPECT_EQ(wait_for(journal->append("run", 1, std::vector<Frame>())).error().code,
              Errc::internal);
    std::vector<Frame> frames(3, frame(std::string(84, 'x')));
    EXPECT_EQ(wait_for(journal->append("run", 1, frames)).error().code, Errc::internal);
    frames[0] = frame(std::string(82, 'x'));
    EXPECT_TRUE(wait_for(journal->append("run", 1, frames)));
    EXPECT_TRUE(append(std::string(40, 'r'), 1, std::string(100, 'x')));
}

TEST_F(JournalTest, TakesTheLargestFrameOfTheFormatAndNoLarger)
{
    open({.max_frame = 2 * max_frame_size});
    EXPECT_EQ(append("run", 1, std::string(max_frame_size + 1, 'x')).error().code, Errc::internal);
    ASSERT_TRUE(append("run", 1, std::string(max_frame_size, 'x')));
    ASSERT_TRUE(append("run", 2, "behind"));
    open();
    EXPECT_EQ(read("run"), Texts({std::string(max_frame_size, 'x'), "behind"}));
}

TEST_F(JournalTest, ReadsPageByPage)
{
    open();
    for (std::uint32_t number = 1; number <= 5; ++number)
        ASSERT_TRUE(append("run", number, std::string(40, static_cast<char>('0' + number))));
    const auto count = [&](std::uint32_t after, std::size_t max_bytes) {
        return wait_for(journal->read("run", after, max_bytes))->size();
    };
    EXPECT_EQ(count(0, 100), 2U);
    EXPECT_EQ(count(0, 80), 2U);
    EXPECT_EQ(count(0, 79), 1U);
    EXPECT_EQ(count(0, 0), 1U);  // Or nobody would ever get on.
    EXPECT_EQ(count(3, 1000), 2U);
    EXPECT_EQ(count(5, 1000), 0U);
    EXPECT_EQ(count(4'000'000'000, 1000), 0U);
    const auto page = wait_for(journal->read("run", 3, 1000));
    EXPECT_EQ(page->at(0).number, 4U);
    EXPECT_EQ(*page->at(0).frame, std::string(40, '4'));
}

TEST_F(JournalTest, ReadsRunsThatLieFarApartAndCloseTogether)
{
    open({.segment_size = 300'000});
    Texts sparse;
    std::uint32_t dense = 0;
    for (std::uint32_t number = 1; number <= 30; ++number) {
        sparse.emplace_back(number * 300, 's');
        ASSERT_TRUE(append("sparse", number, sparse.back()));
        std::vector<Frame> between(40, frame(std::string(500, 'd')));
        ASSERT_TRUE(wait_for(journal->append("dense", dense + 1, between)));
        dense += 40;
    }
    EXPECT_GT(files().size(), 1U);
    EXPECT_EQ(read("sparse", 0, 1'000'000), sparse);
    EXPECT_EQ(read("dense", 0, 1'000'000), Texts(1200, std::string(500, 'd')));
    // A page ends somewhere, however much is asked for.
    EXPECT_EQ(wait_for(journal->read("dense", 0, 100'000'000))->size(), 1024U);
}

TEST_F(JournalTest, DoesNotFindRunsThatItDoesNotHave)
{
    open();
    ASSERT_TRUE(append("run", 1, "x"));
    EXPECT_EQ(wait_for(journal->read("other", 0, 100)).error().code, Errc::not_found);
    EXPECT_EQ(wait_for(journal->read("", 0, 100)).error().code, Errc::not_found);
    journal->end("run");
    EXPECT_EQ(wait_for(journal->read("run", 0, 100)).error().code, Errc::not_found);
    EXPECT_THAT(journal->runs(), IsEmpty());
}

TEST_F(JournalTest, DeletesASegmentOnceAllItsRunsHaveEnded)
{
    open({.segment_size = 200});
    for (std::uint32_t number = 1; number <= 6; ++number) {
        ASSERT_TRUE(append("a", number, std::string(50, 'a')));
        if (number <= 3) ASSERT_TRUE(append("b", number, std::string(50, 'b')));
    }
    ASSERT_EQ(files().size(), 5U);
    journal->end("a");
    settle();
    EXPECT_EQ(read("b").size(), 3U);
    EXPECT_LT(files().size(), 5U);  // Those with a alone are gone.
    journal->end("b");
    journal->end("b");
    journal->end("never seen");
    settle();
    journal.reset();
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(JournalTest, LeavesNothingBehindWhenTheLastRunEnds)
{
    open();
    ASSERT_TRUE(append("a", 1, "secret"));
    ASSERT_TRUE(append("b", 1, "secret"));
    journal->end("b");
    EXPECT_EQ(read("a"), Texts({"secret"}));
    journal->end("a");
    ASSERT_TRUE(append("c", 1, "next"));
    settle();
    EXPECT_EQ(files().size(), 1U);
    EXPECT_EQ(read("c"), Texts({"next"}));
    EXPECT_EQ(journal->figures().segments, 1U);
    EXPECT_EQ(journal->figures().bytes_on_disk, std::filesystem::file_size(files().at(0)));
}

TEST_F(JournalTest, ForgetsAnEndedRunOnDiskToo)
{
    open();
    ASSERT_TRUE(append("a", 1, "x"));
    ASSERT_TRUE(append("b", 1, "x"));
    journal->end("a");
    EXPECT_EQ(append("a", 2, "x").error().code, Errc::internal);  // It would begin anew, with 1.
    open();
    EXPECT_THAT(last_numbers(), ElementsAre(Pair("a", 1), Pair("b", 1)));
    journal->end("a");  // As the app does, who asks the store.
    EXPECT_THAT(last_numbers(), ElementsAre(Pair("b", 1)));
}

TEST_F(JournalTest, GoesOnInTheSegmentItLeft)
{
    open();
    ASSERT_TRUE(append("a", 1, "x"));
    open();
    ASSERT_TRUE(append("a", 2, "y"));
    EXPECT_EQ(files().size(), 1U);
    open({.segment_size = 60});
    ASSERT_TRUE(append("a", 3, "z"));
    EXPECT_EQ(files().size(), 2U);
    EXPECT_EQ(read("a"), Texts({"x", "y", "z"}));
}

TEST_F(JournalTest, CountsWhatItDoes)
{
    open({.segment_size = 100});
    for (std::uint32_t number = 1; number <= 3; ++number)
        ASSERT_TRUE(append("run", number, std::string(50, 'x')));
    const Figures figures = journal->figures();
    std::uint64_t on_disk = 0;
    for (const auto& file : files()) on_disk += std::filesystem::file_size(file);
    EXPECT_EQ(figures.bytes_on_disk, on_disk);
    EXPECT_EQ(figures.bytes_written, on_disk);
    EXPECT_EQ(figures.segments, 3U);
    EXPECT_EQ(figures.runs, 1U);
    EXPECT_EQ(figures.records, 3U);
    EXPECT_EQ(figures.batches, 3U);
    EXPECT_EQ(figures.queued_bytes, 0U);
    EXPECT_EQ(figures.queued_appends, 0U);
    std::uint64_t timed = 0;
    for (const std::uint64_t count : figures.writes.counts) timed += count;
    EXPECT_EQ(timed, 3U);
    open();
    EXPECT_EQ(journal->figures().bytes_on_disk, on_disk);
    EXPECT_EQ(journal->figures().segments, 3U);
}

TEST(Durations, AreCountedByTheirBounds)
{
    Durations durations;
    durations.add(std::chrono::microseconds(10));
    durations.add(std::chrono::nanoseconds(10'001));
    durations.add(std::chrono::seconds(5));
    EXPECT_EQ(durations.counts[0], 1U);
    EXPECT_EQ(durations.counts[1], 1U);
    EXPECT_EQ(durations.counts.back(), 1U);
    EXPECT_EQ(durations.max, std::chrono::seconds(5));
    EXPECT_EQ(durations.sum, std::chrono::nanoseconds(5'000'020'001));
}

}  // namespace
}  // namespace parley::journal
