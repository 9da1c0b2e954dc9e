#include "schema/readings.hpp"

#include "schema/made_for_tests.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::schema {
namespace {

using testing::ElementsAre;

std::string list(const std::string& items, int most = 100)
{
    return R"({"type":"array","minItems":1,"maxItems":)" + std::to_string(most) + R"(,"items":)" +
           items + '}';
}

std::string object(const std::string& properties, const std::string& required)
{
    return R"({"type":"object","additionalProperties":false,"properties":{)" + properties +
           R"(},"required":[)" + required + "]}";
}

std::string any_of(const std::string& branches) { return R"({"anyOf":[)" + branches + "]}"; }

// A tree of operations: the same properties, and a constant.
std::string expression(const std::string& first, const std::string& last)
{
    const auto operation = [&](const std::string& name) {
        std::string properties = R"("left":{"$ref":"#/$defs/e"},"right":{"$ref":"#/$defs/e"})";
        const std::string constant = R"({"const":")" + name + R"("})";
        if (!first.empty()) properties = '"' + first + "\":" + constant + ',' + properties;
        if (!last.empty()) properties += ",\"" + last + "\":" + constant;
        return object(properties, '"' + first + last + R"(","left","right")");
    };
    return R"({"$ref":"#/$defs/e","$defs":{"e":)" +
           any_of(R"({"type":"number"},)" + operation("add") + ',' + operation("subtract")) + "}}";
}

std::string optional_properties(int count)
{
    std::string properties;
    for (int i = 0; i < count; ++i)
        properties += (i ? ",\"p" : "\"p") + std::to_string(i) + R"(":{"type":"null"})";
    return object(properties, "");
}

std::string nested_choices(int levels, int ways)
{
    if (levels == 0) return R"({"type":"null"})";
    std::string branches;
    for (int i = 0; i < ways; ++i)
        branches += (i ? "," : "") +
                    list(R"({"$ref":"#/$defs/)" + std::to_string(levels - 1) + "\"}", 2 + i);
    return any_of(branches);
}

// Each level multiplies the readings of an opening bracket.
std::string nested(int levels, int ways)
{
    std::string text = R"({"$ref":"#/$defs/)" + std::to_string(levels) + R"(","$defs":{)";
    for (int level = 0; level <= levels; ++level)
        text +=
            (level ? ",\"" : "\"") + std::to_string(level) + "\":" + nested_choices(level, ways);
    return text + "}}";
}

TEST(Readings, OfNestedChoicesMultiply)
{
    EXPECT_THAT(faults_of(nested(3, 8)), ElementsAre());  // 512.
    EXPECT_THAT(faults_of(nested(4, 8)), ElementsAre("# unsupported_schema"));
    EXPECT_THAT(faults_of(nested(20, 2)), ElementsAre("# unsupported_schema"));
}

TEST(Readings, OfObjectsEndAtAConstant)
{
    EXPECT_THAT(faults_of(expression("op", "")), ElementsAre());
    EXPECT_THAT(faults_of(expression("", "op")), ElementsAre("# unsupported_schema"))
        << "it is known too late";
}

TEST(Readings, OfRecursionWithOneWayAreFew)
{
    EXPECT_THAT(
        faults_of(
            R"({"$ref":"#/$defs/j","$defs":{"j":)" +
            any_of(
                R"({"type":"string"},{"type":"number"},{"type":"null"},{"type":"array","items":{"$ref":"#/$defs/j"}})") +
            "}}"),
        ElementsAre());
    EXPECT_THAT(faults_of(R"({"$ref":"#/$defs/n","$defs":{"n":)" +
                          object(R"("value":{"type":"integer"},"next":)" +
                                     any_of(R"({"$ref":"#/$defs/n"},{"type":"null"})"),
                                 R"("value","next")") +
                          "}}"),
                ElementsAre());
}

TEST(Readings, OfOptionalPropertiesAddUp)
{
    EXPECT_THAT(faults_of(optional_properties(500)), ElementsAre());
    const std::string wide = R"({"$ref":"#/$defs/w"})";
    EXPECT_THAT(faults_of(R"({"anyOf":[)" + list(wide, 2) + ',' + list(wide, 3) +
                          R"(],"$defs":{"w":)" + optional_properties(300) + "}}"),
                ElementsAre("# unsupported_schema"));
}

TEST(Readings, OfFunctionsEndAtTheirNames)
{
    const auto wide = made(nested(3, 7));
    std::vector<FunctionSchema> functions;
    for (int i = 0; i < 20; ++i) functions.push_back({"f" + std::to_string(i), wide});
    EXPECT_TRUE(call_of(functions));
}

}  // namespace
}  // namespace parley::schema
