#include "schema/made_for_tests.hpp"

namespace parley::schema {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

bool fits(const std::string& schema, const std::string& text)
{
    return valid(*made(schema), text).has_value();
}

std::string rewritten(const std::string& schema, const std::string& text)
{
    const auto value = valid(*made(schema), text);
    return value ? compact(*made(schema), *value) : value.error().message;
}

TEST(SchemaValid, KnowsTypes)
{
    EXPECT_TRUE(fits(R"({"type":"integer"})", "1.0"));
    EXPECT_TRUE(fits(R"({"type":"integer"})", "-0"));
    EXPECT_FALSE(fits(R"({"type":"integer"})", "1.5"));
    EXPECT_FALSE(fits(R"({"type":"number"})", "1e400"));
    EXPECT_FALSE(fits(R"({"type":"number"})", "NaN"));
    EXPECT_TRUE(fits(R"({"type":"integer","minimum":-1.5,"exclusiveMaximum":3})", "-1"));
    EXPECT_FALSE(fits(R"({"type":"integer","minimum":-1.5,"exclusiveMaximum":3})", "-2"));
    EXPECT_FALSE(fits(R"({"type":"integer","minimum":-1.5,"exclusiveMaximum":3})", "3"));
    const char* exact =
        R"({"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991})";
    EXPECT_TRUE(fits(exact, "9007199254740991"));
    EXPECT_FALSE(fits(exact, "9007199254740992"));
    EXPECT_TRUE(fits(R"({"type":"integer"})", "-9223372036854775808")) << "exact here";
    EXPECT_TRUE(fits(R"({"type":"integer"})", "18446744073709551615"));
    EXPECT_FALSE(fits(R"({"type":"integer"})", "92233720368547758070")) << "would be changed";
    EXPECT_TRUE(fits(R"({"type":"number"})", "92233720368547758070"));
    EXPECT_THAT(faults_of(R"({"type":"integer","maximum":9007199254740992})"),
                ElementsAre("#/maximum unsupported_schema"));
    EXPECT_TRUE(fits(R"({"type":["string","null"]})", "null"));
    EXPECT_TRUE(fits(R"({"type":"string","maxLength":1})", "\"\xF0\x9F\x98\x80\""));
    EXPECT_TRUE(fits(R"({"type":"string","maxLength":1})", R"("\ud83d\ude00")"));
    EXPECT_FALSE(fits(R"({"type":"string"})", R"("\ud83d")"));
    EXPECT_FALSE(fits(R"({"type":"string"})", "\"\xFF\""));
    EXPECT_TRUE(fits(R"({"const":1})", "1.0"));
    EXPECT_TRUE(fits("{}", R"([1,{"a":null}])"));
    EXPECT_FALSE(fits("{}", std::string(30, '[') + std::string(30, ']')));
    EXPECT_FALSE(fits(R"({"type":"object","properties":{"a":{}}})", R"({"b":1})"));
    EXPECT_FALSE(fits(R"({"type":"null"})", "null null"));
}

// Boost's own conversion takes 10 and 0.12345678901234568 for these numbers.
TEST(SchemaValid, TakesEachNumberForTheNearestDouble)
{
    EXPECT_FALSE(fits(R"({"type":"integer"})", "9.999999999999999"));
    EXPECT_FALSE(fits(R"({"enum":[10]})", "9.999999999999999"));
    EXPECT_TRUE(fits(R"({"const":0.12345678901234566})", "0.12345678901234566"));
    EXPECT_EQ(rewritten(R"({"type":"number"})", "0.12345678901234566"), "0.12345678901234566");
    EXPECT_EQ(rewritten(R"({"type":"number"})", "0e999"), "0");
    EXPECT_THAT(rewritten(R"({"type":"number"})", "1e400"),
                HasSubstr("is not JSON: a number beyond the range of a double"));
}

TEST(SchemaValid, TakesTheLastOfMembersWithTheSameName)
{
    const char* schema = R"({"type":"object","properties":{"a":{"type":"integer"},"b":{}}})";
    EXPECT_EQ(rewritten(schema, R"({"a":[{"a":null}],"b":{"c":1,"c":[2]},"a":3})"),
              R"({"a":3,"b":{"c":[2]}})");
    EXPECT_FALSE(fits(schema, R"({"a":3,"a":"x"})"));
}

TEST(SchemaValid, KnowsFormats)
{
    const auto has = [](const std::string& format, const std::string& text) {
        return fits(R"({"type":"string","format":")" + format + "\"}", '"' + text + '"');
    };
    EXPECT_TRUE(has("date", "2024-02-29"));
    EXPECT_FALSE(has("date", "2023-02-29"));
    EXPECT_FALSE(has("date", "2023-2-1"));
    EXPECT_TRUE(has("time", "23:59:60Z"));
    EXPECT_TRUE(has("time", "01:29:60+01:30"));
    EXPECT_FALSE(has("time", "22:59:60Z"));
    EXPECT_FALSE(has("time", "12:00:00"));
    EXPECT_TRUE(has("date-time", "1985-04-12T23:20:50.52Z"));
    EXPECT_FALSE(has("date-time", "1985-04-12 23:20:50Z"));
    EXPECT_TRUE(has("uuid", "2EB8AA08-aa98-11ea-b4aa-73b441d16380"));
    EXPECT_FALSE(has("uuid", "2eb8aa08aa9811eab4aa73b441d16380"));
}

TEST(SchemaCompact, FollowsTheOrderOfTheSchema)
{
    const std::string schema =
        R"({"type":"object","properties":{"a":{"type":"number"},"b":{"anyOf":[{"type":"null"},
            {"type":"array","items":{"type":"object","properties":{"x":{},"y":{}}}}]}}})";
    EXPECT_EQ(rewritten(schema, R"({ "b" : [ {"y":1.50, "x":"ä\u00e4\n"} ], "a": 0.1 })"),
              "{\"a\":0.1,\"b\":[{\"x\":\"ää\\n\",\"y\":1.5}]}");
    EXPECT_EQ(rewritten(schema, "{}"), "{}");
}

TEST(SchemaSmallest, IsWhatTheGuideSays)
{
    EXPECT_EQ(smallest(R"({"type":"object","properties":{"a":{"type":"string","minLength":2},
        "b":{"type":"null"},"c":{"type":"array","minItems":2,"items":{"type":"boolean"}}},
        "required":["c","a"]})"),
              R"({"a":"xx","c":[false,false]})");
    EXPECT_EQ(smallest(R"({"type":"integer","minimum":-9,"maximum":-3})"), "-3");
    EXPECT_EQ(smallest(R"({"type":"integer","exclusiveMinimum":3})"), "4");
    EXPECT_EQ(smallest(R"({"type":"integer","minimum":9007199254740991})"), "9007199254740991");
    EXPECT_EQ(smallest(R"({"type":"integer","maximum":-1000000000000000})"), "-1000000000000000");
    EXPECT_EQ(smallest(R"({"enum":["b","a"]})"), "\"b\"");
    EXPECT_EQ(smallest(R"({"type":["null","string"]})"), "null");
    EXPECT_EQ(smallest(R"({"type":"string","format":"date-time"})"), "\"1970-01-01T00:00:00Z\"");
    EXPECT_EQ(smallest(R"({"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{
        "next":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"null"}]}},"required":["next"]}}})"),
              R"({"next":null})");
    EXPECT_EQ(smallest_of(*any_object()), "{}");
}

TEST(SchemaGrammar, WritesCommonBeginningsOfLiteralsOnce)
{
    EXPECT_THAT(grammar_of(*made(R"({"enum":["red","rose",1,12,"r\u00e4d","r\u00e5d"]})")),
                HasSubstr("n0 ::= ( \"\\\"r\" ( \"ed\\\"\" | \"ose\\\"\" | \"äd\\\"\" | "
                          "\"åd\\\"\" ) | \"1\" ( \"\" | \"2\" ) )\n"));
}

TEST(SchemaGrammar, NamesItsRulesOnceAndRepeatsWithinBounds)
{
    const std::string grammar = grammar_of(*made(
        R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"string","maxLength":2000},"maxItems":1000}}})"));
    EXPECT_THAT(grammar, HasSubstr("char{0,2000}"));
    EXPECT_THAT(grammar, HasSubstr("){0,999}"));
    EXPECT_THAT(grammar_of(*made(R"({"type":"integer","minimum":7,"maximum":123})")),
                HasSubstr("n0 ::= [7-9] | [1-9] [0-9]{1} | "));
    EXPECT_EQ(grammar_of(*made(
                  R"({"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991})")),
              grammar_of(*made(R"({"type":"integer"})")));
    EXPECT_THAT(grammar_of(*made(R"({"type":"integer","minimum":9007199254740991})")),
                HasSubstr("n0 ::= \"9\" \"0\" \"0\" \"7\" "));
}

}  // namespace
}  // namespace parley::schema
