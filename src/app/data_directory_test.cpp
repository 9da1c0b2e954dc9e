#include "app/data_directory.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace parley::app {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

unsigned mode_of(const fs::path& path)
{
    struct stat about{};
    return lstat(path.c_str(), &about) == 0 ? about.st_mode & 07777U : 0;
}

class DataDirectoryTest : public testing::Test {
protected:
    std::string refusal(const fs::path& directory) const
    {
        const auto opened = DataDirectory::open(directory);
        return opened ? "" : opened.error().message;
    }

    const FolderForTests folder;
    const fs::path place = folder.path() / "data";
};

TEST_F(DataDirectoryTest, IsMadeForThisUserAloneAndAllAboveIt)
{
    const mode_t before = umask(0);
    const auto deep = folder.path() / "a" / "b" / "data";
    const auto opened = DataDirectory::open(deep);
    umask(before);
    ASSERT_TRUE(opened) << opened.error().message;
    for (const auto& each : {deep, deep.parent_path(), deep.parent_path().parent_path()})
        EXPECT_EQ(mode_of(each), 0700U) << each;
    EXPECT_EQ(mode_of(opened->paths().lock()), 0600U);
    EXPECT_EQ(opened->paths().database(), deep / "parley.db");
}

TEST_F(DataDirectoryTest, IsNotSharedWithOtherUsers)
{
    for (const unsigned mode : {0701U, 0710U, 0704U, 0740U, 0750U, 0755U, 0777U, 0702U}) {
        fs::create_directories(place);
        fs::permissions(place, fs::perms(mode));
        EXPECT_THAT(refusal(place), HasSubstr("chmod 700 " + place.string())) << std::oct << mode;
        EXPECT_FALSE(check_privacy(place));
        EXPECT_FALSE(prepare_data_directory(place));
        EXPECT_FALSE(fs::exists(place / "lock")) << "it was written to";
    }
    fs::permissions(place, fs::perms(0700));
    EXPECT_EQ(refusal(place), "");
    EXPECT_TRUE(check_privacy(place));
    EXPECT_TRUE(prepare_data_directory(place));
    EXPECT_TRUE(prepare_data_directory(place / "new"));
    EXPECT_EQ(mode_of(place / "new"), 0700U);
}

TEST_F(DataDirectoryTest, BelongsToItsUser)
{
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
    fs::create_directories(place);
    fs::permissions(place, fs::perms(0700));
    ASSERT_EQ(chown(place.c_str(), 12345, 12345), 0);
    EXPECT_THAT(refusal(place), AllOf(HasSubstr("12345"), HasSubstr("as its owner")));
}

TEST_F(DataDirectoryTest, SaysWhyItCannotBeMade)
{
    const auto file = fs::path(folder.file("file", "text"));
    EXPECT_THAT(refusal(file), HasSubstr("a file is in its place"));
    EXPECT_THAT(refusal(file / "data"), HasSubstr("a file is in its place"));
    fs::create_symlink("nowhere", folder.path() / "dangling");
    EXPECT_THAT(refusal(folder.path() / "dangling"), HasSubstr("a file is in its place"));
    EXPECT_THAT(refusal("/proc/parley"), HasSubstr("cannot be created"));
    EXPECT_THAT(refusal(folder.path() / std::string(300, 'x')), HasSubstr("too long"));
}

TEST_F(DataDirectoryTest, MayBeALinkToADirectory)
{
    fs::create_directories(folder.path() / "real");
    fs::permissions(folder.path() / "real", fs::perms(0700));
    fs::create_symlink("real", place);
    EXPECT_EQ(refusal(place), "");
}

TEST_F(DataDirectoryTest, ServesOneAtATime)
{
    auto first = DataDirectory::open(place);
    ASSERT_TRUE(first);
    const std::string sentence = "Another Parley (process " + std::to_string(getpid()) + ") uses " +
                                 place.string() + "; stop it, or give another --data.";
    EXPECT_EQ(refusal(place), sentence);
    EXPECT_EQ(DataDirectory::open(place).error().code, Errc::conflict);

    DataDirectory moved = std::move(*first);
    EXPECT_EQ(refusal(place), sentence) << "moving it has lost the lock";
    {
        const DataDirectory gone = std::move(moved);
    }
    EXPECT_EQ(refusal(place), "");
}

TEST_F(DataDirectoryTest, TellsWhoHoldsItWithoutTakingIt)
{
    const DataPaths paths{place};
    EXPECT_FALSE(*holder_of(paths)) << "there is no directory";
    auto opened = DataDirectory::open(place);
    ASSERT_TRUE(opened);
    ASSERT_TRUE(opened->announce("127.0.0.1:8080"));
    auto holder = holder_of(paths);
    ASSERT_TRUE(holder && *holder);
    EXPECT_EQ((*holder)->pid, getpid());
    EXPECT_EQ((*holder)->address, "127.0.0.1:8080");
    EXPECT_EQ((*holder)->metrics_address, "");
    ASSERT_TRUE(opened->announce("http://127.0.0.1:8080", "http://127.0.0.1:9464"));
    holder = holder_of(paths);
    EXPECT_EQ((*holder)->address, "http://127.0.0.1:8080");
    EXPECT_EQ((*holder)->metrics_address, "http://127.0.0.1:9464");
    ASSERT_TRUE(opened->announce(""));
    EXPECT_EQ((*holder_of(paths))->address, "");

    {
        const DataDirectory gone = std::move(*opened);
    }
    EXPECT_FALSE(*holder_of(paths));
    EXPECT_TRUE(fs::exists(paths.lock())) << "a lock file that comes and goes locks nothing";
}

TEST_F(DataDirectoryTest, BelievesNothingThatStandsInTheLock)
{
    fs::create_directories(place);
    fs::permissions(place, fs::perms(0700));
    for (const std::string text : {"", "x", "99999999999999999999 a", "-5 \n", "12"}) {
        folder.file("data/lock", text);
        const int lock = open((place / "lock").c_str(), O_RDWR | O_CLOEXEC);
        struct flock wanted{};
        wanted.l_type = F_WRLCK;
        ASSERT_EQ(fcntl(lock, F_OFD_SETLK, &wanted), 0);
        EXPECT_THAT(refusal(place), AllOf(testing::StartsWith("Another Parley"),
                                          HasSubstr("stop it, or give another --data.")))
            << text;
        close(lock);
    }
}

TEST_F(DataDirectoryTest, IsFreeWhenItsProcessWasKilled)
{
    int ready[2];
    ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto held = DataDirectory::open(place);
        [[maybe_unused]] const auto told = write(ready[1], held ? "y" : "n", 1);
        pause();
        _exit(0);
    }
    char locked = 0;
    ASSERT_EQ(read(ready[0], &locked, 1), 1);
    EXPECT_EQ(locked, 'y');
    EXPECT_THAT(refusal(place), HasSubstr("process " + std::to_string(child)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(refusal(place), "");
    close(ready[0]);
    close(ready[1]);
}

TEST_F(DataDirectoryTest, WritesFilesForThisUserAlone)
{
    const mode_t before = umask(0);
    auto opened = DataDirectory::open(place);
    ASSERT_TRUE(opened);
    ASSERT_TRUE(opened->write_private("cli-token", "first\n"));
    EXPECT_EQ(mode_of(opened->paths().cli_token()), 0600U);
    EXPECT_EQ(*read_private(opened->paths().cli_token()), "first");
    fs::permissions(opened->paths().cli_token(), fs::perms(0644));
    ASSERT_TRUE(opened->write_private("cli-token", "second"));
    umask(before);
    EXPECT_EQ(mode_of(opened->paths().cli_token()), 0600U);
    EXPECT_EQ(*read_private(opened->paths().cli_token()), "second");

    ASSERT_TRUE(opened->remove("cli-token"));
    ASSERT_TRUE(opened->remove("cli-token"));
    EXPECT_EQ(read_private(opened->paths().cli_token()).error().code, Errc::not_found);
}

TEST_F(DataDirectoryTest, FollowsNoLinkWhereItWrites)
{
    auto opened = DataDirectory::open(place);
    ASSERT_TRUE(opened);
    const auto victim = folder.file("victim", "untouched");
    for (const char* name : {"cli-token", ".cli-token.new"})
        fs::create_symlink(victim, place / name);
    EXPECT_FALSE(read_private(opened->paths().cli_token())) << "it was read through a link";
    ASSERT_TRUE(opened->write_private("cli-token", "secret"));
    EXPECT_EQ(*read_private(victim), "untouched");
    EXPECT_EQ(*read_private(opened->paths().cli_token()), "secret");
    EXPECT_EQ(std::distance(fs::directory_iterator(place), {}), 2) << "lock and cli-token";
}

TEST_F(DataDirectoryTest, LeavesTheOldFileWhereTheNewOneCannotBeWritten)
{
    auto opened = DataDirectory::open(place);
    ASSERT_TRUE(opened);
    ASSERT_TRUE(opened->write_private("cli-token", "old"));
    fs::create_directories(place / ".cli-token.new" / "in the way");
    const auto written = opened->write_private("cli-token", "new");
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message, HasSubstr("cli-token cannot be written"));
    EXPECT_EQ(*read_private(opened->paths().cli_token()), "old");
}

}  // namespace
}  // namespace parley::app
