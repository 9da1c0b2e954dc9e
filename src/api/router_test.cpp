#include "api/router.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

Route row(std::string method, std::string path)
{
    return {.method = std::move(method), .path = std::move(path), .summary = {}};
}

class RouterTest : public testing::Test {
protected:
    const std::vector<Route> table{
        row("GET", "/"),
        row("GET", "/things"),
        row("POST", "/things"),
        row("GET", "/things/{id}"),
        row("DELETE", "/things/{id}"),
        row("GET", "/things/new"),
        row("POST", "/things/{id}/parts/{part}"),
        row("PUT", "/things/new/cover"),
    };
    const Router router{table};

    // "GET /things/{id} id=7", or the code of the refusal, or "options".
    std::string find(std::string_view method, std::string_view path) const
    {
        const auto found = router.find(method, path);
        if (found.refusal) {
            switch (found.refusal->code) {
                case Errc::not_found:
                    return "not found";
                case Errc::method_not_allowed:
                    return "not allowed";
                case Errc::not_implemented:
                    return "not implemented";
                case Errc::invalid_request:
                    return "invalid";
                default:
                    return "?";
            }
        }
        if (!found.row) return "options";
        std::string text = table[*found.row].method + " " + table[*found.row].path;
        for (const auto& parameter : found.parameters)
            text += " " + parameter.name + "=" + parameter.value;
        return text;
    }
};

TEST_F(RouterTest, FindsRows)
{
    EXPECT_EQ(find("GET", "/"), "GET /");
    EXPECT_EQ(find("GET", "/things"), "GET /things");
    EXPECT_EQ(find("POST", "/things"), "POST /things");
    EXPECT_EQ(find("GET", "/things/7"), "GET /things/{id} id=7");
    EXPECT_EQ(find("POST", "/things/7/parts/b"), "POST /things/{id}/parts/{part} id=7 part=b");
}

TEST_F(RouterTest, PrefersWhatIsWrittenAndComesBackFromIt)
{
    EXPECT_EQ(find("GET", "/things/new"), "GET /things/new");
    EXPECT_EQ(find("PUT", "/things/new/cover"), "PUT /things/new/cover");
    EXPECT_EQ(find("POST", "/things/new/parts/b"), "POST /things/{id}/parts/{part} id=new part=b");
}

TEST_F(RouterTest, DecodesParameters)
{
    EXPECT_EQ(find("GET", "/things/a%20b+c"), "GET /things/{id} id=a b+c");
    EXPECT_EQ(find("GET", "/things/a%2Fparts%2Fb"), "GET /things/{id} id=a/parts/b");
    EXPECT_EQ(find("GET", "/%74hings"), "GET /things");
}

TEST_F(RouterTest, RefusesMalformedEscapes)
{
    EXPECT_EQ(find("GET", "/things/%zz"), "invalid");
    EXPECT_EQ(find("GET", "/things/%ff"), "invalid");
}

TEST_F(RouterTest, FindsNothingElsewhere)
{
    for (const char* path :
         {"/thing", "/things/", "//things", "/things//", "/Things", "/things/7/parts",
          "/things/7/parts/b/c/d/e/f", "/things/7/parts/", "", "*", "things"})
        EXPECT_EQ(find("GET", path), "not found") << path;
}

TEST_F(RouterTest, DoesNotFollowDotsOrNul)
{
    for (const char* path : {"/things/..", "/things/.", "/things/%2e%2E", "/./things",
                             "/x/../things", "/things/a%00b", "/things/%00"})
        EXPECT_EQ(find("GET", path), "not found") << path;
    EXPECT_EQ(find("GET", "/things/..."), "GET /things/{id} id=...");
}

TEST_F(RouterTest, AnswersHeadByGet)
{
    EXPECT_EQ(find("HEAD", "/things/7"), "GET /things/{id} id=7");
    EXPECT_EQ(find("HEAD", "/things/7/parts/b"), "not allowed");
    EXPECT_EQ(find("HEAD", "/nothing"), "not found");
}

TEST_F(RouterTest, TellsWhichMethodsAPathTakes)
{
    EXPECT_EQ(find("PUT", "/things"), "not allowed");
    EXPECT_EQ(router.find("PUT", "/things").allow, "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(router.find("PATCH", "/things/7").allow, "GET, HEAD, DELETE, OPTIONS");
    EXPECT_EQ(router.find("GET", "/things/7/parts/b").allow, "POST, OPTIONS");
    EXPECT_EQ(router.find("GET", "/nothing").allow, "");
}

TEST_F(RouterTest, AnswersOptions)
{
    EXPECT_EQ(find("OPTIONS", "/things"), "options");
    EXPECT_EQ(router.find("OPTIONS", "/things").allow, "GET, HEAD, POST, OPTIONS");
    EXPECT_EQ(find("OPTIONS", "*"), "options");
    EXPECT_EQ(router.find("OPTIONS", "*").allow, "GET, HEAD, POST, PUT, DELETE, OPTIONS");
    EXPECT_EQ(find("OPTIONS", "/nothing"), "not found");
}

TEST_F(RouterTest, KnowsMethodsThatItDoesNotTake)
{
    EXPECT_EQ(find("TRACE", "/things"), "not allowed");
    EXPECT_EQ(find("TRACE", "/nothing"), "not found");
    EXPECT_EQ(find("CONNECT", "example.org:443"), "not allowed");
    EXPECT_EQ(router.find("CONNECT", "example.org:443").allow,
              "GET, HEAD, POST, PUT, DELETE, OPTIONS");
}

TEST_F(RouterTest, DoesNotKnowOtherMethods)
{
    for (const char* method : {"get", "BREW", "GETT", "PROPFIND", ""}) {
        EXPECT_EQ(find(method, "/things"), "not implemented") << method;
        EXPECT_EQ(find(method, "/nothing"), "not implemented") << method;
    }
}

TEST(Router, RefusesTablesThatContradictThemselves)
{
    using Table = std::vector<Route>;
    EXPECT_THROW(Router(Table{row("GET", "/a"), row("GET", "/a")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("GET", "/{a}"), row("GET", "/{b}")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("GET", "/{a}"), row("PUT", "/{b}")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("HEAD", "/a")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("OPTIONS", "/a")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("TRACE", "/a")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("get", "/a")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("GET", "a")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("GET", "/%61")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("GET", "/a?b")}), std::logic_error);
    EXPECT_THROW(Router(Table{row("GET", "/café")}), std::logic_error);
}

}  // namespace
}  // namespace parley::api
