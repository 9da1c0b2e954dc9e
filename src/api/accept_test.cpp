#include "api/accept.hpp"

#include <gtest/gtest.h>

namespace parley::api {
namespace {

int preference_by(std::vector<std::string_view> accepts, std::string_view type)
{
    http::RequestHead head;
    for (const std::string_view accept : accepts) head.fields.push_back({"Accept", accept});
    return preference(head, type);
}

TEST(Accept, WantsEverythingWhereNothingIsSaid)
{
    EXPECT_EQ(preference_by({}, "text/html"), 1000);
    EXPECT_EQ(preference_by({""}, "text/html"), 1000);
    EXPECT_EQ(preference_by({" , ,"}, "text/html"), 1000);
}

TEST(Accept, ReadsWeights)
{
    EXPECT_EQ(preference_by({"text/html"}, "text/html"), 1000);
    EXPECT_EQ(preference_by({"text/html;q=0.5"}, "text/html"), 500);
    EXPECT_EQ(preference_by({"text/html ; Q=0.125"}, "text/html"), 125);
    EXPECT_EQ(preference_by({"text/html;q=1.000"}, "text/html"), 1000);
    EXPECT_EQ(preference_by({"text/html;q=0"}, "text/html"), 0);
    EXPECT_EQ(preference_by({"text/html;level=1;q=0.3"}, "text/html"), 300);
}

TEST(Accept, LetsTheMostSpecificRangeDecide)
{
    const std::string_view accept = "*/*;q=0.1, text/*;q=0.2, text/html;q=0.3";
    EXPECT_EQ(preference_by({accept}, "text/html"), 300);
    EXPECT_EQ(preference_by({accept}, "text/plain"), 200);
    EXPECT_EQ(preference_by({accept}, "application/json"), 100);
    EXPECT_EQ(preference_by({"text/html;q=0, */*"}, "text/html"), 0);
}

TEST(Accept, KnowsBrowsers)
{
    const std::string_view firefox =
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    EXPECT_EQ(preference_by({firefox}, "text/html"), 1000);
    EXPECT_EQ(preference_by({firefox}, "application/json"), 800);
}

TEST(Accept, ReadsSeveralFieldsAsOne)
{
    EXPECT_EQ(preference_by({"text/html", "application/json;q=0.7"}, "application/json"), 700);
}

TEST(Accept, ComparesWithoutCase)
{
    EXPECT_EQ(preference_by({"Text/HTML;q=0.4"}, "text/html"), 400);
    EXPECT_EQ(preference_by({"TEXT/*;q=0.4"}, "text/html"), 400);
}

TEST(Accept, DoesNotWantWhatIsNotNamed)
{
    EXPECT_EQ(preference_by({"image/png"}, "text/html"), 0);
    EXPECT_EQ(preference_by({"tex/*"}, "text/html"), 0);
    EXPECT_EQ(preference_by({"*"}, "text/html"), 0);
}

TEST(Accept, PassesOverWhatItCannotRead)
{
    for (const std::string_view weight : {"2", "1.5", "-1", "0.1234", ".5", "x", "", "01"}) {
        const std::string accept = "text/html;q=" + std::string(weight) + ", */*;q=0.6";
        EXPECT_EQ(preference_by({accept}, "text/html"), 600) << accept;
    }
}

TEST(Accept, KeepsSeparatorsInQuotesTogether)
{
    EXPECT_EQ(preference_by({R"(text/html;title="a, text/plain;q=1 \" ;";q=0.2)"}, "text/html"),
              200);
    EXPECT_EQ(preference_by({R"(text/html;title="a, text/plain)"}, "text/plain"), 0);
    EXPECT_EQ(preference_by({"text/html;title=\"a\\"}, "text/html"), 1000);
}

bool accepts(std::vector<std::string_view> codings)
{
    http::RequestHead head;
    for (const std::string_view each : codings) head.fields.push_back({"Accept-Encoding", each});
    return accepts_coding(head, "gzip");
}

TEST(Accept, KnowsWhichCodingsMayPass)
{
    EXPECT_TRUE(accepts({}));
    EXPECT_TRUE(accepts({"br, GZip;q=0.5"}));
    EXPECT_TRUE(accepts({"br", "gzip"}));
    EXPECT_TRUE(accepts({"*"}));
    EXPECT_TRUE(accepts({"gzip, *;q=0"}));
    EXPECT_FALSE(accepts({"br"}));
    EXPECT_FALSE(accepts({""}));
    EXPECT_FALSE(accepts({"gzip;q=0, *"}));
    EXPECT_FALSE(accepts({"gzip;q=nonsense"}));
}

bool prefers(std::vector<std::string_view> codings)
{
    http::RequestHead head;
    for (const std::string_view each : codings) head.fields.push_back({"Accept-Encoding", each});
    return prefers_gzip(head);
}

TEST(AcceptEncoding, PrefersWhatWeighsMore)
{
    EXPECT_TRUE(prefers({"gzip"}));
    EXPECT_TRUE(prefers({"gzip, deflate, br, zstd"}));
    EXPECT_TRUE(prefers({"GZip;q=0.001"})) << "the plain form is the last resort";
    EXPECT_TRUE(prefers({"*"}));
    EXPECT_TRUE(prefers({"br", "gzip;q=0.5"}));
    EXPECT_TRUE(prefers({"identity;q=0.5, gzip;q=0.5"}));
    EXPECT_TRUE(prefers({"identity;q=0, *;q=0.1"}));
    EXPECT_FALSE(prefers({})) << "a client that says nothing may know no coding";
    EXPECT_FALSE(prefers({""}));
    EXPECT_FALSE(prefers({"br"}));
    EXPECT_FALSE(prefers({"gzip;q=0"}));
    EXPECT_FALSE(prefers({"gzip;q=0.0, *"}));
    EXPECT_FALSE(prefers({"*;q=0"}));
    EXPECT_FALSE(prefers({"identity, gzip;q=0.5"}));
    EXPECT_FALSE(prefers({"gzip;q=nonsense"}));
    EXPECT_FALSE(prefers({"xgzip, gzipx"}));
}

}  // namespace
}  // namespace parley::api
