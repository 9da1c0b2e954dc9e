#include "store/sqlite/backup.hpp"

#include "base/block_on.hpp"
#include "store/sqlite/directory_for_tests.hpp"
#include "store/sqlite/opening.hpp"
#include "store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace parley::store::sqlite {
namespace {

class BackupTest : public testing::Test {
protected:
    static Result<> append(Store& store, int number)
    {
        return block_on(store.audit().append({.id = "evt_" + std::to_string(number),
                                              .at = TimePoint(),
                                              .actor = "a",
                                              .action = "b",
                                              .target = std::to_string(number),
                                              .address = std::string(500, 'x'),
                                              .request_id = "d"}));
    }
    std::vector<AuditEvent> events_in(const std::filesystem::path& file)
    {
        const auto opened = std::move(open_sqlite_store({.file = file})).value();
        return block_on(opened->audit().list(std::nullopt, 1'000'000)).value().items;
    }

    TestDirectory directory;
    std::unique_ptr<Store> store =
        std::move(open_sqlite_store({.file = directory / "parley.db"})).value();
};

TEST_F(BackupTest, HoldsAConsistentPrefixOfWhatIsWrittenMeanwhile)
{
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(append(*store, i));
    std::atomic<bool> over = false;
    std::thread writer([&] {
        for (int i = 300; !over; ++i) ASSERT_TRUE(append(*store, i));
    });
    for (int round = 0; round < 5; ++round) {
        const auto copy = directory / ("copy" + std::to_string(round)).c_str();
        const auto before =
            block_on(store->audit().list(std::nullopt, 1)).value().items.at(0).target;
        const auto size = block_on(store->back_up(copy));
        ASSERT_TRUE(size) << size.error().message;
        EXPECT_EQ(*size, std::filesystem::file_size(copy));
        ASSERT_TRUE(examine(copy));
        const auto events = events_in(copy);
        EXPECT_GE(static_cast<int>(events.size()), std::stoi(before) + 1);
        for (std::size_t i = 0; i < events.size(); ++i)
            ASSERT_EQ(events[i].target, std::to_string(events.size() - 1 - i));
    }
    over = true;
    writer.join();
}

TEST_F(BackupTest, IsOneFileThatOnlyItsOwnerCanRead)
{
    ASSERT_TRUE(block_on(store->back_up(directory / "copy.db")));
    struct stat about{};
    ASSERT_EQ(stat((directory / "copy.db").c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777U, 0600U);
    EXPECT_FALSE(std::filesystem::exists(directory / "copy.db-wal"));
}

TEST_F(BackupTest, LeavesAFileThatIsThereAlone)
{
    std::ofstream(directory / "copy.db") << "mine";
    EXPECT_EQ(block_on(store->back_up(directory / "copy.db")).error().code,
              Errc::storage_unavailable);
    EXPECT_EQ(std::filesystem::file_size(directory / "copy.db"), 4U);
    EXPECT_FALSE(block_on(store->back_up(directory / "no/such/copy.db")));
}

TEST_F(BackupTest, ComesBackByRestoring)
{
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(append(*store, i));
    ASSERT_TRUE(block_on(store->back_up(directory / "copy.db")));
    ASSERT_TRUE(restore_database(directory / "copy.db", directory / "new.db"));
    EXPECT_EQ(events_in(directory / "new.db").size(), 10U);
    // Over what is there, never.
    EXPECT_FALSE(restore_database(directory / "copy.db", directory / "new.db"));
}

TEST_F(BackupTest, IsExaminedBeforeItIsRestored)
{
    std::ofstream(directory / "bad.db") << std::string(10'000, '.');
    EXPECT_FALSE(restore_database(directory / "bad.db", directory / "new.db"));
    std::ofstream(directory / "empty.db").flush();
    EXPECT_FALSE(restore_database(directory / "empty.db", directory / "new.db"));
    EXPECT_FALSE(restore_database(directory / "missing.db", directory / "new.db"));
    EXPECT_FALSE(std::filesystem::exists(directory / "new.db"));
}

}  // namespace
}  // namespace parley::store::sqlite
