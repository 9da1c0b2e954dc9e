// Answers in a format, as the text that a run stores.
#include "engine/upstream/upstream_reply.hpp"

#include "base/json.hpp"
#include "engine/checked_start.hpp"
#include "engine/reply_for_tests.hpp"
#include "engine/upstream/asking_for_tests.hpp"

namespace parley::engine::upstream {
namespace {

std::string text_delta(std::string_view content)
{
    std::string delta = R"({"content":)";
    json::append_quoted(delta, content);
    return delta + '}';
}

// A part of the only call; the first one has its name.
std::string call_delta(std::string_view arguments, bool is_first)
{
    std::string delta = R"({"tool_calls":[{"index":0,)";
    if (is_first) delta += R"("id":"c1",)";
    delta += R"("function":{)";
    if (is_first) delta += R"("name":"f",)";
    delta += R"("arguments":)";
    json::append_quoted(delta, arguments);
    return delta + "}}]}";
}

class ReplyTest : public AskingTest {
protected:
    schema::SchemaRef format = schema::any_object();
    ToolsRef tools;
    std::vector<std::string> stop;
    std::string end;  // The members that the last event of a server has beside its delta.

    // The answer if the server sends these deltas.
    Heard heard(const std::vector<std::string>& deltas)
    {
        std::string body;
        for (const std::string& delta : deltas)
            body += R"(data: {"choices":[{"index":0,"delta":)" + delta + "}]}\n\n";
        if (!end.empty()) body += R"(data: {"choices":[{"index":0,"delta":{},)" + end + "}]}\n\n";
        Peer peer({Peer::answering(events(body + "data: [DONE]\n\n"))});
        open({peer.url()});
        Prompt prompt{.turns = {{Speaker::user, "hi"}}};
        prompt.sampling.format = format;
        prompt.sampling.tools = tools;
        prompt.sampling.stop = stop;
        return boost::asio::co_spawn(loops[0].executor(), listen(std::move(prompt)),
                                     boost::asio::use_future)
            .get();
    }

private:
    Task<Heard> listen(Prompt prompt)
    {
        Heard heard;
        const auto reply = (co_await checked_start(*engine, std::move(prompt), {})).value();
        while (co_await hear_next(*reply, heard)) {
        }
        co_return heard;
    }
};

TEST_F(ReplyTest, LeavesOutTheWhiteSpaceOfJson)
{
    const Heard answer = heard(
        {text_delta(" { \"a\" "), text_delta(" \n "), text_delta(": \"b c\" }"), text_delta("\n")});
    EXPECT_EQ(answer.text(), "{\"a\":\"b c\"}");
    EXPECT_TRUE(answer.finish);
    format = nullptr;
    EXPECT_EQ(heard({text_delta("{ \"a\" : 1 }\n")}).text(), "{ \"a\" : 1 }\n")
        << "without a format";
}

TEST_F(ReplyTest, KeepsTheTextOfAnInvalidAnswer)
{
    for (const std::string_view said :
         {"Sure, here it is", "[I cannot answer that]", "{\"price\":1 000}", "[ Note that ]"}) {
        const Heard answer = heard({text_delta(said)});
        EXPECT_EQ(answer.text(), said);
        ASSERT_TRUE(answer.error) << said;
        EXPECT_EQ(answer.error->code, Errc::invalid_output) << said;
    }
}

// Servers name texts of the model's own, such as "<|im_end|>", in the same member.
TEST_F(ReplyTest, TakesAStopTextThatWasNotAskedForAsTheEnd)
{
    end = R"("finish_reason":"stop","stop_reason":"<|im_end|>")";
    const Heard valid = heard({text_delta("{}")});
    ASSERT_TRUE(valid.finish);
    EXPECT_EQ(valid.finish->reason, StopReason::end_turn);
    const Heard invalid = heard({text_delta("Sure")});
    ASSERT_TRUE(invalid.error);
    EXPECT_EQ(invalid.error->code, Errc::invalid_output);
    format = nullptr;
    stop = {"<|im_end|>"};
    const Heard stopped = heard({text_delta("Sure")});
    ASSERT_TRUE(stopped.finish);
    EXPECT_EQ(stopped.finish->reason, StopReason::stop_sequence);
}

TEST_F(ReplyTest, CountsWhiteSpaceThatItLeavesOut)
{
    const Heard answer = heard({text_delta("{" + std::string(58, ' ') + "}")});
    EXPECT_EQ(answer.text(), "{}");
    ASSERT_TRUE(answer.finish);
    EXPECT_EQ(answer.finish->usage.output_tokens, 20);
}

TEST_F(ReplyTest, LeavesCallsAsTheyAre)
{
    tools = restored_tools(R"({"tools":[{"type":"function","function":{"name":"f"}}]})");
    const std::string called =
        "\n<tool_call>\n{\"id\":\"c1\",\"name\":\"f\",\"arguments\":{\"b\": \"x y\" }}\n"
        "</tool_call>";
    for (const auto& [said, kept] :
         {std::pair("{\"a\": 1", "{\"a\":1"), std::pair("{\"a\": \"b", "{\"a\":\"b"),
          std::pair("{ } ", "{}"), std::pair("Let me see. ", "Let me see. ")}) {
        const Heard answer = heard(
            {text_delta(said), call_delta(R"({"b": "x )", true), call_delta(R"(y" })", false)});
        EXPECT_EQ(answer.text(), kept + called);
        EXPECT_TRUE(answer.finish) << said;
    }
}

}  // namespace
}  // namespace parley::engine::upstream
