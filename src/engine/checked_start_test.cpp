#include "engine/checked_start.hpp"

#include "base/block_on.hpp"
#include "engine/reply_for_tests.hpp"

namespace parley::engine {
namespace {

// Says a text in one piece.
class OnePiece final : public Reply {
public:
    OnePiece(std::string text, StopReason reason) : text_(std::move(text)), reason_(reason) {}

    Task<Result<Output>> next() override
    {
        Output output{.finish = Finish{.reason = reason_, .usage = {.output_tokens = 7}}};
        if (!text_.empty()) output.deltas.push_back(text_);
        co_return output;
    }
    void stop() override {}

private:
    const std::string text_;
    const StopReason reason_;
};

class Echo final : public Engine {
public:
    StopReason reason = StopReason::end_turn;
    bool is_sure = false;
    ToolUse use = ToolUse::demanded;
    Prompt asked = {};        // The last one,
    std::string so_far = {};  // and the text that it had.

    std::int64_t context() const override { return 100; }
    std::int64_t longest_token() const override { return 1; }
    bool can_continue() const override { return true; }
    bool enforces_format() const override { return is_sure; }
    ToolUse tool_use() const override { return use; }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<Turn>) override
    {
        co_return std::vector<std::int64_t>();
    }
    Task<Result<std::unique_ptr<Reply>>> start(Prompt prompt, std::string output) override
    {
        asked = prompt;
        so_far = std::move(output);
        std::unique_ptr<Reply> reply =
            std::make_unique<OnePiece>(prompt.turns.front().text, reason);
        co_return reply;
    }
};

class CheckedStart : public testing::Test {
protected:
    Echo engine;
    ToolsRef tools;

    void demand_call()
    {
        tools = restored_tools(
            R"({"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"})");
    }
    Heard heard(std::string text, schema::SchemaRef format, std::string so_far = {})
    {
        Prompt prompt{.turns = {{Speaker::user, std::move(text)}}};
        prompt.sampling.format = std::move(format);
        prompt.sampling.tools = tools;
        return block_on(listen(std::move(prompt), std::move(so_far)));
    }

private:
    Task<Heard> listen(Prompt prompt, std::string so_far)
    {
        Heard heard;
        const auto reply =
            (co_await checked_start(engine, std::move(prompt), std::move(so_far))).value();
        while (co_await hear_next(*reply, heard)) {
        }
        heard.used = reply->used();
        co_return heard;
    }
};

TEST_F(CheckedStart, PassesValidAnswersOn)
{
    EXPECT_TRUE(heard("{}", schema::any_object()).finish);
    EXPECT_TRUE(heard("prose", nullptr).finish) << "without a format nothing is checked";
    EXPECT_TRUE(heard("1}", schema::any_object(), "{\"a\":").finish) << "with the text so far";
}

TEST_F(CheckedStart, FailsAfterTheTextOfAnInvalidAnswer)
{
    const Heard answer = heard("prose", schema::any_object());
    EXPECT_EQ(answer.text(), "prose");
    EXPECT_FALSE(answer.finish);
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::invalid_output);
    EXPECT_EQ(answer.used->output_tokens, 7);
    EXPECT_EQ(heard("", schema::any_object()).error->code, Errc::invalid_output);
    EXPECT_TRUE(heard("{}", schema::any_object(), "{}").error) << "with the text so far";
}

TEST_F(CheckedStart, BlamesAnEngineThatEnforcesFormats)
{
    engine.is_sure = true;
    EXPECT_EQ(heard("prose", schema::any_object()).error->code, Errc::internal);
}

TEST_F(CheckedStart, MarksADemandedCall)
{
    demand_call();
    const std::string call = R"({"name":"f","arguments":{}})";
    const Heard whole = heard(call, nullptr);
    EXPECT_EQ(whole.text(), "<tool_call>\n" + call + "\n</tool_call>");
    EXPECT_EQ(engine.asked.answer_prefix, "<tool_call>\n");
    EXPECT_NE(engine.asked.tool_section.find("Function: f"), std::string::npos);
    EXPECT_TRUE(engine.asked.sampling.format);
    EXPECT_EQ(engine.so_far, "");
    EXPECT_EQ(heard("prose", nullptr).error->code, Errc::invalid_output);
    EXPECT_EQ(heard(call, schema::any_object()).text(), whole.text()) << "calls have no format";

    engine.reason = StopReason::max_tokens;
    EXPECT_EQ(heard("{\"name", nullptr).text(), "<tool_call>\n{\"name");
}

TEST_F(CheckedStart, ContinuesADemandedCall)
{
    demand_call();
    EXPECT_EQ(heard(R"("arguments":{}})", nullptr, "<tool_call>\n{\"name\":\"f\",").text(),
              "\"arguments\":{}}\n</tool_call>");
    EXPECT_EQ(engine.so_far, R"({"name":"f",)");
    const Heard ended =
        heard("", nullptr, "<tool_call>\n{\"name\":\"f\",\"arguments\":{}}\n</tool_call>");
    EXPECT_EQ(engine.so_far, R"({"name":"f","arguments":{}})");
    EXPECT_EQ(ended.text(), "") << "it was complete";
    EXPECT_TRUE(ended.finish);
}

TEST_F(CheckedStart, LeavesCallsToAnotherServer)
{
    demand_call();
    engine.use = ToolUse::passed_on;
    EXPECT_EQ(heard("<tool_call>\n{", schema::any_object()).text(), "<tool_call>\n{");
    EXPECT_EQ(engine.asked.tool_section, "");
    EXPECT_EQ(heard("prose", schema::any_object()).error->code, Errc::invalid_output);
}

TEST_F(CheckedStart, KnowsThatAnAnswerWasCut)
{
    engine.reason = StopReason::max_tokens;
    EXPECT_EQ(heard("{\"a", schema::any_object()).finish->reason, StopReason::max_tokens);
}

}  // namespace
}  // namespace parley::engine
