// Answers of the real model in a format.
#include "base/block_on.hpp"
#include "engine/checked_start.hpp"
#include "engine/llama/engine_for_tests.hpp"
#include "engine/llama/vocabulary.hpp"
#include "engine/reply_for_tests.hpp"
#include "schema/schemas_for_tests.hpp"

namespace parley::engine::llama {
namespace {

constexpr std::string_view person =
    R"({"type":"object","properties":{"name":{"type":"string","maxLength":20},
        "age":{"type":"integer","minimum":0,"maximum":150},"mood":{"enum":["good","bad"]}},
        "required":["name","age","mood"]})";

Prompt asked_for(const std::string& schema, Sampling sampling)
{
    Prompt prompt = asked("Describe a person as JSON.");
    prompt.sampling = std::move(sampling);
    prompt.sampling.format = schema::restored(schema);
    EXPECT_TRUE(prompt.sampling.format) << schema;
    return prompt;
}

class Structured : public testing::Test {
protected:
    std::unique_ptr<Engine> engine = open_llama();

    Heard heard(Prompt prompt, std::string so_far = {})
    {
        return block_on(hear(*engine, std::move(prompt), std::move(so_far)));
    }
};

TEST_F(Structured, IsValidOrCut)
{
    schema::RandomSchemas schemas(3);
    int complete = 0;
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        const std::string schema = seed == 0 ? std::string(person) : schemas.next();
        const Prompt prompt = asked_for(
            schema, {.max_output_tokens = 30, .temperature = 2, .top_p = 1, .seed = seed});
        const Heard answer = heard(prompt);
        ASSERT_TRUE(answer.finish) << schema;
        if (answer.finish->reason == StopReason::max_tokens) continue;
        ++complete;
        EXPECT_EQ(answer.finish->reason, StopReason::end_turn);
        EXPECT_TRUE(schema::valid(*prompt.sampling.format, answer.text()))
            << answer.text() << " for " << schema;
    }
    EXPECT_GT(complete, 0);
}

TEST_F(Structured, ContinuesAsIfItHadNotStopped)
{
    const Prompt prompt =
        asked_for(std::string(person), {.max_output_tokens = 60, .temperature = 0});
    const Heard whole = heard(prompt);
    ASSERT_EQ(whole.finish->reason, StopReason::end_turn);
    for (std::size_t deltas = 1; deltas < whole.deltas.size(); deltas += 3) {
        const Heard rest = heard(prompt, whole.text_of(deltas));
        EXPECT_TRUE(schema::valid(*prompt.sampling.format, whole.text_of(deltas) + rest.text()))
            << whole.text_of(deltas) << " + " << rest.text();
    }
    EXPECT_EQ(heard(prompt, whole.text()).finish->reason, StopReason::end_turn)
        << "it was complete";
}

TEST_F(Structured, DoesNotContinueATextThatDoesNotMatch)
{
    const Prompt prompt = asked_for(std::string(person), {.max_output_tokens = 9});
    const auto started = block_on([&]() -> Task<Result<std::unique_ptr<Reply>>> {
        co_return co_await engine->start(prompt, "Sure! ");
    }());
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, Errc::internal);
}

TEST_F(Structured, EndsAtTheTokenLimit)
{
    const Heard answer = heard(asked_for(std::string(person), {.max_output_tokens = 5}));
    EXPECT_EQ(answer.finish->reason, StopReason::max_tokens);
    EXPECT_EQ(answer.finish->usage.output_tokens, 5);
}

// Each of them needs to search all tokens now and then, and waits for the others.
TEST_F(Structured, SharesTheModelWithOthers)
{
    const std::string rare =
        R"({"type":"array","items":{"type":"string","format":"date"},"minItems":1,"maxItems":1})";
    std::vector<Task<Heard>> tasks;
    for (std::uint32_t seed = 0; seed < 2; ++seed)
        tasks.push_back(hear(*engine, asked_for(rare, {.temperature = 1, .seed = seed})));
    tasks.push_back(hear(*engine, asked("What is the capital of France?")));
    const auto answers = block_on_all(std::move(tasks));
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_TRUE(schema::valid(*schema::restored(rare), answers[i].text())) << answers[i].text();
    EXPECT_NE(answers[2].text().find("Paris"), std::string::npos);
}

// Every token that the answer may have is the least likely one, so both always need to search.
TEST_F(Structured, TakesTurnsWithOthersThatSearchAllTokens)
{
    const std::string text = R"("zqxjvkwpgfzbqkxjwvzpqgxkfjbzwqvkxpjzgqfwkxbvjqz")";
    const auto vocabulary = Vocabulary::load(weights_for_tests()).value();
    Sampling unlikely{.temperature = 0};
    for (std::size_t i = 0; i < vocabulary->size(); ++i) {
        const std::string piece = vocabulary->piece(static_cast<Token>(i));
        if (!piece.empty() && text.find(piece) != text.npos)
            unlikely.logit_bias.emplace(static_cast<std::int64_t>(i), -100);
    }
    std::vector<std::size_t> written(2);
    std::optional<std::size_t> written_by_other;  // When the first one had ended.
    const auto write = [&](std::size_t index) -> Task<Heard> {
        Prompt prompt = asked_for(R"({"const":)" + text + "}", unlikely);
        const auto reply = (co_await engine->start(std::move(prompt), {})).value();
        Heard heard;
        while (co_await hear_next(*reply, heard)) written[index] = heard.text().size();
        if (!written_by_other) written_by_other = written[1 - index];
        co_return heard;
    };
    std::vector<Task<Heard>> tasks;
    tasks.push_back(write(0));
    tasks.push_back(write(1));
    for (const Heard& answer : block_on_all(std::move(tasks))) EXPECT_EQ(answer.text(), text);
    EXPECT_GT(*written_by_other, text.size() / 4);
}

}  // namespace
}  // namespace parley::engine::llama
