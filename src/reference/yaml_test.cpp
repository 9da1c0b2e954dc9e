#include "reference/yaml.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

namespace parley::reference {
namespace {

std::string of(const char* json) { return yaml(boost::json::parse(json)); }

TEST(Yaml, WritesMapsAndListsAsBlocks)
{
    EXPECT_EQ(of(R"({"a":{"b":[1,true,null,"x"]},"c":[{"d":1,"e":2}]})"),
              "a:\n  b:\n    - 1\n    - true\n    - null\n    - \"x\"\n"
              "c:\n  -\n    d: 1\n    e: 2\n");
}

TEST(Yaml, WritesWhatIsEmptyInOnePiece)
{
    EXPECT_EQ(of(R"({"a":{},"b":[]})"), "a: {}\nb: []\n");
    EXPECT_EQ(of("[]"), "[]\n");
    EXPECT_EQ(of("\"x\""), "\"x\"\n");
    EXPECT_EQ(of("[0.7,1e3]"), "- 0.7\n- 1000\n");
}

TEST(Yaml, QuotesKeysThatCouldBeTakenForSomethingElse)
{
    EXPECT_EQ(of(R"({"200":1,"no":2,"Yes":3,"/v1/{a}":4,"$ref":5,"x-a":6,"":7})"),
              "\"200\": 1\n\"no\": 2\n\"Yes\": 3\n\"/v1/{a}\": 4\n\"$ref\": 5\nx-a: 6\n\"\": 7\n");
}

TEST(Yaml, QuotesTextsSoThatNoneIsTakenForSomethingElse)
{
    EXPECT_EQ(of(R"({"a":"yes","b":"1: 2 # 3","c":"two\nlines"})"),
              "a: \"yes\"\nb: \"1: 2 # 3\"\nc: \"two\\nlines\"\n");
}

}  // namespace
}  // namespace parley::reference
