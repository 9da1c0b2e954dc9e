// Failing writes. A limit on the size of files behaves like a full disk: a write is cut short, the
// next one fails, and later there is room again.
#include "journal/file/file_journal_for_tests.hpp"

#include <csignal>
#include <sys/resource.h>

namespace parley::journal::file {
namespace {

// Lowers a limit of this process during its lifetime.
class Lowered {
public:
    Lowered(int which, rlim_t to) : which_(which)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(which_, &before_);
        const rlimit now{to, before_.rlim_max};
        ::setrlimit(which_, &now);
    }
    Lowered(const Lowered&) = delete;
    Lowered& operator=(const Lowered&) = delete;
    ~Lowered() { ::setrlimit(which_, &before_); }

private:
    const int which_;
    rlimit before_{};
};

class FailureTest : public FileJournalTest {
protected:
    std::uint64_t file_size() const { return std::filesystem::file_size(files().at(0)); }
};

TEST_F(FailureTest, AFullDiskFailsTheAppendAndHealsByItself)
{
    open();
    ASSERT_TRUE(append("run", 1, "one"));
    const std::uint64_t good = file_size();
    {
        const Lowered disk(RLIMIT_FSIZE, good + 50);
        for (int attempt = 0; attempt < 3; ++attempt) {
            const auto failed = append("run", 2, std::string(100, 'x'));
            EXPECT_EQ(failed.error().code, Errc::storage_unavailable);
            EXPECT_EQ(failed.error().detail, "File too large");
            EXPECT_EQ(file_size(), good);  // The partial write was removed.
        }
        ASSERT_TRUE(append("run", 2, "two"));  // There is room for a small one.
        EXPECT_EQ(read("run"), Texts({"one", "two"}));
    }
    ASSERT_TRUE(append("run", 3, std::string(100, 'x')));
    EXPECT_EQ(journal->figures().failed_batches, 3U);
    EXPECT_EQ(journal->figures().bytes_on_disk, file_size());
    open();
    EXPECT_EQ(read("run"), Texts({"one", "two", std::string(100, 'x')}));
}

TEST_F(FailureTest, SeveralFramesAreJournalledAllOrNone)
{
    open();
    ASSERT_TRUE(append("run", 1, "one"));
    const std::vector<Frame> frames(4, frame(std::string(30, 'x')));
    {
        const Lowered disk(RLIMIT_FSIZE, file_size() + 120);  // Room for two of them.
        EXPECT_EQ(wait_for(journal->append("run", 2, frames)).error().code,
                  Errc::storage_unavailable);
        EXPECT_EQ(read("run").size(), 1U);
    }
    open();
    EXPECT_EQ(read("run").size(), 1U);
    ASSERT_TRUE(wait_for(journal->append("run", 2, frames)));
    EXPECT_EQ(read("run").size(), 5U);
}

TEST_F(FailureTest, ARunWhoseFirstEventFailedIsNotThere)
{
    open();
    ASSERT_TRUE(append("other", 1, "one"));
    {
        const Lowered disk(RLIMIT_FSIZE, file_size());
        EXPECT_FALSE(append("run", 1, "x"));
    }
    EXPECT_EQ(wait_for(journal->read("run", 0, 100)).error().code, Errc::not_found);
    EXPECT_EQ(journal->figures().runs, 1U);
    ASSERT_TRUE(append("run", 1, "x"));
}

TEST_F(FailureTest, ASegmentThatCannotBeBegunIsTriedAgain)
{
    open({.segment_size = 50});
    ASSERT_TRUE(append("run", 1, std::string(50, 'x')));
    {
        const Lowered descriptors(RLIMIT_NOFILE, 0);
        const auto failed = append("run", 2, "two");
        EXPECT_EQ(failed.error().code, Errc::storage_unavailable);
        EXPECT_EQ(failed.error().detail, "Too many open files");
    }
    ASSERT_TRUE(append("run", 2, "two"));
    EXPECT_EQ(read("run").size(), 2U);
}

TEST_F(FailureTest, AFreshSegmentThatTakesNothingIsUsedLater)
{
    open();
    {
        const Lowered disk(RLIMIT_FSIZE, 7);  // Too small even for the header.
        EXPECT_FALSE(append("run", 1, "x"));
        EXPECT_EQ(file_size(), 0U);
        EXPECT_FALSE(append("run", 1, "x"));
    }
    ASSERT_TRUE(append("run", 1, "x"));
    EXPECT_EQ(files().size(), 1U);
    open();
    EXPECT_EQ(read("run"), Texts({"x"}));
}

TEST_F(FailureTest, WhatTheDiskHasSpoiledIsNotHandedOut)
{
    open();
    ASSERT_TRUE(append("run", 1, "one"));
    ASSERT_TRUE(append("run", 2, "two"));
    std::fstream(files().at(0), std::ios::in | std::ios::out).seekp(-1, std::ios::end) << 'x';
    EXPECT_EQ(wait_for(journal->read("run", 1, 100)).error().code, Errc::storage_unavailable);
    EXPECT_EQ(wait_for(journal->read("run", 0, 100)).value().size(), 1U);
    std::filesystem::resize_file(files().at(0), file_size() - 1);
    EXPECT_EQ(wait_for(journal->read("run", 1, 100)).error().code, Errc::storage_unavailable);
}

}  // namespace
}  // namespace parley::journal::file
