#include "api/pipeline_for_tests.hpp"
#include "reference/embedded.hpp"
#include "reference/markdown.hpp"
#include "reference/reference.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::reference {

using namespace api;
namespace {

using testing::HasSubstr;
using testing::Not;

class DocsPagesTest : public testing::Test {
protected:
    TestedPipeline tested{docs_routes()};
};

TEST_F(DocsPagesTest, RunNoScriptButTheirOwn)
{
    const auto page = tested.ask("GET", "/docs");
    ASSERT_EQ(page.status, 200);
    EXPECT_EQ(field_of(page, "Content-Type"), "text/html; charset=utf-8");
    const auto policy = field_of(page, "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
    EXPECT_THAT(policy, Not(HasSubstr("http")));
    EXPECT_THAT(page.body, Not(HasSubstr("://")));
    if (!reference_script().empty()) {
        EXPECT_THAT(policy, HasSubstr("script-src 'self';"));
        EXPECT_THAT(page.body, HasSubstr("data-url=\"openapi.json\""));
    }
}

TEST_F(DocsPagesTest, GiveOutTheScriptCompressedAndForGood)
{
    if (reference_script().empty()) GTEST_SKIP() << "built without it";
    const auto script = tested.ask("GET", "/docs/reference.js?0123", {"Accept-Encoding: gzip, br"});
    ASSERT_EQ(script.status, 200);
    EXPECT_EQ(script.body, reference_script());
    EXPECT_TRUE(script.body.starts_with("\x1f\x8b"));
    EXPECT_EQ(field_of(script, "Content-Encoding"), "gzip");
    EXPECT_THAT(field_of(script, "Cache-Control"), HasSubstr("immutable"));
    EXPECT_EQ(tested.ask("GET", "/docs/reference.js", {"Accept-Encoding: gzip;q=0"}).status, 406);
    EXPECT_EQ(tested.ask("GET", "/docs/reference.js", {"Accept-Encoding: identity"}).status, 406);
}

TEST_F(DocsPagesTest, HaveAllGuides)
{
    const auto list = tested.ask("GET", "/docs/guides");
    for (const Guide& guide : guides()) {
        const std::string title = title_of_markdown(guide.markdown);
        ASSERT_FALSE(title.empty()) << guide.name;
        EXPECT_THAT(list.body, HasSubstr("href=\"guides/" + std::string(guide.name) + "\""));
        const auto page = tested.ask("GET", "/docs/guides/" + std::string(guide.name));
        ASSERT_EQ(page.status, 200);
        EXPECT_THAT(page.body, HasSubstr("<h1 id="));
        EXPECT_THAT(field_of(page, "Content-Security-Policy"), Not(HasSubstr("unsafe")));
    }
    EXPECT_EQ(tested.ask("GET", "/docs/guides/nothing").status, 404);
}

}  // namespace
}  // namespace parley::reference
