#include "app/config_file.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace parley::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string complaint(std::string_view toml)
{
    Settings settings;
    const auto read = read_config(settings, toml, "p.toml");
    return read ? "" : read.error().message;
}

TEST(ConfigFile, SetsWhatItNamesAndSaysWhere)
{
    Settings settings;
    const auto places = read_config(settings, R"(# A comment.
server.loops = 3

[log]
level = "warn"

[store]
kind = "memory"
)",
                                    "p.toml");
    ASSERT_TRUE(places);
    EXPECT_EQ(settings.loops, 3U);
    EXPECT_EQ(settings.log.level, log::Level::warn);
    EXPECT_EQ(settings.store_kind, "memory");
    EXPECT_EQ(settings.listen, Settings().listen);
    EXPECT_EQ(*places, (Places{{"server.loops", "p.toml:2"},
                               {"log.level", "p.toml:5"},
                               {"store.kind", "p.toml:8"}}));
}

TEST(ConfigFile, MayBeWrittenInEveryWayOfToml)
{
    for (const char* toml : {"server.loops = 3", "[server]\nloops = 3", "server = {loops = 3}",
                             "\"server\".'loops' = 3", "[server]\nloops = 0x3",
                             "\xef\xbb\xbf[server]\r\nloops = 3\r\n"}) {
        Settings settings;
        ASSERT_TRUE(read_config(settings, toml, "p")) << toml;
        EXPECT_EQ(settings.loops, 3U) << toml;
    }
    EXPECT_EQ(complaint(""), "");
    EXPECT_EQ(complaint("[server]\n[log]\n"), "");
    EXPECT_EQ(complaint("server.cors_origins = [\n  'https://a',  # one\n  'https://b',\n]"), "");
}

TEST(ConfigFile, IsHeldToTheTypes)
{
    const struct {
        const char* toml;
        const char* told;
    } wrong[] = {
        {"server.loops = \"3\"",
         "p.toml:1:16: server.loops takes a whole number from 0 to 256, "
         "but this is text."},
        {"server.loops = 3.0", "a number with a point"},
        {"server.loops = true", "but this is true or false"},
        {"server.loops = [3]", "but this is a list"},
        {"server.loops = 2026-01-31", "a date or a time"},
        {"server.loops = 300", "p.toml:1:16: server.loops: 300 is not a whole number from 0 to"},
        {"server.allow_plain_http = \"true\"", "true or false, but this is text"},
        {"server.allow_plain_http = 1", "true or false, but this is a whole number"},
        {"server.listen = 8080", "an address and a port, but this is a whole number"},
        {"server.listen = \"8080\"", "p.toml:1:17: server.listen: \"8080\" is not an address"},
        {"server.cors_origins = \"https://a\"", "a list of origins, but this is text"},
        {"server.cors_origins = [\"https://a\", 5]", "p.toml:1:37: server.cors_origins takes"},
        {"server.cors_origins = [[\"https://a\"]]", "but this is a list"},
        {"log.level = \"loud\"", "auto, debug, info, warn or error"},
        {"server.tls_key = \"a\\u0000b\"", "control characters"},
        {"[server.loops]\n", "but this is a table"},
        {"[[server.loops]]\n", "but this is a list"},
    };
    for (const auto& [toml, told] : wrong) EXPECT_THAT(complaint(toml), HasSubstr(told)) << toml;
}

TEST(ConfigFile, GuessesWhatAnUnknownNameWasMeantToBe)
{
    EXPECT_THAT(complaint("[server]\n\nlops = 2\n"),
                AllOf(StartsWith("p.toml:3:1: "), HasSubstr("Did you mean server.loops?")));
    EXPECT_THAT(complaint("[sever]\nloops = 2\n"), HasSubstr("Did you mean [server]?"));
    EXPECT_THAT(complaint("[weather]\nsun = true\n"), Not(HasSubstr("Did you mean")));
    EXPECT_THAT(complaint("listen = \"127.0.0.1:1\"\n"), HasSubstr("no setting \"listen\""));
    EXPECT_THAT(complaint("server = 5\n"), HasSubstr("write [server]"));
    EXPECT_THAT(complaint("[[server]]\nloops = 5\n"), HasSubstr("write [server]"));
    EXPECT_THAT(complaint("[server.listen.port]\n"), HasSubstr("p.toml:1:"));
    EXPECT_THAT(complaint("[server.extra]\na = 1\n"), HasSubstr("\"server.extra\""));
    EXPECT_THAT(complaint("\"a\\nb\" = 1\n"), Not(HasSubstr("\n")));
    EXPECT_THAT(complaint("\"server.loops\" = 1\n"), HasSubstr("remove the quotes"));
}

TEST(ConfigFile, SaysWhereItIsNotToml)
{
    const struct {
        const char* toml;
        const char* where;
    } wrong[] = {
        {"[server\n", "p.toml:1:"},
        {"[server]\nloops 3\n", "p.toml:2:7: This is not TOML: expected '=', saw '3'."},
        {"[server]\nloops = 1\nloops = 2\n", "p.toml:3:"},
        {"[server]\nloops = 1\n[server]\n", "p.toml:3:"},
        {"[server]\nlisten = \"x\n", "p.toml:2:"},
        {"a = tru\n", "p.toml:1:"},
        {"a = \xff\n", "p.toml:1:"},
        {"a = \"\xc3\x28\"\n", "p.toml:1:"},
        {"server.loops = 99999999999999999999\n", "p.toml:1:"},
        {"\x01", "p.toml:1:"},
        {"{\"server\": {\"loops\": 1}}", "p.toml:1:"},
    };
    for (const auto& [toml, where] : wrong)
        EXPECT_THAT(complaint(toml),
                    AllOf(StartsWith(where), HasSubstr("not TOML: "), Not(HasSubstr("\n"))))
            << toml;
}

TEST(ConfigFile, ChangesNothingWhenItIsRefused)
{
    Settings settings;
    EXPECT_FALSE(read_config(settings, "log.level = \"warn\"\nserver.lops = 1\n", "p"));
    EXPECT_EQ(settings.log.level, std::nullopt);
}

TEST(ConfigFile, CannotExhaustTheStack)
{
    const auto deep = [](std::size_t levels) {
        std::string toml;
        for (std::size_t i = 0; i < levels; ++i) toml += "a.";
        return toml + "a = 1\n";
    };
    EXPECT_THAT(complaint(deep(10'000)), HasSubstr("no table \"a\""));
    EXPECT_THAT(complaint(deep(10'001)), HasSubstr("more dots"));
    EXPECT_THAT(complaint(deep(500'000)), HasSubstr("more dots"));
    EXPECT_THAT(complaint(std::string(100'000, '[')), HasSubstr("p.toml:1:"));
    EXPECT_THAT(complaint("a = " + std::string(100'000, '[')), HasSubstr("p.toml:1:"));
}

class ConfigFileOnDisk : public testing::Test {
protected:
    static std::string refusal(const std::string& file)
    {
        Settings settings;
        const auto read = read_config_file(settings, file);
        return read ? "" : read.error().message;
    }

    const FolderForTests folder;
};

TEST_F(ConfigFileOnDisk, IsRead)
{
    Settings settings;
    const auto file = folder.file("p.toml", "[server]\nloops = 5\n", 0644);
    const auto places = read_config_file(settings, file);
    ASSERT_TRUE(places);
    EXPECT_EQ(settings.loops, 5U);
    EXPECT_EQ(places->at("server.loops"), file + ":2");
}

TEST_F(ConfigFileOnDisk, MustBeAPlainFile)
{
    const auto fifo = folder.path() / "fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    EXPECT_THAT(refusal(fifo), HasSubstr("not a plain file"));
    EXPECT_THAT(refusal(folder.path()), HasSubstr("not a plain file"));
    EXPECT_THAT(refusal("/dev/null"), HasSubstr("not a plain file"));
    EXPECT_THAT(refusal(folder.path() / "missing"), HasSubstr("No such file"));
    EXPECT_THAT(refusal(folder.file("x", "") + "/y"), HasSubstr("cannot be read"));
}

TEST_F(ConfigFileOnDisk, HasALimit)
{
    const std::string comment(max_config_bytes, '#');
    EXPECT_EQ(refusal(folder.file("fits", comment)), "");
    EXPECT_THAT(refusal(folder.file("large", comment + "#")), HasSubstr("1 MiB"));
}

TEST_F(ConfigFileOnDisk, MustNotBeOpenToChangesByEveryUser)
{
    EXPECT_THAT(refusal(folder.file("a", "", 0602)), HasSubstr("chmod o-w"));
    EXPECT_THAT(refusal(folder.file("b", "", 0666)), HasSubstr("chmod o-w"));
    EXPECT_EQ(refusal(folder.file("c", "", 0664)), "");  // A group of one's own is common.
}

}  // namespace
}  // namespace parley::app
