#include "templates/templates.hpp"

#include "base/json.hpp"
#include "base/thread_time_for_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <gmock/gmock.h>

namespace parley::templates {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t plenty = 1'000'000;
const RunValues run{.scheduled_for = "2027-03-28T01:30:00.000Z",
                    .local_date = "2027-03-28",
                    .local_time = "03:30",
                    .key = "k1",
                    .trigger = "schedule",
                    .automation_name = "Digest"};

std::vector<std::string> texts_of(const Error& error)
{
    std::vector<std::string> texts;
    for (const Fault& fault : error.faults) texts.push_back(fault.where + " " + fault.code);
    return texts;
}

std::vector<std::string> faults_of(std::string_view message, std::vector<Variable> variables)
{
    const auto parsed = Template::parse(message, std::move(variables));
    return parsed ? std::vector<std::string>() : texts_of(parsed.error());
}

Result<FilledTemplate> fill(std::string_view message, std::vector<Variable> variables,
                            std::string_view payload, std::size_t most = plenty)
{
    return Template::parse(message, std::move(variables))
        .value()
        .fill(json::parse(payload).value(), run, most);
}

std::string filled(std::string_view message, std::vector<Variable> variables,
                   std::string_view payload)
{
    return fill(message, std::move(variables), payload).value().message;
}

TEST(Template, FillsVariablesByTheirPointers)
{
    EXPECT_EQ(filled("For {{reader}}:\n{{text}}!",
                     {{.name = "text", .pointer = "/issue/body"},
                      {.name = "reader", .default_value = "Ana"}},
                     R"({"issue":{"body":"It broke"}})"),
              "For Ana:\nIt broke!");
    EXPECT_EQ(filled("{{a}}{{a}}", {{.name = "a"}}, R"({"a":"x"})"), "xx");
    EXPECT_EQ(filled("{{a}}", {{.name = "a", .pointer = "/list/1/a~1b~0"}},
                     R"({"list":[0,{"a/b~":"deep"}]})"),
              "deep");
    EXPECT_EQ(filled("{{all}}", {{.name = "all", .pointer = ""}}, R"({"b":[1, null]})"),
              R"({"b":[1,null]})");
    EXPECT_EQ(filled("no places", {}, "null"), "no places");
}

TEST(Template, WritesOtherJsonCompactly)
{
    for (const auto& [json, text] : std::vector<std::pair<std::string, std::string>>{
             {"1", "1"},
             {"-7", "-7"},
             {"18446744073709551615", "18446744073709551615"},
             {"1.5", "1.5"},
             {"true", "true"},
             {"[null]", "[null]"},
             {"\"\"", ""},
             {"[]", "[]"},
             {"{}", "{}"},
             {R"([1, "a\"b", {"x": [false]}])", R"([1,"a\"b",{"x":[false]}])"},
             {R"({"a": 1, "b": 2})", R"({"a":1,"b":2})"}})
        EXPECT_EQ(filled("{{v}}", {{.name = "v"}}, "{\"v\":" + json + "}"), text) << json;
}

TEST(Template, TakesNullForNoValue)
{
    constexpr auto payload = R"({"issue":{"body":null}})";
    const Variable body{.name = "body", .pointer = "/issue/body"};
    EXPECT_EQ(filled("[{{body}}]", {body}, payload), "[]");
    Variable with_default = body;
    with_default.default_value = "none";
    EXPECT_EQ(filled("[{{body}}]", {with_default}, payload), "[none]");
    Variable required = body;
    required.required = true;
    EXPECT_THAT(texts_of(fill("{{body}}", {required}, payload).error()),
                ElementsAre("/issue/body required"));
}

TEST(Template, IsFilledOnce)
{
    EXPECT_EQ(filled("{{text}}", {{.name = "text"}}, R"({"text":"{{text}} \\{{ {words:5}"})"),
              "{{text}} \\{{ {words:5}");
    EXPECT_EQ(filled("{{a}}{{b}}", {{.name = "a"}, {.name = "b"}}, R"({"a":"{{b","b":"}}"})"),
              "{{b}}");
}

TEST(Template, HasBracesOfItsOwn)
{
    EXPECT_EQ(filled(R"(\{{text}} {x} { {y} }} \)", {}, "{}"), R"({{text}} {x} { {y} }} \)");
    EXPECT_EQ(filled(R"(\{{{{a}})", {{.name = "a"}}, R"({"a":"x"})"), "{{x");
    EXPECT_EQ(filled(R"(\\{{a}})", {{.name = "a"}}, R"({"a":"x"})"), R"(\{{a}})");
}

TEST(Template, KnowsItsRun)
{
    EXPECT_EQ(filled("{{run.scheduled_for}} {{run.local_date}} {{run.local_time}} {{run.key}} "
                     "{{run.trigger}} {{automation.name}}",
                     {}, "{}"),
              "2027-03-28T01:30:00.000Z 2027-03-28 03:30 k1 schedule Digest");
}

TEST(Template, RefusesUnknownNamesAllAtOnce)
{
    EXPECT_THAT(faults_of("{{a}} {{b}} {{run.x}} {{ a }} {{}} {{A", {{.name = "a"}}),
                ElementsAre("/message unknown_variable", "/message unknown_variable",
                            "/message unknown_variable", "/message unknown_variable",
                            "/message unknown_variable"));
    const auto open = Template::parse("Hello {{name", {{.name = "name"}});
    EXPECT_EQ(open.error().faults.at(0).detail,
              "\"{{name\" has no closing }}; write \\{{ for literal braces");
    const auto unknown = Template::parse("Hello {{y}}", {});
    EXPECT_EQ(unknown.error().faults.at(0).detail,
              "\"{{y}}\" is not a variable; write \\{{ for literal braces");
    const auto many_unknown = Template::parse(std::string(33, 'y').insert(0, "{{") + "}}", {});
    EXPECT_THAT(many_unknown.error().faults.at(0).detail,
                testing::HasSubstr(std::string(32, 'y') + "...}}\" is"));
    EXPECT_THAT(faults_of("{{{a}}}", {{.name = "a"}}), ElementsAre("/message unknown_variable"));
    std::string many;
    for (int i = 0; i < 60'000; ++i) many += "{{";
    EXPECT_LE(faults_of(many + "}}", {}).size(), 51U);
}

TEST(Template, ChecksItsVariables)
{
    EXPECT_THAT(
        faults_of("x", {{.name = "A"},
                        {.name = ""},
                        {.name = "a", .pointer = "a"},
                        {.name = "a", .max_bytes = 0},
                        {.name = "b", .pointer = "/~2", .max_bytes = 131'073},
                        {.name = std::string(33, 'a')},
                        {.name = "run.key"}}),
        ElementsAre("/variables/0/name invalid_format", "/variables/1/name invalid_format",
                    "/variables/2/pointer invalid_format", "/variables/3/name duplicate",
                    "/variables/3/max_bytes out_of_range", "/variables/4/pointer invalid_format",
                    "/variables/4/max_bytes out_of_range", "/variables/5/name invalid_format",
                    "/variables/6/name invalid_format"));
    const Variable longer{.name = "a", .default_value = "123", .max_bytes = 2};
    EXPECT_THAT(faults_of("x", {longer}), ElementsAre("/variables/0/default too_long"));
    Variable is_cut = longer;
    is_cut.cut = true;
    EXPECT_EQ(filled("{{a}}", {is_cut}, "{}"), "12");
    std::vector<Variable> many;
    for (int i = 0; i < 33; ++i) many.push_back({.name = "v" + std::to_string(i)});
    EXPECT_THAT(faults_of("x", many), ElementsAre("/variables too_long"));
    many.pop_back();
    EXPECT_THAT(faults_of("x", many), IsEmpty());
}

TEST(Template, SaysWhatAPayloadLacks)
{
    const std::vector<Variable> variables{{.name = "a", .required = true},
                                          {.name = "b", .pointer = "/x/0", .required = true},
                                          {.name = "c", .default_value = "", .required = true},
                                          {.name = "d", .max_bytes = 3},
                                          {.name = "e"}};
    const auto result = fill("{{e}}", variables, R"({"x":[],"d":"four"})");
    ASSERT_FALSE(result);
    EXPECT_THAT(texts_of(result.error()),
                ElementsAre("/a required", "/x/0 required", "/d too_long"));
    EXPECT_EQ(filled("[{{e}}]", {{.name = "e"}}, "[]"), "[]");
}

TEST(Template, CutsAtACharacter)
{
    const std::vector<Variable> variables{{.name = "a", .max_bytes = 7, .cut = true}};
    EXPECT_EQ(filled("{{a}}", variables, R"({"a":"ab😀😀"})"), "ab😀");
    EXPECT_EQ(filled("{{a}}", variables, R"({"a":"abc😀"})"), "abc😀");
    EXPECT_EQ(filled("{{a}}", variables, R"({"a":["abcdefg"]})"), "[\"abcde");
}

TEST(Template, TellsItsValues)
{
    const auto result = fill("x", {{.name = "a", .max_bytes = 2, .cut = true}, {.name = "b"}},
                             R"({"a":"long","b":[1]})");
    ASSERT_TRUE(result);
    ASSERT_EQ(result->values.size(), 2U);
    EXPECT_EQ(result->values[0].text, "lo");
    EXPECT_EQ(result->values[1].name, "b");
    EXPECT_EQ(result->values[1].text, "[1]");
}

TEST(Template, BoundsWhatManyPlacesMakeOfOneValue)
{
    std::string message;
    for (int i = 0; i < 1000; ++i) message += "{{a}}";
    const std::string payload = "{\"a\":\"" + std::string(1000, 'x') + "\"}";
    EXPECT_EQ(fill(message, {{.name = "a"}}, payload, 1'000'000)->message.size(), 1'000'000U);
    const auto result = fill(message, {{.name = "a"}}, payload, 999'999);
    ASSERT_FALSE(result);
    EXPECT_THAT(texts_of(result.error()), ElementsAre(" too_long"));
}

// The shortest CPU time of filling 20,000 places of the last one of so many variables.
std::chrono::nanoseconds time_with(int variables)
{
    std::vector<Variable> all;
    for (int i = 0; i < variables; ++i)
        all.push_back({.name = "variable_" + std::to_string(100 + i), .default_value = "x"});
    std::string message;
    for (int i = 0; i < 20'000; ++i) message += "{{" + all.back().name + "}}";
    const Template made = Template::parse(message, all).value();
    const boost::json::value payload = boost::json::object();
    auto shortest = std::chrono::nanoseconds::max();
    for (int round = 0; round < 10; ++round) {
        const auto begun = thread_time();
        const FilledTemplate filled = made.fill(payload, run, plenty).value();
        const std::string again = made.message_of(filled.values, run);
        shortest = std::min(shortest, thread_time() - begun);
        EXPECT_EQ(filled.message, std::string(20'000, 'x'));
        EXPECT_EQ(again, filled.message);
    }
    return shortest;
}

TEST(Template, LooksForEachVariableOnceHoweverManyPlacesItHas)
{
    EXPECT_LT(time_with(32), 4 * time_with(1));
}

}  // namespace
}  // namespace parley::templates
