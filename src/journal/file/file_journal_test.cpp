#include "journal/contract_fixture.hpp"
#include "journal/file/file_journal_for_tests.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace parley::journal::file {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class FilesOnTrial final : public JournalOnTrial {
public:
    std::unique_ptr<Journal> open() override
    {
        auto opened = FileJournal::open(folder_.path() / "journal");
        EXPECT_TRUE(opened) << opened.error().message;
        return std::move(*opened);
    }

private:
    const TemporaryFolder folder_;
};

TEST_F(FileJournalTest, IsForItsOwnerAlone)
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

TEST_F(FileJournalTest, BelongsToOneProcessAtATime)
{
    open();
    EXPECT_THAT(FileJournal::open(folder).error().message, HasSubstr("is in use"));
    journal.reset();
    EXPECT_TRUE(FileJournal::open(folder));
}

TEST_F(FileJournalTest, SaysWhyItCannotBeOpened)
{
    EXPECT_THAT(FileJournal::open(root / "no" / "journal").error().message,
                HasSubstr("No such file or directory"));
    write_file(root / "file", "");
    EXPECT_THAT(FileJournal::open(root / "file").error().message, HasSubstr("Not a directory"));
}

TEST_F(FileJournalTest, WritesSeveralFramesTogether)
{
    open();
    const std::vector<Frame> frames{frame("one"), frame("two"), frame("three")};
    ASSERT_TRUE(wait_for(journal->append("run", 1, frames)));
    ASSERT_TRUE(append("run", 4, "four"));
    EXPECT_EQ(journal->figures().batches, 2U);
    EXPECT_EQ(journal->figures().records, 4U);
}

TEST_F(FileJournalTest, HoldsItsLimits)
{
    open({.max_frame = 100, .max_append = 250});
    EXPECT_EQ(append("run", 1, std::string(101, 'x')).error().code, Errc::internal);
    std::vector<Frame> frames(3, frame(std::string(84, 'x')));
    EXPECT_EQ(wait_for(journal->append("run", 1, frames)).error().code, Errc::internal);
    frames[0] = frame(std::string(82, 'x'));
    EXPECT_TRUE(wait_for(journal->append("run", 1, frames)));
    EXPECT_TRUE(append("other", 1, std::string(100, 'x')));
}

TEST_F(FileJournalTest, TakesTheLargestFrameOfTheFormatAndNoLarger)
{
    open({.max_frame = 2 * max_frame_size});
    EXPECT_EQ(append("run", 1, std::string(max_frame_size + 1, 'x')).error().code, Errc::internal);
    ASSERT_TRUE(append("run", 1, std::string(max_frame_size, 'x')));
    ASSERT_TRUE(append("run", 2, "behind"));
    open();
    EXPECT_EQ(read("run"), Texts({std::string(max_frame_size, 'x'), "behind"}));
}

TEST_F(FileJournalTest, ReadsRunsThatLieFarApartAndCloseTogether)
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
    // A page is limited, whatever size is requested.
    EXPECT_EQ(wait_for(journal->read("dense", 0, 100'000'000))->size(), 1024U);
}

TEST_F(FileJournalTest, DeletesASegmentOnceAllItsRunsHaveEnded)
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
    EXPECT_LT(files().size(), 5U);  // Those with only `a` are gone.
    journal->end("b");
    journal->end("b");
    journal->end("never seen");
    settle();
    journal.reset();
    EXPECT_THAT(files(), IsEmpty());
}

TEST_F(FileJournalTest, LeavesNothingBehindWhenTheLastRunEnds)
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

TEST_F(FileJournalTest, ForgetsAnEndedRunOnDiskToo)
{
    open();
    ASSERT_TRUE(append("a", 1, "x"));
    ASSERT_TRUE(append("b", 1, "x"));
    journal->end("a");
    EXPECT_EQ(append("a", 2, "x").error().code, Errc::internal);  // It would begin again with 1.
    open();
    EXPECT_THAT(last_numbers({"a", "b"}), ElementsAre(Pair("a", 1), Pair("b", 1)));
    journal->end("a");  // As the app does after asking the store.
    EXPECT_THAT(last_numbers({"a", "b"}), ElementsAre(Pair("b", 1)));
}

TEST_F(FileJournalTest, GoesOnInTheSegmentItLeft)
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

TEST_F(FileJournalTest, KeepsOnlyTheRunsThatHaveNotEnded)
{
    open();
    for (const auto* run : {"a", "b", "c"}) ASSERT_TRUE(append(run, 1, run));
    open();
    journal->keep_only(std::vector<std::string>{"b", "never seen"});
    EXPECT_THAT(last_numbers({"a", "b", "c", "never seen"}), ElementsAre(Pair("b", 1)));
    EXPECT_EQ(read("b"), Texts({"b"}));
    journal->keep_only({});
    EXPECT_EQ(journal->figures().runs, 0U);
    EXPECT_TRUE(append("a", 1, "anew"));
}

TEST_F(FileJournalTest, CountsWhatItDoes)
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

}  // namespace
}  // namespace parley::journal::file

std::unique_ptr<parley::journal::JournalOnTrial> parley::journal::journal_on_trial()
{
    return std::make_unique<file::FilesOnTrial>();
}
