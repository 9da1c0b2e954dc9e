#include "api/backup_places.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace parley::api {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class BackupsTest : public testing::Test {
protected:
    void SetUp() override
    {
        ASSERT_FALSE(fs::exists(folder)) << folder;
        fs::create_directory(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    fs::path made(const std::string& name, std::chrono::seconds age)
    {
        const fs::path file = folder / name;
        std::ofstream(file) << "data";
        fs::last_write_time(file, now - age);
        return file;
    }

    const fs::file_time_type now = fs::file_time_type::clock::now();
    const fs::path folder =
        fs::temp_directory_path() / ("parley-backups-" + std::to_string(getpid()));
};

TEST_F(BackupsTest, AreRemovedAfterADay)
{
    const fs::path old = made("backup_1.db", 24h + 1s);
    const fs::path young = made("backup_2.db", 24h - 1s);
    const fs::path other = made("parley.db", 48h);
    const fs::path of_people = made("backup of May.db", 48h);
    EXPECT_THAT(backups_in(folder), UnorderedElementsAre("backup_1.db", "backup_2.db"));
    remove_old_backups(folder, now);
    EXPECT_THAT(backups_in(folder), ElementsAre("backup_2.db"));
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(young) && fs::exists(other) && fs::exists(of_people));
}

TEST_F(BackupsTest, NoneAreInAFolderThatIsGone)
{
    remove_old_backups(folder / "nowhere", now);
    EXPECT_THAT(backups_in(folder / "nowhere"), IsEmpty());
}

TEST_F(BackupsTest, AreLimitedTogetherWithThoseThatAreBeingWritten)
{
    BackupPlaces places;
    made("backup_0.db", 1s);
    std::vector<Result<std::shared_ptr<void>>> taken;
    for (std::size_t i = 1; i < BackupPlaces::most; ++i)
        taken.push_back(places.take(folder / ("backup_" + std::to_string(i) + ".db")));
    for (const auto& each : taken) EXPECT_TRUE(each);
    EXPECT_EQ(places.take(folder / "backup_8.db").error().code, Errc::conflict);
    made("backup_1.db", 1s);  // Counts once.
    taken.pop_back();
    const auto last = places.take(folder / "backup_8.db");
    EXPECT_TRUE(last);
    EXPECT_FALSE(places.take(folder / "backup_9.db"));
}

}  // namespace
}  // namespace parley::api
