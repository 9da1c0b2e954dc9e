#include "api/html.hpp"
#include "api/pipeline_for_tests.hpp"
#include "reference/markdown.hpp"
#include "reference/problem_guide.hpp"
#include "reference/reference.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::reference {

using namespace api;
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* browser =
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

class ProblemPagesTest : public testing::Test {
protected:
    TestedPipeline tested{problem_routes()};
};

TEST_F(ProblemPagesTest, ExplainEveryProblemToPrograms)
{
    for (const Problem& problem : problems()) {
        const auto response = tested.ask("GET", "/problems/" + std::string(problem.code));
        ASSERT_EQ(response.status, 200);
        EXPECT_EQ(field_of(response, "Content-Type"), "application/json");
        const auto body = json_of(response);
        EXPECT_EQ(body.at("object"), "problem");
        EXPECT_EQ(body.at("code").as_string(), problem.code);
        EXPECT_EQ(body.at("status"), problem.status);
        EXPECT_EQ(body.at("title").as_string(), problem.title);
        EXPECT_EQ(body.at("explanation").as_string(), problem.explanation);
        EXPECT_FALSE(body.at("causes").as_array().empty());
        EXPECT_FALSE(body.at("remedy").as_string().empty());
        EXPECT_EQ(body.at("example").at("code").as_string(), problem.code);
        EXPECT_EQ(body.at("example").at("status"), problem.status);
    }
}

TEST_F(ProblemPagesTest, ExplainEveryProblemToPeople)
{
    for (const Problem& problem : problems()) {
        const auto response =
            tested.ask("GET", "/problems/" + std::string(problem.code), {browser});
        ASSERT_EQ(response.status, 200);
        EXPECT_EQ(field_of(response, "Content-Type"), "text/html; charset=utf-8");
        EXPECT_THAT(response.body, HasSubstr("<h1>" + escape_html(problem.title) + "</h1>"));
        EXPECT_THAT(response.body, HasSubstr(html_of_inline_markdown(problem.explanation)));
        EXPECT_THAT(response.body, HasSubstr(std::to_string(problem.status)));
        EXPECT_THAT(response.body, HasSubstr("<h2>Likely causes</h2>"));
        EXPECT_THAT(response.body, Not(HasSubstr("`")));
        EXPECT_THAT(response.body,
                    HasSubstr(html_of_inline_markdown(guide_to(problem.errc).remedy)));
        EXPECT_THAT(response.body, HasSubstr("<h2>Example</h2>"));
    }
}

TEST_F(ProblemPagesTest, ListAllProblems)
{
    const auto json = json_of(tested.ask("GET", "/problems"));
    EXPECT_EQ(json.at("object"), "list");
    EXPECT_EQ(json.at("data").as_array().size(), problems().size());
    EXPECT_EQ(json.at("has_more"), false);
    EXPECT_TRUE(json.at("next_cursor").is_null());

    const auto html = tested.ask("GET", "/problems", {browser});
    for (const Problem& problem : problems())
        EXPECT_THAT(html.body, HasSubstr("href=\"problems/" + std::string(problem.code) + "\""));
}

TEST_F(ProblemPagesTest, ComeInTheFormThatIsPreferred)
{
    const auto type = [&](const char* accept) {
        const auto response = tested.ask("GET", "/problems/not_found", {accept});
        EXPECT_EQ(field_of(response, "Vary"), "Accept, Accept-Encoding");
        return field_of(response, "Content-Type").substr(0, 9);
    };
    EXPECT_EQ(type("Accept: */*"), "applicati");
    EXPECT_EQ(type("Accept: application/json"), "applicati");
    EXPECT_EQ(type("Accept: application/problem+json"), "applicati");
    EXPECT_EQ(type("Accept: text/html, application/json"), "applicati");
    EXPECT_EQ(type("Accept: text/html;q=0.5, application/json;q=0.6"), "applicati");
    EXPECT_EQ(type("Accept: text/html;q=0.7, application/json;q=0.6"), "text/html");
    EXPECT_EQ(type("Accept: application/xhtml+xml, */*;q=0.1"), "text/html");
    EXPECT_EQ(type("Accept: text/*"), "text/html");
}

TEST_F(ProblemPagesTest, AreRefusedInOtherForms)
{
    for (const char* path : {"/problems", "/problems/not_found"}) {
        const auto response = tested.ask("GET", path, {"Accept: image/png"});
        EXPECT_EQ(response.status, 406);
        EXPECT_EQ(code_of(response), "not_acceptable");
    }
}

TEST_F(ProblemPagesTest, DoNotExistForOtherCodes)
{
    EXPECT_EQ(tested.ask("GET", "/problems/nothing").status, 404);
    EXPECT_EQ(tested.ask("GET", "/problems/").status, 404);
    EXPECT_EQ(tested.ask("GET", "/problems/%3Cscript%3E", {browser}).status, 404);
    EXPECT_THAT(tested.ask("GET", "/problems/%3Cscript%3E", {browser}).body,
                Not(HasSubstr("<script")));
}

TEST_F(ProblemPagesTest, LetTheBrowserLoadNothing)
{
    const auto response = tested.ask("GET", "/problems", {browser});
    const auto policy = field_of(response, "Content-Security-Policy");
    EXPECT_THAT(policy, HasSubstr("default-src 'none'; style-src 'sha256-"));
    EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
    EXPECT_THAT(response.body, Not(HasSubstr("http:")));
    EXPECT_THAT(response.body, Not(HasSubstr("src=")));
}

TEST(Html, EscapesEverythingThatCouldBeMarkup)
{
    EXPECT_EQ(escape_html("<a href=\"x\">'&'</a>"),
              "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
    EXPECT_THAT(html_page("<b>", "<p>content</p>"),
                testing::AllOf(HasSubstr("<title>&lt;b&gt;"), HasSubstr("<p>content</p>")));
}

}  // namespace
}  // namespace parley::reference
