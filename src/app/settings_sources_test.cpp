#include "app/settings_sources.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::app {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SettingSourcesTest : public testing::Test {
protected:
    std::string complaint() const
    {
        const auto loaded = load_settings(sources);
        return loaded ? "" : loaded.error().message;
    }

    const FolderForTests folder;
    SettingSources sources{.config_file = {},
                           .environment = {{"HOME", "/home/a"}},
                           .assignments = {},
                           .options = {},
                           .data = {}};
};

TEST_F(SettingSourcesTest, AreEachStrongerThanTheOneBefore)
{
    const auto level = [&] { return load_settings(sources)->settings.listen; };
    const auto from = [&] { return load_settings(sources)->from["server.listen"]; };
    EXPECT_EQ(level(), "127.0.0.1:8080");
    EXPECT_EQ(from(), "");
    sources.config_file = folder.file("p.toml", "server.listen = '127.0.0.1:1'");
    EXPECT_EQ(level(), "127.0.0.1:1");
    EXPECT_EQ(from(), sources.config_file + ":1");
    sources.environment["PARLEY_SERVER_LISTEN"] = "127.0.0.1:2";
    EXPECT_EQ(level(), "127.0.0.1:2");
    EXPECT_EQ(from(), "PARLEY_SERVER_LISTEN");
    sources.assignments = {"server.listen=127.0.0.1:3", "server.listen=127.0.0.1:4"};
    EXPECT_EQ(level(), "127.0.0.1:4");
    EXPECT_EQ(from(), "--set");
    sources.options = {{"--listen", "server.listen", "127.0.0.1:5"}};
    EXPECT_EQ(level(), "127.0.0.1:5");
    EXPECT_EQ(from(), "--listen");
}

TEST_F(SettingSourcesTest, AReplacedListIsNotMixedWithTheOldOne)
{
    sources.config_file = folder.file("p.toml", "server.cors_origins = ['https://a']");
    sources.environment["PARLEY_SERVER_CORS_ORIGINS"] = "https://b,https://c";
    EXPECT_EQ(load_settings(sources)->settings.pipeline.cors_origins,
              (std::vector<std::string>{"https://b", "https://c"}));
}

TEST_F(SettingSourcesTest, SayWhichOfThemIsWrong)
{
    sources.options = {{"--listen", "server.listen", "8080"}};
    EXPECT_THAT(complaint(), StartsWith("server.listen: \"8080\" is not"));
    sources.assignments = {"server.loops=x"};
    EXPECT_THAT(complaint(), StartsWith("server.loops: \"x\" is not"));
    sources.environment["PARLEY_SERVER_LOOPS"] = "";
    EXPECT_THAT(complaint(), StartsWith("PARLEY_SERVER_LOOPS: \"\" is not a whole number"));
    sources.environment["PARLEY_NONSENSE"] = "";
    EXPECT_THAT(complaint(), HasSubstr("PARLEY_NONSENSE"));
    sources.config_file = folder.file("p.toml", "server.lops = 1");
    EXPECT_THAT(complaint(), StartsWith(sources.config_file + ":1:8: "));
    sources.config_file = "/nowhere/p.toml";
    EXPECT_THAT(complaint(), HasSubstr("/nowhere/p.toml"));
}

TEST_F(SettingSourcesTest, ResolveTheDataDirectory)
{
    EXPECT_EQ(load_settings(sources)->settings.data, "/home/a/.local/share/parley");
    sources.data = "/srv/parley/";
    EXPECT_EQ(load_settings(sources)->settings.data, "/srv/parley");
    sources.data.clear();
    sources.environment.clear();
    EXPECT_THAT(complaint(), HasSubstr("--data DIR"));
}

TEST_F(SettingSourcesTest, AreShownAsAFileThatSaysTheSame)
{
    sources.assignments = {"server.contact=\"quoted\" \\ and Zoë", "server.loops=7",
                           "server.cors_origins=https://a,*"};
    sources.data = "/tmp/a b";
    const auto loaded = load_settings(sources);
    const std::string shown = shown_as_toml(*loaded);
    EXPECT_THAT(shown, HasSubstr("loops = 7  # --set\n"));
    EXPECT_THAT(shown, HasSubstr("level = \"auto\"  # default\n"));
    EXPECT_THAT(shown, HasSubstr("/tmp/a b"));

    Settings again;
    const auto read = read_config(again, shown, "p");
    ASSERT_TRUE(read) << read.error().message;
    for (const auto& setting : all_settings())
        EXPECT_EQ(setting.get(again), setting.get(loaded->settings)) << setting.key;
}

}  // namespace
}  // namespace parley::app
