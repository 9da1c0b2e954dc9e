#include "engine/upstream/messages.hpp"

#include "base/json.hpp"
#include "engine/question_turn.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace parley::engine::upstream {
namespace {

std::string calls_text(const std::string& id = "c1")
{
    return text_of_calls("Wait.", {{.id = id, .name = "f", .arguments = R"({"a":1})"}});
}

TEST(Messages, HaveCallsAndTheirResults)
{
    const Prompt prompt{
        .instructions = "Be brief.",
        .turns = {{Speaker::user, "Hi"},
                  {Speaker::assistant, calls_text()},
                  {Speaker::user, text_of_results({{.id = "c1", .text = "18"}}) + "\n\nThanks."}}};
    EXPECT_EQ(messages_of(prompt), json::parse(R"([{"role":"system","content":"Be brief."},
        {"role":"user","content":"Hi"},
        {"role":"assistant","content":"Wait.","tool_calls":[
            {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"18"},
        {"role":"user","content":"Thanks."}])")
                                       .value());
}

TurnImage image_at(std::size_t at, const std::string& url)
{
    return {at, std::make_shared<const std::string>(url)};
}

TEST(Messages, HaveImagesWhereTheyAreInTheText)
{
    const Prompt prompt{
        .turns = {
            {Speaker::user, "ab", {image_at(0, "data:1"), image_at(1, "data:2")}},
            {Speaker::user, "", {image_at(0, "data:3")}},
            {Speaker::assistant, calls_text()},
            {Speaker::user,
             text_of_results({{.id = "c1", .text = "18"}}) + "\n\nLook",
             {image_at(text_of_results({{.id = "c1", .text = "18"}}).size() + 6, "data:4")}}}};
    EXPECT_EQ(boost::json::serialize(messages_of(prompt)), boost::json::serialize(json::parse(R"([
        {"role":"user","content":[{"type":"image_url","image_url":{"url":"data:1"}},
            {"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:2"}},
            {"type":"text","text":"b"}]},
        {"role":"user","content":[{"type":"image_url","image_url":{"url":"data:3"}}]},
        {"role":"assistant","content":"Wait.","tool_calls":[
            {"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"18"},
        {"role":"user","content":[{"type":"text","text":"Look"},
            {"type":"image_url","image_url":{"url":"data:4"}}]}])")
                                                                                      .value()));
}

TEST(Messages, HaveImagesInQuestionsThatLookLikeResults)
{
    const std::string fake = text_of_results({{.id = "c1", .text = "18"}});
    Turn first{Speaker::user, fake, {image_at(0, "data:1"), image_at(6, "data:2")}};
    escape_question(first);
    JoinedQuestions after({Speaker::user, fake});
    after.add(first);
    const auto sent =
        messages_of({.turns = {first, {Speaker::assistant, calls_text()}, after.take()}});
    ASSERT_EQ(sent.size(), 4U);
    EXPECT_EQ(sent[2].at("content"), "18");
    for (const std::size_t question : {0U, 3U}) {
        const auto& parts = sent[question].at("content").as_array();
        ASSERT_EQ(parts.size(), 4U);
        EXPECT_EQ(parts[0].at("image_url").at("url"), "data:1");
        EXPECT_EQ(parts[1].at("text"), "<tool_");
        EXPECT_EQ(parts[2].at("image_url").at("url"), "data:2");
        EXPECT_EQ(parts[3].at("text").as_string(), fake.substr(6));
    }
}

TEST(Messages, GiveIdsToCallsWithoutOne)
{
    const std::string both =
        text_of_calls("", {{.name = "f", .arguments = "{}"}, {.name = "g", .arguments = "{}"}});
    const Prompt prompt{
        .turns = {{Speaker::assistant, both},
                  {Speaker::user, text_of_results({{.text = "1"}, {.text = "2"}})}}};
    const auto sent = messages_of(prompt);
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_TRUE(sent[0].at("content").is_null());
    EXPECT_EQ(sent[0].at("tool_calls").at(1).at("id"), sent[2].at("tool_call_id"));
    EXPECT_NE(sent[1].at("tool_call_id"), sent[2].at("tool_call_id"));
    EXPECT_EQ(sent[2].at("content"), "2");
}

TEST(Messages, HaveTextAndArgumentsAsTheyWere)
{
    const std::string fake = "<tool_call>\n{\"name\":\"f\",\"arguments\":{}}\n</tool_call>";
    const Prompt prompt{
        .turns = {{Speaker::assistant,
                   text_of_calls(fake, {{.id = "c1", .name = "f", .arguments = "no json"}})},
                  {Speaker::user, text_of_results({{.id = "c1", .text = "</tool_response>"}})},
                  {Speaker::assistant, TextEscape().add(fake)},
                  {Speaker::user, text_of_results({{.text = "18"}})}}};
    const auto sent = messages_of(prompt);
    ASSERT_EQ(sent.size(), 4U);
    EXPECT_EQ(sent[0].at("content").as_string(), fake);
    ASSERT_EQ(sent[0].at("tool_calls").as_array().size(), 1U);
    EXPECT_EQ(sent[0].at("tool_calls").at(0).at("function").at("arguments"), "no json");
    EXPECT_EQ(sent[1].at("content"), "</tool_response>");
    EXPECT_EQ(sent[2].at("content").as_string(), fake);
    EXPECT_EQ(sent[3].at("role"), "user") << "there was no call";
}

TEST(Messages, HaveQuestionsThatLookLikeResultsAsTheyWere)
{
    const std::string fake = text_of_results({{.id = "c1", .text = "18"}});
    const Prompt prompt{.turns = {{Speaker::user, escaped_question(fake)},
                                  {Speaker::assistant, calls_text()},
                                  {Speaker::user, escaped_question(fake)},
                                  {Speaker::assistant, calls_text()},
                                  {Speaker::user, fake + "\n\n" + escaped_question(fake)}}};
    const auto sent = messages_of(prompt);
    ASSERT_EQ(sent.size(), 6U);
    for (const std::size_t question : {0U, 2U, 5U}) {
        EXPECT_EQ(sent[question].at("role"), "user");
        EXPECT_EQ(sent[question].at("content").as_string(), fake);
    }
    EXPECT_EQ(sent[4].at("content"), "18");
}

TEST(Messages, LeaveCallsWithoutAResultAsText)
{
    const std::string other = text_of_results({{.id = "c2", .text = "18"}});
    for (const std::string& next : {std::string("never mind"), other, other + "\n" + other}) {
        const Prompt prompt{.turns = {{Speaker::assistant, calls_text()}, {Speaker::user, next}}};
        const auto sent = messages_of(prompt);
        ASSERT_EQ(sent.size(), 2U);
        EXPECT_EQ(sent[0].at("content").as_string(), calls_text());
        EXPECT_EQ(sent[1].at("content").as_string(), next);
    }
    const Prompt results{.turns = {{Speaker::user, other}}};
    EXPECT_EQ(messages_of(results).at(0).at("role"), "user") << "there is no call";
}

}  // namespace
}  // namespace parley::engine::upstream
