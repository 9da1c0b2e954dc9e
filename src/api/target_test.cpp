#include "api/target.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::api {
namespace {

using testing::ElementsAre;

std::vector<std::string> segments(std::string_view path)
{
    return path_segments(path, 100).value();
}

std::vector<std::string> parameters(std::string_view query)
{
    std::vector<std::string> out;
    for (const auto& parameter : query_parameters(query).value())
        out.push_back(parameter.name + " is " + parameter.value);
    return out;
}

TEST(Target, SplitsAPathAtItsSlashes)
{
    EXPECT_THAT(segments("/"), ElementsAre(""));
    EXPECT_THAT(segments("/a"), ElementsAre("a"));
    EXPECT_THAT(segments("/a/b"), ElementsAre("a", "b"));
    EXPECT_THAT(segments("/a/"), ElementsAre("a", ""));
    EXPECT_THAT(segments("//a"), ElementsAre("", "a"));
}

TEST(Target, DecodesSegmentsAfterSplitting)
{
    EXPECT_THAT(segments("/a%2Fb/%c3%A9"), ElementsAre("a/b", "é"));
    EXPECT_THAT(segments("/a+b"), ElementsAre("a+b"));
    EXPECT_THAT(segments("/%00"), ElementsAre(std::string(1, '\0')));
}

TEST(Target, DoesNotTidyDotSegments)
{
    EXPECT_THAT(segments("/a/../%2e%2e/."), ElementsAre("a", "..", "..", "."));
}

TEST(Target, RefusesMalformedEscapes)
{
    for (const char* path : {"/%", "/%a", "/%zz", "/%0g", "/a%/b", "/%%41", "/%zz%80%80"}) {
        const auto read = path_segments(path, 100);
        ASSERT_FALSE(read) << path;
        EXPECT_EQ(read.error().code, Errc::invalid_request);
    }
    EXPECT_FALSE(percent_decode("%g0", Plus::itself));
    EXPECT_FALSE(percent_decode("%0g", Plus::itself));
    EXPECT_FALSE(query_parameters("a=%4"));
    EXPECT_FALSE(query_parameters("%=1"));
}

TEST(Target, RefusesWhatIsNotUtf8)
{
    EXPECT_FALSE(path_segments("/%ff", 100));
    EXPECT_FALSE(path_segments("/%c0%af", 100));  // An overlong slash.
    EXPECT_FALSE(query_parameters("a=%ed%a0%80"));
}

TEST(Target, StopsReadingAPathThatIsTooDeep)
{
    const std::string slashes(8000, '/');
    EXPECT_EQ(path_segments(slashes, 3)->size(), 4U);
}

TEST(Target, ReadsAQuery)
{
    EXPECT_THAT(parameters(""), ElementsAre());
    EXPECT_THAT(parameters("a=1&b=2"), ElementsAre("a is 1", "b is 2"));
    EXPECT_THAT(parameters("a&b="), ElementsAre("a is ", "b is "));
    EXPECT_THAT(parameters("&&a=1&"), ElementsAre("a is 1"));
    EXPECT_THAT(parameters("a=b=c"), ElementsAre("a is b=c"));
    EXPECT_THAT(parameters("q=a+b%2Bc%26d"), ElementsAre("q is a b+c&d"));
    EXPECT_THAT(parameters("a=1&a=2"), ElementsAre("a is 1", "a is 2"));
}

TEST(Target, TakesAHundredParametersAndNoMore)
{
    std::string query;
    for (std::size_t i = 0; i < max_query_parameters; ++i) query += "a=1&";
    EXPECT_EQ(query_parameters(query)->size(), max_query_parameters);
    const auto more = query_parameters(query + "b=2");
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().code, Errc::invalid_request);
}

TEST(Target, EncodesWhatItCanDecodeAgain)
{
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    EXPECT_EQ(percent_decode(percent_encode(all), Plus::itself), all);
    EXPECT_EQ(percent_decode(percent_encode(all), Plus::space), all);
    EXPECT_EQ(percent_encode("a b/ü~"), "a%20b%2F%C3%BC~");
}

TEST(AreaOf, GoesByTheDecodedSegments)
{
    for (const char* path : {"/v1/api", "/v1/api/", "/v1/api/me", "/%761/api/me", "/v%31/%61pi",
                             "/v1/api/%zz", "/v1/api/../x"})
        EXPECT_EQ(area_of(path), Area::api) << path;
    for (const char* path : {"/v1", "/v1/", "/%76%31", "/v1/models", "/v1//api", "/v1/apis",
                             "/v1/api%2Fme", "/v1/API", "/v1/%zz"})
        EXPECT_EQ(area_of(path), Area::openai) << path;
    for (const char* path : {"", "/", "*", "v1/api", "//v1/api", "/V1/api", "/v1;x/api",
                             "/v1%00/api", "/v1%2Fapi", "/./v1/api", "/%zz", "/v2/api", "host:1"})
        EXPECT_EQ(area_of(path), Area::outside) << path;
}

}  // namespace
}  // namespace parley::api
