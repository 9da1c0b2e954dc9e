#include "schema/made_for_tests.hpp"

namespace parley::schema {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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
    for (const std::string type : {R"("integer")", R"(["number","null"])"})
        EXPECT_THAT(faults_of(R"({"type":)" + type + R"(,"format":"int32"})"),
                    ElementsAre("#/format unsupported_keyword"));
    EXPECT_THAT(faults_of(R"({"type":["null","string"],"format":"date"})"), ElementsAre());
}

TEST(SchemaCheck, CountsAllFaults)
{
    std::string properties;
    for (int i = 0; i < 100; ++i)
        properties += (i ? ",\"" : "\"") + std::to_string(i) + R"(":{"pattern":"x","not":{}})";
    const auto schema = json::parse(R"({"type":"object","properties":{)" + properties + "}}");
    Faults faults;
    const fields::Reading reading{.faults = faults};
    EXPECT_FALSE(check(*schema, fields::FieldPath(reading, "#")));
    EXPECT_THAT(validation_failed(faults).message, HasSubstr("(200 faults, of which the first 50"));
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
         R"({"type":"integer","exclusiveMinimum":9007199254740991})",
         R"({"type":"integer","exclusiveMaximum":-9007199254740991})",
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

}  // namespace
}  // namespace parley::schema
