#include "engine/tools.hpp"

#include "base/json.hpp"
#include "engine/engine.hpp"
#include "engine/tool_prompt.hpp"

#include <gtest/gtest.h>

namespace parley::engine {
namespace {

constexpr std::string_view weather =
    R"({"type":"function","function":{"name":"weather","description":"Tells the weather.",
        "parameters":{"type":"object","properties":{"city":{"type":"string"}},
                      "required":["city"]}}})";
constexpr std::string_view stop_music = R"({"type":"function","function":{"name":"stop_music"}})";

struct Read {
    ToolsRef tools = {};
    schema::SchemaRef call = {};
    Faults faults = {};

    std::string first() const { return faults.empty() ? "" : faults.front().where; }
};

Read read(const std::string& request, ToolUse use = ToolUse::demanded,
          ToolShape shape = ToolShape::nested)
{
    Read made;
    const fields::Reading reading{.faults = made.faults};
    const fields::FieldPath at(reading, "#");
    made.tools = read_tools(json::parse(request)->as_object(), shape, use, at);
    if (demands_call(made.tools, use)) made.call = call_schema(*made.tools, shape, at);
    return made;
}

std::string offered(std::string_view more, std::string_view tools = weather)
{
    return R"({"tools":[)" + std::string(tools) + "]" + std::string(more) + "}";
}

TEST(Tools, AreReadWithTheirChoice)
{
    EXPECT_FALSE(read("{}").tools);
    EXPECT_FALSE(read(R"({"tools":[],"tool_choice":"none"})").tools);
    EXPECT_FALSE(read(R"({"tools":null,"tool_choice":null})").tools);
    const Read plain = read(offered(""));
    ASSERT_TRUE(plain.tools);
    EXPECT_EQ(plain.tools->choice, ToolChoice::automatic);
    ASSERT_EQ(plain.tools->functions.size(), 1U);
    EXPECT_EQ(plain.tools->functions[0].name, "weather");
    EXPECT_EQ(plain.tools->functions[0].description, "Tells the weather.");
    EXPECT_EQ(read(offered(R"(,"tool_choice":"none")")).tools->choice, ToolChoice::none);
    EXPECT_EQ(read(offered(R"(,"tool_choice":"auto")")).tools->choice, ToolChoice::automatic);
    EXPECT_EQ(read(offered(R"(,"tool_choice":"required")")).tools->choice, ToolChoice::required);
}

TEST(Tools, OfAChoiceAreTheOnlyOnesThatMayBeCalled)
{
    const std::string both = std::string(weather) + "," + std::string(stop_music);
    const Read named = read(
        offered(R"(,"tool_choice":{"type":"function","function":{"name":"stop_music"}})", both));
    ASSERT_TRUE(named.call);
    ASSERT_EQ(named.tools->functions.size(), 1U);
    EXPECT_EQ(schema::smallest_of(*named.call), R"({"name":"stop_music","arguments":{}})");

    const Read allowed = read(offered(
        R"(,"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[
             {"type":"function","function":{"name":"stop_music"}}]}})",
        both));
    ASSERT_TRUE(allowed.call);
    EXPECT_EQ(allowed.tools->functions.size(), 1U);

    const Read any = read(offered(R"(,"tool_choice":"required")", both));
    EXPECT_TRUE(schema::valid(*any.call, R"({"name":"stop_music","arguments":{}})"));
    EXPECT_TRUE(schema::valid(*any.call, R"({"name":"weather","arguments":{"city":"Paris"}})"));
    EXPECT_FALSE(schema::valid(*any.call, R"({"name":"stop_music","arguments":{"city":"Paris"}})"));
    EXPECT_FALSE(schema::valid(*any.call, R"({"name":"weather","arguments":{}})"));
    EXPECT_FALSE(schema::valid(*any.call, R"({"name":"other","arguments":{}})"));
}

TEST(Tools, HaveFaultsWithTheirPlaces)
{
    const auto place = [](std::string_view more, std::string_view tools = weather) {
        return read(offered(more, tools)).first();
    };
    EXPECT_EQ(read(R"({"tools":{}})").first(), "#/tools");
    EXPECT_EQ(place("", "1"), "#/tools/0");
    EXPECT_EQ(place("", "{}"), "#/tools/0/type");
    EXPECT_EQ(place("", R"({"type":"function"})"), "#/tools/0/function");
    EXPECT_EQ(place("", R"({"type":"function","function":{}})"), "#/tools/0/function/name");
    for (const char* name : {"", "a b", "é", "f(", "a.b"})
        EXPECT_EQ(
            place("", R"({"type":"function","function":{"name":")" + std::string(name) + "\"}}"),
            "#/tools/0/function/name")
            << name;
    EXPECT_EQ(
        place("", R"({"type":"function","function":{"name":")" + std::string(65, 'a') + "\"}}"),
        "#/tools/0/function/name");
    EXPECT_EQ(place("", R"({"type":"function","function":{"name":"f","parameters":[]}})"),
              "#/tools/0/function/parameters");
    EXPECT_EQ(place(R"(,"tool_choice":"any")"), "#/tool_choice");
    EXPECT_EQ(place(R"(,"tool_choice":1)"), "#/tool_choice");
    EXPECT_EQ(place(R"(,"tool_choice":{"type":"custom"})"), "#/tool_choice/type");
    EXPECT_EQ(place(R"(,"tool_choice":{"type":"function","function":{"name":"g"}})"),
              "#/tool_choice/function/name");
    EXPECT_EQ(place(R"(,"parallel_tool_calls":1)"), "#/parallel_tool_calls");
    EXPECT_EQ(read(R"({"tool_choice":"required"})").first(), "#/tool_choice");
    EXPECT_EQ(read(offered(R"(,"tool_choice":1,"parallel_tool_calls":1)", "{}")).faults.size(), 3U)
        << "all of them";
}

TEST(Tools, AreAtMost128)
{
    const auto many = [](int count) {
        std::string list;
        for (int i = 0; i < count; ++i)
            list += std::string(i == 0 ? "" : ",") + R"({"type":"function","function":{"name":"f)" +
                    std::to_string(i) + "\"}}";
        return read(offered(R"(,"tool_choice":"required")", list));
    };
    EXPECT_TRUE(many(128).call);
    EXPECT_EQ(many(129).first(), "#/tools");
}

TEST(Tools, HaveSchemasThatAreCheckedIfACallIsDemanded)
{
    const auto refused = [](std::string_view parameters) {
        const std::string tool = R"({"type":"function","function":{"name":"f","parameters":)" +
                                 std::string(parameters) + "}}";
        EXPECT_TRUE(read(offered("", tool)).tools) << "not checked";
        const Read read_one = read(offered(R"(,"tool_choice":"required")", tool));
        EXPECT_EQ(validation_failed(read_one.faults).code, Errc::unsupported_schema);
        return read_one.first();
    };
    EXPECT_EQ(refused(R"({"type":"object","patternProperties":{}})"),
              "#/tools/0/function/parameters/patternProperties");
    EXPECT_EQ(refused(R"({"type":"string"})"), "#/tools/0/function/parameters");
    EXPECT_EQ(refused(R"({"type":["object","null"]})"), "#/tools/0/function/parameters");
    const std::string twice = std::string(stop_music) + "," + std::string(stop_music);
    EXPECT_TRUE(read(offered("", twice)).tools);
    EXPECT_EQ(read(offered(R"(,"tool_choice":"required")", twice)).first(),
              "#/tools/1/function/name");
}

TEST(Tools, OfOtherTypesAreForUpstreams)
{
    const std::string custom =
        offered(R"(,"tool_choice":"required")", R"({"type":"custom","custom":{"name":"c"}})");
    EXPECT_EQ(read(custom).first(), "#/tool_choice") << "there is no function";
    const Read passed = read(custom, ToolUse::passed_on);
    ASSERT_TRUE(passed.tools);
    EXPECT_EQ(passed.tools->given,
              R"({"tools":[{"type":"custom","custom":{"name":"c"}}],"tool_choice":"required"})");
}

TEST(Tools, AreRestored)
{
    const Read first = read(offered(
        R"(,"tool_choice":{"type":"function","function":{"name":"weather"}},
            "parallel_tool_calls":false)"));
    const auto again = restored_tools(first.tools->given);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->choice, ToolChoice::required);
    EXPECT_EQ(again->given, first.tools->given);
    EXPECT_NE(again->given.find(R"("parallel_tool_calls":false)"), std::string::npos);
    EXPECT_FALSE(restored_tools("{"));
    EXPECT_FALSE(restored_tools("[]"));
}

TEST(Tools, OfResponsesAreFlat)
{
    const std::string flat = R"({"type":"function","name":"f","parameters":{"type":"object"}})";
    const Read made = read(offered(R"(,"tool_choice":{"type":"function","name":"f"})", flat),
                           ToolUse::demanded, ToolShape::flat);
    ASSERT_TRUE(made.call) << made.first();
    EXPECT_EQ(made.tools->given,
              R"({"tools":[{"type":"function","function":{"name":"f","parameters":{"type":)"
              R"("object"}}}],"tool_choice":{"type":"function","function":{"name":"f"}}})");
    EXPECT_EQ(
        read(offered("", R"({"type":"function"})"), ToolUse::demanded, ToolShape::flat).first(),
        "#/tools/0/name");
    const Read bad =
        read(offered(R"(,"tool_choice":"required")",
                     R"({"type":"function","name":"f","parameters":{"type":"string"}})"),
             ToolUse::demanded, ToolShape::flat);
    EXPECT_EQ(bad.first(), "#/tools/0/parameters");
}

TEST(ToolSection, IsThereOnlyIfTheModelMayCall)
{
    const auto section = [](std::string_view more, ToolUse use) {
        return tool_section({.tools = read(offered(more)).tools}, use);
    };
    constexpr std::string_view required = R"(,"tool_choice":"required")";
    EXPECT_EQ(tool_section({}, ToolUse::by_choice), "");
    EXPECT_EQ(section("", ToolUse::demanded), "");
    EXPECT_EQ(section(required, ToolUse::passed_on), "");
    EXPECT_EQ(section(R"(,"tool_choice":"none")", ToolUse::by_choice), "");
    EXPECT_NE(section(required, ToolUse::demanded).find("Function: weather\nTells the weather."),
              std::string::npos);
    EXPECT_NE(section("", ToolUse::by_choice).find(R"(<tools>
{"type":"function","function":{"name":"weather","description":"Tells the weather.","parameters":)"),
              std::string::npos);
    Sampling formatted{.format = schema::any_object(), .tools = read(offered("")).tools};
    EXPECT_EQ(tool_section(formatted, ToolUse::by_choice), "");
}

}  // namespace
}  // namespace parley::engine
