#include "app/settings.hpp"

#include "app/folder_for_tests.hpp"
#include "app/settings_text.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::app {
namespace {

using testing::HasSubstr;

std::string complaint_of_settings(std::string_view assignment)
{
    Settings settings;
    const auto done = set(settings, assignment);
    return done ? "" : done.error().message;
}

TEST(Settings, TakeValuesOfTheirType)
{
    Settings settings;
    EXPECT_TRUE(set(settings, "server.loops=4"));
    EXPECT_TRUE(set(settings, "server.allow_plain_http=true"));
    EXPECT_TRUE(set(settings, "server.cors_origins=https://a,https://b"));
    EXPECT_TRUE(set(settings, "server.public_url=https://x?a=b"));
    EXPECT_EQ(settings.loops, 4U);
    EXPECT_TRUE(settings.allow_plain_http);
    EXPECT_EQ(settings.pipeline.cors_origins, (std::vector<std::string>{"https://a", "https://b"}));
    EXPECT_EQ(settings.pipeline.public_url, "https://x?a=b");
    EXPECT_TRUE(set(settings, "server.cors_origins="));
    EXPECT_TRUE(settings.pipeline.cors_origins.empty());
}

TEST(Settings, SayWhatIsWrongWithAValue)
{
    EXPECT_EQ(complaint_of_settings("server.loops=many"),
              "server.loops: \"many\" is not a whole number from 0 to 256.");
    EXPECT_THAT(complaint_of_settings("server.loops=-1"), HasSubstr("from 0 to 256"));
    EXPECT_THAT(complaint_of_settings("server.loops=2x"), HasSubstr("whole number"));
    EXPECT_THAT(complaint_of_settings("server.loops="), HasSubstr("whole number"));
    EXPECT_THAT(complaint_of_settings("server.allow_plain_http=yes"), HasSubstr("true or false"));
    EXPECT_THAT(complaint_of_settings("log.level=loud"),
                HasSubstr("auto, debug, info, warn or error"));
    EXPECT_THAT(complaint_of_settings("server.loops"), HasSubstr("KEY=VALUE"));
    EXPECT_EQ(complaint_of_settings("models.a.threads=-1"),
              "models.a.threads: -1 is not a whole number from 0 to 512.");
    EXPECT_EQ(complaint_of_settings("models.a.threads=2"), "");
    EXPECT_EQ(complaint_of_settings("models.a.slots=257"),
              "models.a.slots: 257 is not a whole number from 0 to 256.");
    EXPECT_EQ(complaint_of_settings("models.a.gpu_layers=-2"),
              "models.a.gpu_layers: -2 is not a whole number from -1 to 10000.");
    EXPECT_EQ(complaint_of_settings("models.a.gpu_layers=-1"), "");
    EXPECT_EQ(complaint_of_settings("models.a.cache_mib=-1"),
              "models.a.cache_mib: -1 is not a whole number from 0 to 1048576.");
}

TEST(Settings, GuessWhatAnUnknownKeyWasMeantToBe)
{
    EXPECT_THAT(complaint_of_settings("server.lops=2"), HasSubstr("Did you mean server.loops?"));
    EXPECT_THAT(complaint_of_settings("weather=fine"), testing::Not(HasSubstr("Did you mean")));
    EXPECT_THAT(complaint_of_settings("weather=fine"), HasSubstr("--help-settings"));
}

TEST(Settings, RefuseWhatIsUnsafeOrImpossible)
{
    const auto refusal = [](auto change) {
        Settings settings;
        change(settings);
        const auto checked = check(settings);
        return checked ? "" : checked.error().message;
    };
    EXPECT_EQ(refusal([](Settings&) {}), "");
    EXPECT_THAT(refusal([](Settings& s) { s.listen = "0.0.0.0:80"; }), HasSubstr("Plain HTTP"));
    EXPECT_THAT(refusal([](Settings& s) { s.listen = "[::]:80"; }), HasSubstr("Plain HTTP"));
    EXPECT_EQ(refusal([](Settings& s) { s.listen = "[::1]:80"; }), "");
    EXPECT_EQ(refusal([](Settings& s) {
                  s.listen = "0.0.0.0:80";
                  s.allow_plain_http = true;
              }),
              "");
    EXPECT_EQ(refusal([](Settings& s) {
                  s.listen = "0.0.0.0:443";
                  s.tls.certificate = s.tls.key = "x.pem";
              }),
              "");
    EXPECT_THAT(refusal([](Settings& s) { s.tls.certificate = "x.pem"; }), HasSubstr("both"));
    EXPECT_THAT(refusal([](Settings& s) { s.listen = "8080"; }), HasSubstr("127.0.0.1:8080"));
    EXPECT_THAT(refusal([](Settings& s) { s.pipeline.cors_origins = {"*", "example.org"}; }),
                HasSubstr("\"example.org\" is not an origin"));
    EXPECT_THAT(refusal([](Settings& s) { s.metrics_listen = "x"; }), HasSubstr("or off"));
    EXPECT_EQ(refusal([](Settings& s) { s.metrics_listen = "off"; }), "");
    EXPECT_EQ(refusal([](Settings& s) { s.logins.refresh = s.logins.access; }), "");
    EXPECT_THAT(
        refusal([](Settings& s) { s.logins.refresh = s.logins.access - std::chrono::seconds(1); }),
        HasSubstr("auth.access_ttl_s must not be above auth.refresh_ttl_s"));
}

TEST(Settings, AreAllDocumented)
{
    const Settings defaults;
    for (const auto& setting : all_settings()) {
        EXPECT_TRUE(setting.meaning.ends_with('.')) << setting.key;
        EXPECT_FALSE(setting.form.empty()) << setting.key;
        EXPECT_FALSE(to_toml(setting.get(defaults)).empty()) << setting.key;
    }
}

TEST(Settings, TakeTheirOwnDefaults)
{
    const Settings defaults;
    for (const auto& setting : all_settings()) {
        Settings settings;
        EXPECT_TRUE(put(settings, setting, setting.get(defaults))) << setting.key;
    }
}

TEST(Settings, ReachTheOptionsOfTheRooms)
{
    Settings settings;
    EXPECT_TRUE(set(settings, "server.max_body_mib=3"));
    EXPECT_TRUE(set(settings, "runs.timeout_s=7"));
    EXPECT_TRUE(set(settings, "automations.runs_keep_days=8"));
    EXPECT_TRUE(set(settings, "events.keep_days=5"));
    EXPECT_TRUE(set(settings, "webhooks.max_per_user=1"));
    EXPECT_TRUE(set(settings, "webhooks.max_concurrent=2"));
    EXPECT_TRUE(set(settings, "limits.auth_address=9"));
    EXPECT_TRUE(set(settings, "log.level=error"));
    EXPECT_TRUE(set(settings, "models.a.cache_mib=2"));
    EXPECT_EQ(settings.pipeline.max_body, std::size_t{3} << 20U);
    EXPECT_EQ(settings.runs.timeout, std::chrono::seconds(7));
    EXPECT_EQ(settings.automations.rows_keep, std::chrono::days(8));
    EXPECT_EQ(settings.events_keep, std::chrono::days(5));
    EXPECT_EQ(settings.webhooks.max_per_user, 1U);
    EXPECT_EQ(settings.webhooks.max_concurrent, 2U);
    EXPECT_EQ(settings.limits.auth_address, 9U);
    EXPECT_EQ(settings.log.level, log::Level::error);
    EXPECT_EQ(settings.models.named["a"].llama.memory.cache, std::uint64_t{2} << 20U);
    EXPECT_TRUE(set(settings, "limits.auth_address=0"));
    EXPECT_TRUE(set(settings, "log.level=auto"));
    EXPECT_EQ(settings.limits.auth_address, std::nullopt);
    EXPECT_EQ(settings.log.level, std::nullopt);
}

TEST(Settings, ReadBackEveryValueThatTheyTake)
{
    Settings settings;
    for (const auto* group : {&all_settings(), &settings_of_model("a")})
        for (const auto& setting : *group) {
            if (!std::holds_alternative<std::int64_t>(setting.get(settings))) continue;
            EXPECT_TRUE(put(settings, setting, std::int64_t{17})) << setting.key;
            EXPECT_EQ(setting.get(settings), SettingValue(std::int64_t{17})) << setting.key;
        }
}

TEST(Settings, StayAsTheyWereWhenAValueIsRefused)
{
    Settings settings;
    EXPECT_FALSE(set(settings, "server.loops=1000"));
    EXPECT_FALSE(set(settings, "server.cors_origins=https://a,nonsense"));
    EXPECT_EQ(settings.loops, 0U);
    EXPECT_TRUE(settings.pipeline.cors_origins.empty());
}

TEST(Settings, TakeTheLastAndTheFirstNumberOfARange)
{
    EXPECT_EQ(complaint_of_settings("server.loops=256"), "");
    EXPECT_EQ(complaint_of_settings("server.loops=0"), "");
    EXPECT_NE(complaint_of_settings("server.loops=257"), "");
    EXPECT_NE(complaint_of_settings("server.max_connections=0"), "");
    EXPECT_NE(complaint_of_settings("server.loops=99999999999999999999"), "");
}

TEST(Settings, ReadListsWithBlanksAndEmptyParts)
{
    Settings settings;
    EXPECT_TRUE(set(settings, "server.cors_origins= https://a , ,https://b,"));
    EXPECT_EQ(settings.pipeline.cors_origins, (std::vector<std::string>{"https://a", "https://b"}));
}

TEST(Settings, TakeNoControlCharacters)
{
    using namespace std::string_view_literals;
    EXPECT_THAT(complaint_of_settings("server.tls_key=a\nb"), HasSubstr("control characters"));
    EXPECT_THAT(complaint_of_settings("server.tls_key=a\0b"sv), HasSubstr("control characters"));
    EXPECT_THAT(complaint_of_settings("server.contact=\x7f"), HasSubstr("control characters"));
    EXPECT_EQ(complaint_of_settings("server.contact=Zo\u00eb"), "");
    EXPECT_THAT(complaint_of_settings("log.lev\nel=info"), testing::Not(HasSubstr("\n")));
}

TEST(Settings, RefuseAKeyThatEveryUserCanReach)
{
    const FolderForTests folder;
    const auto refusal = [&](unsigned mode) {
        Settings settings;
        settings.tls.certificate = "x.pem";
        settings.tls.key = folder.file("key.pem", "key", mode);
        const auto checked = check(settings);
        return checked ? "" : checked.error().message;
    };
    EXPECT_THAT(refusal(0644), HasSubstr("chmod o-rwx"));
    EXPECT_THAT(refusal(0604), HasSubstr("chmod o-rwx"));
    EXPECT_THAT(refusal(0602), HasSubstr("chmod o-rwx"));
    EXPECT_EQ(refusal(0640), "");  // As Debian has it for the group ssl-cert.
    EXPECT_EQ(refusal(0600), "");
}

TEST(Settings, AreShownAsToml)
{
    EXPECT_EQ(to_toml(std::string("a\"b\\")), R"("a\"b\\")");
    EXPECT_EQ(to_toml(std::int64_t{-5}), "-5");
    EXPECT_EQ(to_toml(true), "true");
    EXPECT_EQ(to_toml(std::vector<std::string>{"a", "b"}), R"(["a", "b"])");
    EXPECT_EQ(to_toml(std::vector<std::string>{}), "[]");
}

}  // namespace
}  // namespace parley::app
