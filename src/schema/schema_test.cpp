#include "schema/schema.hpp"

#include "base/json.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <gmock/gmock.h>

namespace parley::schema {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> faults_of(const std::string& text)
{
    const auto parsed = json::parse(text);
    EXPECT_TRUE(parsed) << text;
    Faults faults;
    const fields::Reading reading{.faults = faults};
    const auto schema = check(*parsed, fields::FieldPath(reading, "#"));
    EXPECT_EQ(schema == nullptr, !faults.empty());
    std::vector<std::string> found;
    for (const Fault& fault : faults) found.push_back(fault.where + " " + fault.code);
    return found;
}

SchemaRef made(const std::string& text)
{
    EXPECT_THAT(faults_of(text), ElementsAre());
    auto schema = restored(text);
    EXPECT_TRUE(schema);
    return schema ? schema : any_object();
}

bool fits(const std::string& schema, const std::string& text)
{
    return valid(*made(schema), text).has_value();
}

std::string smallest(const std::string& text)
{
    const auto schema = made(text);
    const std::string value = smallest_of(*schema);
    EXPECT_TRUE(valid(*schema, value)) << value;
    return value;
}

std::string rewritten(const std::string& schema, const std::string& text)
{
    const auto value = valid(*made(schema), text);
    return value ? compact(*made(schema), *value) : value.error().message;
}

TEST(SchemaCheck, RefusesWhatItDoesNotKnow)
{
    for (const std::string keyword :
         {R"("pattern":"a")", R"("oneOf":[])", R"("allOf":[])", R"("not":{})",
          R"("uniqueItems":true)", R"("multipleOf":2)", R"("patternProperties":{})", R"("if":{})",
          R"("$anchor":"a")", R"("definitions":{})", R"("nullable":true)", R"("\ud83d\ude00":1)"})
        EXPECT_THAT(faults_of(R"({"type":"string",)" + keyword + "}"),
                    ElementsAre(HasSubstr(" unsupported_keyword")))
            << keyword;
    EXPECT_THAT(faults_of(R"({"type":"number","minimum":1})"),
                ElementsAre("#/minimum unsupported_keyword"));
    EXPECT_THAT(faults_of(R"({"type":"object","additionalProperties":true})"),
                ElementsAre("#/additionalProperties unsupported_keyword"));
    EXPECT_THAT(faults_of(R"({"type":"string","format":"email"})"),
                ElementsAre("#/format unsupported_keyword"));
    EXPECT_THAT(faults_of(R"({"$ref":"https://example.org/a"})"),
                ElementsAre("#/$ref unsupported_keyword"));
}

TEST(SchemaCheck, ReportsAllFaultsAtOnce)
{
    EXPECT_THAT(
        faults_of(
            R"({"type":"object","properties":{"a":{"type":"string","pattern":"x"},"b/c":{"type":"text"}},
                "required":["d"],"$defs":{"e":{"not":{}}}})"),
        ElementsAre("#/properties/a/pattern unsupported_keyword",
                    "#/properties/b~1c/type unsupported_schema", "#/required/0 unsupported_schema",
                    "#/$defs/e/not unsupported_keyword"));
}

TEST(SchemaCheck, HoldsItsBounds)
{
    EXPECT_THAT(faults_of(R"({"type":"string","maxLength":2000,"minLength":2000})"), ElementsAre());
    EXPECT_EQ(faults_of(R"({"type":"string","maxLength":2001})").size(), 1U);
    EXPECT_EQ(faults_of(R"({"type":"string","minLength":-1})").size(), 1U);
    EXPECT_EQ(faults_of(R"({"type":"string","minLength":1.5})").size(), 1U);
    EXPECT_THAT(faults_of(R"({"type":"array","maxItems":1000})"), ElementsAre());
    EXPECT_EQ(faults_of(R"({"type":"array","maxItems":1001})").size(), 1U);

    std::string levels = R"({"type":"string"})";
    for (int i = 1; i < 10; ++i) levels = R"({"type":"object","properties":{"a":)" + levels + "}}";
    EXPECT_THAT(faults_of(levels), ElementsAre());
    EXPECT_EQ(faults_of(R"({"type":"array","items":)" + levels + "}").size(), 1U);

    const auto with_properties = [](int count) {
        std::string text = R"({"type":"object","properties":{)";
        for (int i = 0; i < count; ++i)
            text += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"type":"null"})";
        return text + "}}";
    };
    EXPECT_THAT(faults_of(with_properties(500)), ElementsAre());
    EXPECT_EQ(faults_of(with_properties(501)).size(), 1U);

    const auto with_enum = [](int count) {
        std::string text = R"({"enum":[0)";
        for (int i = 1; i < count; ++i) text += ',' + std::to_string(i);
        return text + "]}";
    };
    EXPECT_THAT(faults_of(with_enum(1000)), ElementsAre());
    EXPECT_EQ(faults_of(with_enum(1001)).size(), 1U);
    EXPECT_EQ(faults_of(R"({"type":"null","title":")" + std::string(65536, 'x') + "\"}").size(),
              1U);
}

TEST(SchemaCheck, RefusesWhatNothingSatisfies)
{
    for (
        const std::string text :
        {R"({"type":"object","properties":{},"required":["a"]})",
         R"({"type":"integer","minimum":2,"maximum":1})",
         R"({"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2})",
         R"({"type":"integer","exclusiveMinimum":999999999999999})",
         R"({"type":"integer","exclusiveMaximum":-999999999999999})",
         R"({"type":"integer","minimum":5000000000000000,"maximum":6000000000000000})",
         R"({"type":"string","enum":[1]})", R"({"enum":[]})", R"({"const":1,"enum":[2]})",
         R"({"type":"string","minLength":3,"maxLength":2})", R"({"type":[]})", R"({"anyOf":[]})",
         R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})",
         R"({"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]}}})",
         R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"required":["a"]}}})",
         R"([])", R"(true)", R"("a")"})
        EXPECT_FALSE(faults_of(text).empty()) << text;
}

TEST(SchemaCheck, RefusesValuesThatGrowWithoutMeasure)
{
    std::string defs = R"("a0":{"type":"string","minLength":2000})";
    for (int i = 1; i < 20; ++i)
        defs += ",\"a" + std::to_string(i) +
                R"(":{"type":"array","minItems":1000,"items":{"$ref":"#/$defs/a)" +
                std::to_string(i - 1) + "\"}}";
    EXPECT_EQ(faults_of(R"({"$ref":"#/$defs/a19","$defs":{)" + defs + "}}").size(), 1U);
}

// Definitions a0, a1, … of which each is an object with the next one inside.
std::string chain(int length)
{
    std::string defs;
    for (int i = 0; i < length; ++i) {
        const std::string next = i + 1 == length
                                     ? R"({"type":"null"})"
                                     : R"({"$ref":"#/$defs/a)" + std::to_string(i + 1) + "\"}";
        defs += (i ? ",\"a" : "\"a") + std::to_string(i) +
                R"(":{"type":"object","properties":{"p":)" + next + R"(},"required":["p"]})";
    }
    return "\"$defs\":{" + defs + '}';
}

TEST(SchemaCheck, RefusesValuesThatAreNestedTooDeeply)
{
    EXPECT_THAT(faults_of(R"({"$ref":"#/$defs/a0",)" + chain(24) + '}'), ElementsAre());
    EXPECT_EQ(faults_of(R"({"$ref":"#/$defs/a0",)" + chain(25) + '}').size(), 1U);
    EXPECT_EQ(smallest(R"({"anyOf":[{"$ref":"#/$defs/a0"},{"type":"boolean"}],)" + chain(25) + '}'),
              "false")
        << "a choice that is too deep does not count";
}

TEST(SchemaCheck, RefusesGrammarsThatWouldTakeTooLong)
{
    const auto choices = [](int count) {
        std::string text = R"({"anyOf":[{"type":"null"})";
        for (int i = 1; i < count; ++i) text += R"(,{"const":)" + std::to_string(i) + '}';
        return text + "]}";
    };
    EXPECT_THAT(faults_of(choices(256)), ElementsAre());
    EXPECT_THAT(faults_of(choices(257)), ElementsAre("# unsupported_schema"));

    const auto ranges = [](int count) {  // The grammar has some ways for each digit.
        std::string text = R"({"anyOf":[{"type":"null"})";
        for (int i = 1; i <= count; ++i)
            text += R"(,{"type":"integer","minimum":)" + std::to_string(-898989898989000 - i) +
                    R"(,"maximum":)" + std::to_string(898989898989000 + i) + '}';
        return text + "]}";
    };
    EXPECT_THAT(faults_of(ranges(4)), ElementsAre());
    EXPECT_THAT(faults_of(ranges(5)), ElementsAre("# unsupported_schema"));

    const auto lengths = [](int count) {
        std::string text = R"({"type":"object","properties":{)";
        for (int i = 0; i < count; ++i)
            text += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"type":"string","maxLength":)" +
                    std::to_string(2000 - i) + '}';
        return text + "}}";
    };
    EXPECT_THAT(faults_of(lengths(25)), ElementsAre());
    EXPECT_THAT(faults_of(lengths(26)), ElementsAre("# unsupported_schema"));
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
}

}  // namespace
}  // namespace parley::schema
