#include "cli/output.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace parley::cli {
namespace {

TEST(JsonLine, EscapesWhatATerminalObeys)
{
    const boost::json::object line{{"text", "a\u009b31m\x7f\x1b]0;t\u202e\u2066\u0085"}};
    EXPECT_EQ(json_line(line), R"({"text":"a\u009b31m\u007f\u001b]0;t\u202e\u2066\u0085"})");
}

TEST(JsonLine, IsTheSameJson)
{
    const boost::json::object line{
        {"text", "\u009b\x7f\u202e \"quoted\" C:\\temp\r\n\tGrüße 🦀 \u200f"},
        {"\u009b", boost::json::array{1, nullptr, "\u2069"}}};
    EXPECT_EQ(boost::json::parse(json_line(line)), boost::json::value(line));
}

TEST(JsonLine, LeavesOtherTextAndRepairsWhatIsNoUtf8)
{
    EXPECT_EQ(json_line({{"text", "Grüße 世界 🦀 👩‍💻"}}),
              R"({"text":"Grüße 世界 🦀 👩‍💻"})");
    EXPECT_EQ(json_line({{"file", "a\xff"}}), "{\"file\":\"a\uFFFD\"}");
}

}  // namespace
}  // namespace parley::cli
