#include "engine/llama/llama_engine.hpp"

#include "engine/engine_contract.hpp"
#include "engine/llama/engine_for_tests.hpp"

#include <gmock/gmock.h>

namespace parley::engine::llama {
namespace {

using testing::HasSubstr;

struct MakesLlama {
    static std::unique_ptr<Engine> open() { return open_llama(); }

    static Prompt talkative() { return asked("What is the capital of France?"); }
    static Prompt slow()
    {
        Prompt prompt = asked("Write a story of a hundred chapters about a fox.");
        prompt.sampling.max_output_tokens = 400;
        return prompt;
    }
    static std::optional<Prompt> failing_at_once() { return {}; }
    static std::optional<Prompt> failing_midway() { return {}; }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Llama, EngineContract, MakesLlama);

class LlamaEngine : public testing::Test {
protected:
    std::unique_ptr<Engine> engine = open_llama();

    Heard heard(Prompt prompt, std::string so_far = {})
    {
        return block_on(hear(*engine, std::move(prompt), std::move(so_far)));
    }
};

TEST_F(LlamaEngine, KnowsTheCapitalOfFrance)
{
    EXPECT_THAT(heard(asked("What is the capital of France?")).text(), HasSubstr("Paris"));
}

TEST_F(LlamaEngine, AnswersTheSameForTheSameSeed)
{
    Prompt prompt = asked("Tell me about a colour.");
    prompt.sampling = {.max_output_tokens = 16, .temperature = 1, .seed = 7};
    const Heard first = heard(prompt);
    EXPECT_EQ(heard(prompt).text(), first.text());
    EXPECT_EQ(first.text_of(8) + heard(prompt, first.text_of(8)).text(), first.text())
        << "also when it was interrupted";
    prompt.sampling.seed = 8;
    EXPECT_NE(heard(prompt).text(), first.text());
}

// The window of a penalty includes what was written before an interruption.
TEST_F(LlamaEngine, AvoidsRepetitionsAlsoAfterAnInterruption)
{
    Prompt prompt = asked("Count: one two three one two three one two three");
    prompt.sampling = {.max_output_tokens = 24,
                       .temperature = 0,
                       .repeat_penalty = 1.5,
                       .presence_penalty = 0.5,
                       .frequency_penalty = 0.5};
    const Heard first = heard(prompt);
    EXPECT_EQ(first.text_of(12) + heard(prompt, first.text_of(12)).text(), first.text());
    prompt.sampling.repeat_penalty = 1;
    prompt.sampling.presence_penalty = prompt.sampling.frequency_penalty = 0;
    EXPECT_NE(heard(prompt).text(), first.text());
}

TEST_F(LlamaEngine, TellsNoCostOfAnAnswerThatHasNotBegun)
{
    const auto cost = [&]() -> Task<std::optional<Usage>> {
        const auto reply = (co_await engine->start(asked("Hello"), {})).value();
        co_return reply->used();
    };
    EXPECT_FALSE(block_on(cost()));
}

TEST_F(LlamaEngine, CountsTokens)
{
    const Usage usage = heard(asked("What is the capital of France?")).finish->usage;
    EXPECT_EQ(engine->figures().input_tokens, static_cast<std::uint64_t>(usage.input_tokens));
    EXPECT_EQ(engine->figures().output_tokens, static_cast<std::uint64_t>(usage.output_tokens));
}

TEST_F(LlamaEngine, EndsCountingWhenThereIsMoreThanFits)
{
    const std::string page(64'000, '!');
    const auto long_turn = block_on(engine->count({{Speaker::user, std::string(600'000, '!')}}));
    EXPECT_GT(long_turn->front(), engine->context());
    const auto many = block_on(engine->count(std::vector<Turn>(50, {Speaker::user, page})));
    EXPECT_GT(many->front(), 100);
    EXPECT_LT(many->back(), 100) << "the last one was not looked at";
}

TEST_F(LlamaEngine, TakesInstructions)
{
    Prompt prompt = asked("Hello! Who are you?");
    const std::string usual = heard(prompt).text();
    prompt.instructions = "You are a pirate captain. Speak like a pirate.";
    EXPECT_NE(heard(prompt).text(), usual);
}

TEST_F(LlamaEngine, TakesNamesOfSpecialTokensForPlainText)
{
    const auto counts =
        block_on(engine->count({{Speaker::user, "<|im_end|>"}, {Speaker::user, "a"}}));
    EXPECT_GE(counts->at(0), counts->at(1) + 3);
}

TEST_F(LlamaEngine, RefusesWhatItCannotRead)
{
    std::string text;
    for (int i = 0; i < 600; ++i) text += "word ";
    const Heard answer = heard(asked(text));
    EXPECT_EQ(answer.error.value().code, Errc::message_too_long);
}

TEST_F(LlamaEngine, WritesNoMoreThanItsContextHolds)
{
    std::string text;
    for (int i = 0; i < 470; ++i) text += "word ";
    const Heard answer = heard(asked(text));
    ASSERT_FALSE(answer.error);
    EXPECT_LE(answer.finish->usage.input_tokens + answer.finish->usage.output_tokens, 512);
}

TEST(LlamaFile, ThatIsNoneIsRefusedWithASentence)
{
    const auto made = make_llama_engine({.path = "/etc/hostname"});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("/etc/hostname"));
    EXPECT_TRUE(made.error().message.ends_with('.'));
}

TEST(LlamaFile, KnowsNoLongerContextsThanItWasTrainedFor)
{
    const auto made = make_llama_engine({.path = weights_for_tests(), .memory = {.context = 9000}});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("knows 8192 tokens, not 9000"));
    EXPECT_FALSE(make_llama_engine({.path = weights_for_tests(), .memory = {.context = 10}}));
}

TEST(LlamaFile, MayBeClosedWhileItIsBeingLoaded)
{
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(make_llama_engine({.path = weights_for_tests()}));
}

}  // namespace
}  // namespace parley::engine::llama
