#include "api/web_app.hpp"

#include "api/api.hpp"
#include "api/pipeline_for_tests.hpp"
#include "api/web_files.hpp"
#include "engine/models.hpp"
#include "store/sqlite/memory_store.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::api {
namespace {

using testing::HasSubstr;
using testing::Not;

class WebAppTest : public testing::Test {
protected:
    void SetUp() override
    {
        if (web_files().empty()) GTEST_SKIP() << "built without it";
    }

    // A file that browsers may cache forever.
    static std::string script()
    {
        for (const WebFile& file : web_files())
            if (file.name.ends_with(".js")) return "/app/" + std::string(file.name);
        return "";
    }

    std::unique_ptr<store::Store> store = store::make_memory_store();
    engine::Models models;
    WebApp app{.client_token = "plc_x", .contact = "", .version = "1.2.3", .note = ""};
    TestedPipeline tested{web_app_routes(), [this](Services& services) {
                              services.add(*store);
                              services.add(models);
                              services.add(app);
                          }};
};

TEST_F(WebAppTest, RunsNothingButItsOwnFiles)
{
    const auto page = tested.ask("GET", "/");
    ASSERT_EQ(page.status, 200);
    EXPECT_EQ(field_of(page, "Content-Type"), "text/html; charset=utf-8");
    const auto policy = field_of(page, "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'; script-src 'self';"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_THAT(policy, Not(HasSubstr("http")));
    EXPECT_THAT(page.body, Not(HasSubstr("://")));
    EXPECT_THAT(page.body, Not(HasSubstr("plc_")));
    EXPECT_EQ(field_of(page, "Cache-Control"), "no-cache");
}

TEST_F(WebAppTest, GivesOutEachFileInTheCodingThatIsTaken)
{
    const struct {
        std::string accepts, coding;
    } cases[] = {{"Accept-Encoding: gzip, br", "br"},
                 {"Accept-Encoding: gzip", "gzip"},
                 {"Accept-Encoding: br;q=0, gzip", "gzip"},
                 {"Accept-Encoding: identity", "(none)"},
                 {"Accept: */*", "(none)"}};
    std::vector<std::string> tags;
    for (const auto& [accepts, coding] : cases) {
        const auto file = tested.ask("GET", script(), {accepts});
        ASSERT_EQ(file.status, 200) << accepts;
        EXPECT_EQ(field_of(file, "Content-Encoding"), coding) << accepts;
        EXPECT_EQ(field_of(file, "Vary"), "Accept-Encoding");
        EXPECT_EQ(field_of(file, "Cache-Control"), "public, max-age=31536000, immutable");
        tags.push_back(field_of(file, "ETag"));
        const auto again =
            tested.ask("GET", script(), {accepts, "If-None-Match: " + field_of(file, "ETag")});
        EXPECT_EQ(again.status, 304) << accepts;
    }
    EXPECT_NE(tags[0], tags[1]);
    EXPECT_NE(tags[1], tags[3]);
}

TEST_F(WebAppTest, HasNoOtherFiles)
{
    for (const auto* path : {"/app/index.html", "/app/nothing.js", "/app/..%2f..%2fetc", "/app/"})
        EXPECT_EQ(tested.ask("GET", path).status, 404) << path;
}

TEST_F(WebAppTest, AsksTheStoreNoMoreOnceThereIsAnOperator)
{
    tested.ask("GET", "/app.json");
    EXPECT_FALSE(app.is_set_up);
    store::User olga{.id = "usr_1",
                     .username = "olga",
                     .name_key = "olga",
                     .display_name = "Olga",
                     .role = Role::operator_,
                     .created_at = {}};
    olga.password_hash = "some hash";  // An invited operator without a password does not count.
    ASSERT_TRUE(block_on(store->accounts().add_user(olga)));
    EXPECT_THAT(tested.ask("GET", "/app.json").body, HasSubstr(R"("needs_setup":false)"));
    EXPECT_TRUE(app.is_set_up);
    EXPECT_THAT(tested.ask("GET", "/app.json").body, HasSubstr(R"("needs_setup":false)"));
}

TEST_F(WebAppTest, TellsWhatTheAppMustKnow)
{
    const auto answer = tested.ask("GET", "/app.json");
    ASSERT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, R"({"client_token":"plc_x","contact":null,"needs_setup":true,)"
                           R"("default_model":"scripted","note":null,"demonstration_model":null,)"
                           R"("version":"1.2.3","login_provider":null})");
    EXPECT_EQ(field_of(answer, "Cache-Control"), "no-store");
}

// All that a first visit loads, compressed.
TEST_F(WebAppTest, IsSmall)
{
    const auto page = tested.ask("GET", "/");
    std::size_t size = 0;
    for (const WebFile& file : web_files())
        if (page.body.find(file.name) != std::string::npos) size += file.gzip.size();
    EXPECT_GT(size, 20'000U);
    EXPECT_LT(size, 150'000U);
}

}  // namespace
}  // namespace parley::api
