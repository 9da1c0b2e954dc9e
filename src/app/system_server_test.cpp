#include "app/system_server.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <unistd.h>

namespace parley::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(DataDirectoryPlace, IsTheFirstThatIsGiven)
{
    const SystemServer none{.data = "/nowhere", .config = {}};
    Environment environment;
    const auto found = [&](std::string_view option) {
        const auto place = find_data_directory(option, environment, none);
        return place ? place->string() : place.error().message;
    };
    EXPECT_THAT(found(""), HasSubstr("give --data DIR, or set PARLEY_DATA."));
    environment["HOME"] = "/home/a";
    EXPECT_EQ(found(""), "/home/a/.local/share/parley");
    environment["XDG_DATA_HOME"] = "relative/is/ignored";
    EXPECT_EQ(found(""), "/home/a/.local/share/parley");
    environment["XDG_DATA_HOME"] = "/xdg";
    EXPECT_EQ(found(""), "/xdg/parley");
    environment["PARLEY_DATA"] = "";
    EXPECT_EQ(found(""), "/xdg/parley");
    environment["PARLEY_DATA"] = "/srv/parley/";
    EXPECT_EQ(found(""), "/srv/parley");
    EXPECT_EQ(found("/a/./b/../c"), "/a/c");
    EXPECT_EQ(found("here"), (fs::current_path() / "here").string());
    environment.erase("HOME");
    EXPECT_EQ(found("/"), "/");
}

TEST(DataDirectoryPlace, IsThatOfTheSystemForItsOwner)
{
    const FolderForTests folder;
    const SystemServer system{.data = folder.path() / "system", .config = {}};
    const Environment environment{{"HOME", "/home/a"}};
    EXPECT_EQ(*find_data_directory("", environment, system), "/home/a/.local/share/parley");
    fs::create_directory(system.data);
    EXPECT_EQ(*find_data_directory("", environment, system), system.data);
    EXPECT_EQ(*find_data_directory("/other", environment, system), "/other");
    EXPECT_EQ(*find_data_directory("", {{"PARLEY_DATA", "/named"}}, system), "/named");
}

TEST(DataDirectoryPlace, IsRefusedToRootIfTheSystemsBelongsToAnotherUser)
{
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory to another user";
    const FolderForTests folder;
    const SystemServer system{.data = folder.path() / "system", .config = {}};
    fs::create_directory(system.data);
    ASSERT_EQ(chown(system.data.c_str(), 65534, 65534), 0);
    const Environment environment{{"HOME", "/root"}};
    const auto found = find_data_directory("", environment, system);
    ASSERT_FALSE(found);
    EXPECT_THAT(found.error().message, HasSubstr("run `sudo -u nobody parley …`"));
    EXPECT_EQ(*find_data_directory("/other", environment, system), "/other");
}

TEST(DefaultConfigFile, BelongsToTheDataDirectoryOfTheSystem)
{
    const FolderForTests folder;
    const SystemServer system{.data = "/var/lib/parley", .config = folder.path() / "parley.toml"};
    EXPECT_EQ(default_config_file(system.data, system), "") << "no such file";
    folder.file("parley.toml", "");
    EXPECT_EQ(default_config_file(system.data, system), system.config);
    EXPECT_EQ(default_config_file("/home/a/.local/share/parley", system), "");
}

}  // namespace
}  // namespace parley::app
