#include "api/backups.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace parley::api {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

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
    EXPECT_EQ(count_backups(folder), 2U);
    EXPECT_EQ(remove_old_backups(folder, now), 1U);
    EXPECT_EQ(count_backups(folder), 1U);
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(young) && fs::exists(other) && fs::exists(of_people));
}

TEST_F(BackupsTest, NoneAreInAFolderThatIsGone)
{
    EXPECT_EQ(remove_old_backups(folder / "nowhere", now), 0U);
    EXPECT_EQ(count_backups(folder / "nowhere"), 0U);
}

}  // namespace
}  // namespace parley::api
