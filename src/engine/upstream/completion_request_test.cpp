#include "engine/upstream/completion_request.hpp"

#include "base/json.hpp"

#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

std::string renamed(std::string body)
{
    const auto question = request_of(std::move(body));
    return question ? question->to("new") : "refused";
}

TEST(CompletionRequest, LeavesABodyAsItIsButForTheModel)
{
    EXPECT_EQ(renamed(R"({"model":"old","n":1})"), R"({"model":"new","n":1})");
    EXPECT_EQ(renamed(R"( { "n" : 1.50e3 , "model" : null } )"), R"({"model":"new","n":1.50e3})");
    EXPECT_EQ(renamed(R"({"model":{"a":["}",{}]}})"), R"({"model":"new"})");
    EXPECT_EQ(renamed(R"({"a":{"model":"x"},"b":["model",{"model":"y"}],"model":5})"),
              R"({"model":"new","a":{"model":"x"},"b":["model",{"model":"y"}]})");
    EXPECT_EQ(renamed(R"({"a":"\"model\":\\","model":"old"})"),
              R"({"model":"new","a":"\"model\":\\"})");
    EXPECT_EQ(renamed(R"({"mod\u0065l":"old"})"), R"({"model":"new"})");
}

TEST(CompletionRequest, AddsAModelWhereThereIsNone)
{
    EXPECT_EQ(renamed("{}"), R"({"model":"new"})");
    EXPECT_EQ(renamed(" { } "), R"({"model":"new"})");
    EXPECT_EQ(renamed(R"({"a":1})"), R"({"model":"new","a":1})");
}

TEST(CompletionRequest, RefusesWhatCouldNameAnotherModel)
{
    for (const char* body :
         {"", "[]", "null", "{", "}", R"({"model":"a","model":"b"})",
          R"({"model":"a","\u006dodel":"b"})", R"({"model":"a"}{"model":"b"})", R"({"model":"a"},)",
          R"({"model":})", R"({"model")", R"({"model":"a)", R"({"model":"a\")", R"({"a":[}]})",
          R"({"a":1 "model":"a"})", R"({a:1})", R"({"a":1,})", R"({"a":,"model":"x"})"})
        EXPECT_EQ(renamed(body), "refused") << body;
    const std::string deep(100, '[');
    EXPECT_EQ(renamed(R"({"a":)" + deep + "}"), "refused");
}

TEST(CompletionRequest, LeavesOutWhatIsForThisServer)
{
    EXPECT_EQ(renamed(R"({"store":false,"metadata":{"a":"b"},"n":1,"met\u0061data":null})"),
              R"({"model":"new","n":1})");
    EXPECT_EQ(renamed(R"({"max_tokens":-1,"max_completion_tokens":null})"), R"({"model":"new"})");
    EXPECT_EQ(renamed(R"({"max_tokens":5,"a":{"store":true}})"),
              R"({"model":"new","max_tokens":5,"a":{"store":true}})");
}

TEST(CompletionRequest, KnowsHowManyTokensABodyAllows)
{
    const auto allowed = [](std::string_view body) { return request_of(body)->max_output; };
    EXPECT_EQ(allowed("{}"), 0);
    EXPECT_EQ(allowed(R"({"max_tokens":5})"), 5);
    EXPECT_EQ(allowed(R"({"max_tokens": 5 ,"max_completion_tokens":7,"n":2})"), 14);
    EXPECT_EQ(allowed(R"({"max_tokens":-1,"n":3})"), 0);
    EXPECT_EQ(allowed(R"({"max_tokens":null,"max_completion_tokens":1e3})"), 0);
    EXPECT_EQ(allowed(R"({"max_tokens":99999999999999999999})"), 0);
    EXPECT_EQ(allowed(R"({"max_tokens":3,"n":-4})"), 3);
    EXPECT_EQ(allowed(R"({"a":{"max_tokens":3}})"), 0);
    EXPECT_EQ(allowed(R"({"max_tokens":3,"n":2000})"), 6000);
    EXPECT_EQ(allowed(R"({"n_predict":9})"), 9);
    EXPECT_EQ(allowed(R"({"max_tokens":null,"n_predict":9})"), 9);
    EXPECT_EQ(allowed(R"({"max_tokens":3,"n_predict":-1})"), 0);
    EXPECT_EQ(request_of("{}")->choices, 1);
    EXPECT_EQ(request_of(R"({"n":null})")->choices, 1);
    EXPECT_EQ(request_of(R"({"n":3})")->choices, 3);
}

TEST(CompletionRequest, EscapesTheName)
{
    EXPECT_EQ(request_of("{}")->to("a\"b\n"), R"({"model":"a\"b\n"})");
}

TEST(CompletionRequest, TellsAPromptAsChatCompletionsDo)
{
    Prompt prompt{.instructions = "Be brief.",
                  .turns = {{Speaker::user, "Hi \"you\"\n"},
                            {Speaker::assistant, "Hello"},
                            {Speaker::user, "And?"}}};
    const auto plain = json::parse(request_of(prompt).to("m")).value();
    EXPECT_EQ(plain, json::parse(R"({"model":"m","messages":[
        {"role":"system","content":"Be brief."},{"role":"user","content":"Hi \"you\"\n"},
        {"role":"assistant","content":"Hello"},{"role":"user","content":"And?"}],
        "stream":true,"stream_options":{"include_usage":true}})")
                         .value());
    prompt.instructions.clear();
    prompt.sampling = {.max_output_tokens = 5,
                       .temperature = 0.5,
                       .top_p = 0.25,
                       .top_k = 40,
                       .min_p = 0.1,
                       .repeat_penalty = 1.5,
                       .presence_penalty = -1,
                       .frequency_penalty = 2,
                       .logit_bias = {{7, -100}},
                       .seed = 4'000'000'000U,
                       .stop = {"a", "b"}};
    const auto full = json::parse(request_of(prompt).to("m")).value();
    EXPECT_EQ(full.at("messages").as_array().size(), 3U);
    EXPECT_EQ(full.at("max_tokens"), 5);
    EXPECT_EQ(full.at("temperature"), 0.5);
    EXPECT_EQ(full.at("top_p"), 0.25);
    EXPECT_EQ(full.at("seed"), 4'000'000'000);
    EXPECT_EQ(full.at("top_k"), 40);
    EXPECT_EQ(full.at("min_p"), 0.1);
    EXPECT_EQ(full.at("repeat_penalty"), 1.5);
    EXPECT_EQ(full.at("presence_penalty"), -1.0);
    EXPECT_EQ(full.at("frequency_penalty"), 2.0);
    EXPECT_EQ(full.at("logit_bias"), (boost::json::object{{"7", -100.0}}));
    EXPECT_EQ(full.at("stop"), (boost::json::array{"a", "b"}));
}

boost::json::value format_sent(std::string_view schema)
{
    Prompt prompt{.turns = {{Speaker::user, "hi"}}};
    prompt.sampling.format = schema::restored(schema);
    return json::parse(request_of(prompt).to("m")).value().at("response_format");
}

TEST(CompletionRequest, AsksForAFormat)
{
    EXPECT_EQ(format_sent(""), (boost::json::object{{"type", "json_object"}}));
    const auto format = format_sent(
        R"({"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#/$defs/b"}}},
            "required":["a"],"$defs":{"b":{"type":"object","properties":{}}}})");
    EXPECT_EQ(format.at("type"), "json_schema");
    const auto& sent = format.at("json_schema");
    EXPECT_EQ(sent.at("strict"), true);
    EXPECT_EQ(sent.at("schema").at("additionalProperties"), false) << "its meaning when absent";
    EXPECT_EQ(sent.at("schema").at("$defs").at("b").at("additionalProperties"), false);
    // OpenAI's strict mode has rules of its own.
    for (
        const std::string_view loose :
        {R"({"type":"string"})", R"({"type":"object","properties":{"a":{"type":"null"}}})",
         R"({"type":"object","properties":{"a":{"type":"string","maxLength":3}},"required":["a"]})"})
        EXPECT_EQ(format_sent(loose).at("json_schema").at("strict"), false) << loose;
}

TEST(CompletionRequest, OffersToolsAsTheyWereGiven)
{
    constexpr std::string_view given =
        R"({"tools":[{"type":"function","function":{"name":"f"},"odd":1}],"tool_choice":"required",
            "parallel_tool_calls":false})";
    Prompt prompt{.turns = {{Speaker::user, "hi"}}};
    prompt.sampling.tools = restored_tools(given);
    const auto sent = json::parse(request_of(prompt).to("m")).value();
    const auto expected = json::parse(given).value();
    for (const auto& member : expected.as_object())
        EXPECT_EQ(sent.at(member.key()), member.value());
}

}  // namespace
}  // namespace parley::engine::upstream
