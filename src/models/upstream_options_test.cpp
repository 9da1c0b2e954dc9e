#include "models/upstream_options.hpp"

#include "app/folder_for_tests.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::models {
namespace {

using testing::HasSubstr;

ModelOptions upstream(std::string base_url)
{
    ModelOptions model;
    model.engine = "upstream";
    model.base_url = std::move(base_url);
    return model;
}

class UpstreamOptionsTest : public testing::Test {
protected:
    static std::string complaint(const ModelOptions& model)
    {
        const auto options = upstream_options("m", model, std::chrono::seconds(300));
        return options ? "" : options.error().message;
    }
    app::FolderForTests folder;
};

TEST_F(UpstreamOptionsTest, MakeAServer)
{
    ModelOptions model = upstream("https://example.org/x/v1/");
    model.context = 5000;
    model.times.silence = std::chrono::seconds(7);
    const auto options = upstream_options("m", model, std::chrono::seconds(100));
    ASSERT_TRUE(options) << options.error().message;
    ASSERT_EQ(options->servers.size(), 1U);
    EXPECT_EQ(options->servers[0].url.target(), "/x/v1/chat/completions");
    EXPECT_EQ(options->servers[0].url.host(), "example.org");
    EXPECT_EQ(options->servers[0].model, "m");
    EXPECT_TRUE(options->servers[0].key.empty());
    EXPECT_EQ(options->context, 5000);
    EXPECT_EQ(options->times.silence, std::chrono::seconds(7));
    EXPECT_EQ(options->run_timeout, std::chrono::seconds(100));
}

TEST_F(UpstreamOptionsTest, MatchListsByPlace)
{
    ModelOptions model = upstream("https://a/v1, https://b/v1,https://c/v1");
    model.upstream_model = "x,,z";
    model.api_key_file = "," + folder.file("key", "sk-b\n") + ",";
    ::setenv("TEST_UPSTREAM_KEY", "sk-c", 1);
    model.api_key_variable = ",, TEST_UPSTREAM_KEY";
    const auto options = upstream_options("m", model, std::chrono::seconds(300));
    ASSERT_TRUE(options) << options.error().message;
    ASSERT_EQ(options->servers.size(), 3U);
    const auto& first = options->servers[0];
    const auto& second = options->servers[1];
    const auto& third = options->servers[2];
    EXPECT_EQ(first.model + second.model + third.model, "xmz");
    EXPECT_TRUE(first.key.empty());
    EXPECT_TRUE(second.key.equals("sk-b"));
    EXPECT_TRUE(third.key.equals("sk-c"));
    model.upstream_model = "one";
    EXPECT_EQ(upstream_options("m", model, std::chrono::seconds(300))->servers[2].model, "one");
}

TEST_F(UpstreamOptionsTest, AreRefusedWhereTheyDoNotGoTogether)
{
    EXPECT_THAT(complaint(upstream("")), HasSubstr("needs the address"));
    EXPECT_THAT(complaint(upstream("https://a")), HasSubstr("does not end in /v1"));
    EXPECT_THAT(complaint(upstream("ftp://a/v1")), HasSubstr("models.m.base_url"));
    EXPECT_THAT(complaint(upstream("https://a/v1,")), HasSubstr("models.m.base_url"));
    EXPECT_THAT(complaint(upstream("https://u:p@a/v1")), testing::Not(HasSubstr("u:p")));
    ModelOptions model = upstream("https://a/v1,https://b/v1");
    model.upstream_model = "a,b,c";
    EXPECT_THAT(complaint(model), HasSubstr("models.m.upstream_model"));
    model.upstream_model = "";
    model.api_key_file = "one";
    EXPECT_THAT(complaint(model), HasSubstr("one key for each base_url"));
    model.api_key_file = "one,two";
    model.api_key_variable = ",TWO";
    EXPECT_THAT(complaint(model), HasSubstr("is also set"));
    ModelOptions scripted;
    scripted.base_url = "https://a/v1";
    EXPECT_FALSE(check_model("m", scripted));
}

TEST_F(UpstreamOptionsTest, SendNothingReadableOverANetwork)
{
    for (const char* local : {"http://127.0.0.1:1/v1", "http://localhost/v1", "http://[::1]/v1"})
        EXPECT_EQ(complaint(upstream(local)), "") << local;
    for (const char* far :
         {"http://example.org/v1", "http://10.0.0.1/v1", "http://localhost.x/v1"}) {
        ModelOptions model = upstream(far);
        EXPECT_THAT(complaint(model), HasSubstr("plain HTTP")) << far;
        model.allow_plain_http = true;
        EXPECT_EQ(complaint(model), "") << far;
    }
}

TEST_F(UpstreamOptionsTest, KeepKeysToThemselves)
{
    const auto with_key = [&](const std::string& file) {
        ModelOptions model = upstream("https://a/v1");
        model.api_key_file = file;
        return complaint(model);
    };
    EXPECT_EQ(with_key(folder.file("good", "sk-1\r\n")), "");
    EXPECT_EQ(with_key(folder.file("group", "sk-1", 0640)), "");
    EXPECT_THAT(with_key(folder.file("open", "sk-1", 0644)), HasSubstr("chmod o-rwx"));
    EXPECT_THAT(with_key((folder.path() / "none").string()), HasSubstr("no file"));
    EXPECT_THAT(with_key(folder.path().string()), HasSubstr("no file"));
    EXPECT_THAT(with_key(folder.file("empty", "")), HasSubstr("empty"));
    for (const char* bad : {"sk-secret\nsk-secret", "sk-secret here", "sk-secr\u00e9t", "\n"}) {
        EXPECT_THAT(with_key(folder.file("bad", bad)), HasSubstr("does not hold a key")) << bad;
        EXPECT_THAT(with_key(folder.file("bad", bad)), testing::Not(HasSubstr("secr")));
    }
    EXPECT_THAT(with_key(folder.file("long", std::string(5000, 'k'))), HasSubstr("key"));
    ModelOptions model = upstream("https://a/v1");
    model.api_key_variable = "TEST_NO_SUCH_KEY";
    EXPECT_THAT(complaint(model), HasSubstr("no variable \"TEST_NO_SUCH_KEY\""));
}

}  // namespace
}  // namespace parley::models
