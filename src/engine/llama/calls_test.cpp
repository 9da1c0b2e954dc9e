// Calls of functions by the real model.
#include "base/block_on.hpp"
#include "engine/answer_reader.hpp"
#include "engine/checked_start.hpp"
#include "engine/llama/engine_for_tests.hpp"
#include "engine/reply_for_tests.hpp"

namespace parley::engine::llama {
namespace {

constexpr std::string_view demanded =
    R"({"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",
        "properties":{"city":{"type":"string","minLength":1,"maxLength":20},
                      "unit":{"enum":["celsius","fahrenheit"]}},"required":["city","unit"]}}},
        {"type":"function","function":{"name":"stop_music"}}],"tool_choice":"required"})";

class Calls : public testing::Test {
protected:
    std::unique_ptr<Engine> engine = open_llama();
    ToolsRef tools = restored_tools(demanded);

    Heard heard(std::string so_far = {})
    {
        Prompt prompt = asked("What is the weather in Paris, in celsius?");
        prompt.sampling.max_output_tokens = 80;
        prompt.sampling.tools = tools;
        return block_on(listen(std::move(prompt), std::move(so_far)));
    }

    Task<Heard> listen(Prompt prompt, std::string so_far)
    {
        Heard heard;
        auto reply = co_await checked_start(*engine, std::move(prompt), std::move(so_far));
        EXPECT_TRUE(reply) << reply.error().message;
        while (co_await hear_next(**reply, heard)) {
        }
        co_return heard;
    }
};

TEST_F(Calls, AreValidIfTheyAreDemanded)
{
    const Heard whole = heard();
    ASSERT_TRUE(whole.finish) << whole.error->message;
    ASSERT_EQ(whole.finish->reason, StopReason::end_turn);
    const auto answer = read_answer(whole.text(), tools, engine->tool_use());
    EXPECT_EQ(answer.text, "");
    ASSERT_EQ(answer.calls.size(), 1U);

    for (std::size_t deltas = 1; deltas < whole.deltas.size(); deltas += 4) {
        const std::string begun = whole.text_of(deltas);
        const auto ended = read_answer(begun + heard(begun).text(), tools, engine->tool_use());
        EXPECT_EQ(ended.calls.size(), 1U) << begun;
    }
    EXPECT_EQ(heard(whole.text()).text(), "") << "it was complete";
}

TEST_F(Calls, AreNotEscapedForTheModel)
{
    const auto read = [&](std::string said, std::string answered) {
        Prompt prompt = asked("Hi");
        prompt.turns.insert(prompt.turns.begin(), {{Speaker::user, std::move(said)},
                                                   {Speaker::assistant, std::move(answered)}});
        prompt.sampling.max_output_tokens = 1;
        return block_on(listen(std::move(prompt), {})).finish->usage.input_tokens;
    };
    const std::string result = text_of_results({{.text = "18"}});
    const std::string call = "<tool_call>\n{}\n</tool_call>";
    EXPECT_EQ(read(escaped_question(result), text_of_calls(call, {})), read(result, call));
}

TEST_F(Calls, ByItsOwnChoiceNeedATemplate)
{
    const auto made = make_llama_engine({.path = weights_for_tests(), .tools = true});
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("<tool_call>"), std::string::npos);
    EXPECT_FALSE(engine->capabilities().tools);
}

}  // namespace
}  // namespace parley::engine::llama
