#include "engine/scripted/scripted_engine.hpp"

#include "engine/engine_contract.hpp"

#include <gmock/gmock.h>

namespace parley::engine::scripted {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using SteadyClock = std::chrono::steady_clock;

Prompt asking(std::string message, Sampling sampling = {})
{
    return {.turns = {{Speaker::user, std::move(message)}}, .sampling = std::move(sampling)};
}

struct MakesScripted {
    std::unique_ptr<Engine> open() { return make_scripted_engine(); }
    Prompt talkative() { return asking("Déjà vu, 你好 and  so\non 😀 "); }
    Prompt slow() { return asking("{words:100}{delay_ms:60000}"); }
    std::optional<Prompt> failing_at_once() { return asking("{error:overloaded} Hello"); }
    std::optional<Prompt> failing_midway() { return asking("{words:9}{fail_after:2}"); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Scripted, EngineContract, MakesScripted);

// With delays, so that each delta is a piece of its own.
struct MakesDelayedScripted : MakesScripted {
    Prompt talkative() { return asking("{delay_ms:1} one two three four five"); }
    std::optional<Prompt> failing_midway() { return asking("{words:9}{delay_ms:1}{fail_after:2}"); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(DelayedScripted, EngineContract, MakesDelayedScripted);

class ScriptedEngine : public testing::Test {
protected:
    std::unique_ptr<Engine> engine = make_scripted_engine();

    Heard heard(Prompt prompt, std::string so_far = {})
    {
        return block_on(hear(*engine, std::move(prompt), std::move(so_far)));
    }
    Heard heard(std::string message) { return heard(asking(std::move(message))); }
};

TEST_F(ScriptedEngine, SaysTheMessageItself)
{
    const Heard answer = heard("Hello brave  world\n");
    EXPECT_THAT(answer.deltas, ElementsAre("Hello", " brave", "  world\n"));
    EXPECT_EQ(answer.finish->reason, StopReason::end_turn);
}

TEST_F(ScriptedEngine, AnswersTheLastQuestion)
{
    Prompt prompt{.turns = {{Speaker::user, "{words:3} first"},
                            {Speaker::assistant, "w1 w2 w3"},
                            {Speaker::user, "second"}}};
    EXPECT_EQ(heard(prompt).text(), "second");
    prompt.turns.push_back({Speaker::assistant, "not this"});
    EXPECT_EQ(heard(prompt).text(), "second");
    EXPECT_EQ(heard(Prompt{}).text(), "");
}

TEST_F(ScriptedEngine, CompletesAnEmptyReplyWithoutDeltas)
{
    for (const char* message : {"{words:0}", "{delay_ms:1}", ""}) {
        const Heard answer = heard(message);
        EXPECT_THAT(answer.deltas, IsEmpty());
        EXPECT_EQ(answer.finish->reason, StopReason::end_turn);
        EXPECT_EQ(answer.finish->usage.output_tokens, 0);
    }
}

TEST_F(ScriptedEngine, CountsAWordAsAToken)
{
    const Usage usage = heard({.instructions = "Be very brief",
                               .turns = {{Speaker::user, "{words:5} a b"},
                                         {Speaker::assistant, "w1 w2"},
                                         {Speaker::user, "c {words:7}"}}})
                            .finish->usage;
    EXPECT_EQ(usage, (Usage{.input_tokens = 3 + 3 + 2 + 2, .output_tokens = 7}));
    EXPECT_THAT(block_on(engine->count({{Speaker::user, "a b  c"}, {Speaker::user, ""}})).value(),
                ElementsAre(3, 0));
}

TEST_F(ScriptedEngine, GivesManyDeltasAtOnceButNotAll)
{
    const auto first_piece = [](Engine& asked) -> Task<Output> {
        const auto reply = (co_await asked.start(asking("{words:20000}"), {})).value();
        co_return (co_await reply->next()).value();
    };
    EXPECT_THAT(block_on(first_piece(*engine)).deltas, SizeIs(64));
    const Heard answer = heard("{words:20000}");
    EXPECT_THAT(answer.deltas, SizeIs(20'000));
    EXPECT_EQ(answer.finish->usage.output_tokens, 20'000);
}

TEST_F(ScriptedEngine, FailsAfterSomeDeltas)
{
    for (const char* message : {"{words:9}{fail_after:5}", "{words:5}{fail_after:5}",
                                "{words:10}{max_tokens}{fail_after:5}"}) {
        const Heard answer = heard(message);
        EXPECT_THAT(answer.deltas, SizeIs(5)) << message;
        EXPECT_EQ(answer.error.value().code, Errc::upstream_error) << message;
    }
    EXPECT_THAT(heard("{words:9}{fail_after:0}").deltas, IsEmpty());
    EXPECT_TRUE(heard("{words:9}{fail_after:0}").error);
    EXPECT_TRUE(heard("{words:4}{fail_after:5}").finish);
}

TEST_F(ScriptedEngine, FailsBeforeTheFirstDeltaWithAnyCodeOfAFailure)
{
    for (const auto& [name, code] : {std::pair("upstream_error", Errc::upstream_error),
                                     std::pair("upstream_timeout", Errc::upstream_timeout),
                                     std::pair("overloaded", Errc::overloaded),
                                     std::pair("model_unavailable", Errc::model_unavailable),
                                     std::pair("storage_unavailable", Errc::storage_unavailable),
                                     std::pair("shutting_down", Errc::shutting_down)}) {
        const Heard answer = heard(std::string("Hello {error:") + name + "}");
        EXPECT_THAT(answer.deltas, IsEmpty());
        EXPECT_EQ(answer.error.value().code, code);
        EXPECT_FALSE(answer.error->message.empty());
    }
}

TEST_F(ScriptedEngine, StopsAtHalfOfTheWords)
{
    const std::vector<std::pair<std::string, std::size_t>> halves{{"a b c d e {max_tokens}", 2},
                                                                  {"{max_tokens}{words:100}", 50},
                                                                  {"{max_tokens} one", 0},
                                                                  {"{max_tokens}", 0}};
    for (const auto& [message, half] : halves) {
        const Heard answer = heard(message);
        EXPECT_THAT(answer.deltas, SizeIs(half)) << message;
        EXPECT_EQ(answer.finish->reason, StopReason::max_tokens) << message;
        EXPECT_EQ(answer.finish->usage.output_tokens, static_cast<std::int64_t>(half));
    }
}

TEST_F(ScriptedEngine, KeepsToTheTokensThatItMayWrite)
{
    const auto reason = [&](std::int64_t most, const char* message) {
        return heard(asking(message, {.max_output_tokens = most})).finish->reason;
    };
    EXPECT_EQ(reason(3, "a b c d"), StopReason::max_tokens);
    EXPECT_EQ(reason(4, "a b c d"), StopReason::end_turn);
    EXPECT_EQ(heard(asking("{words:9}", {.max_output_tokens = 3})).text(), "w1 w2 w3");
    EXPECT_THAT(heard(asking("{words:9}{max_tokens}", {.max_output_tokens = 5})).deltas, SizeIs(4));
    EXPECT_THAT(heard(asking("{words:9}{max_tokens}", {.max_output_tokens = 3})).deltas, SizeIs(3));
}

TEST_F(ScriptedEngine, GoesOnTheSameWayWhateverEndsTheReply)
{
    for (const Prompt& prompt :
         {asking("a b c d e f", {.max_output_tokens = 4}), asking("{words:200}{max_tokens}"),
          asking("a  b c  d e", {.stop = {" d"}}), asking("{words:130}{delay_ms:0}")}) {
        const Heard answer = heard(prompt);
        for (std::size_t i = 0; i <= answer.deltas.size(); ++i) {
            const Heard rest = heard(prompt, answer.text_of(i));
            EXPECT_EQ(rest.deltas.size(), answer.deltas.size() - i);
            EXPECT_EQ(answer.text_of(i) + rest.text(), answer.text());
            EXPECT_EQ(rest.finish->reason, answer.finish->reason);
            EXPECT_EQ(rest.finish->usage, answer.finish->usage);
        }
    }
}

TEST_F(ScriptedEngine, CountsWhatWasWrittenUntilItFails)
{
    const Heard rest = heard(asking("{words:9}{fail_after:5}"), "w1 w2 w3");
    EXPECT_THAT(rest.deltas, ElementsAre(" w4", " w5"));
    EXPECT_EQ(rest.error.value().code, Errc::upstream_error);
    EXPECT_THAT(heard(asking("{words:9}{fail_after:5}"), "w1 w2 w3 w4 w5").deltas, IsEmpty());
}

TEST_F(ScriptedEngine, GoesOnSomehowAfterATextThatItNeverSaid)
{
    EXPECT_EQ(heard(asking("a b c"), "xyz").text(), " c");
    EXPECT_EQ(heard(asking("a b c"), std::string(1000, 'x')).text(), "");
    EXPECT_EQ(heard(asking("a b c"), "\xff\xff").text(), " c");
}

TEST_F(ScriptedEngine, DelaysTheFirstDeltaAndThoseAfterIt)
{
    const auto took = [&](const char* message, std::string so_far = {}) {
        const auto begun = SteadyClock::now();
        heard(asking(message), std::move(so_far));
        return SteadyClock::now() - begun;
    };
    EXPECT_GE(took("{words:5}{delay_ms:4}"), 16ms);
    EXPECT_GE(took("{words:1}{first_delay_ms:15}"), 15ms);
    EXPECT_GE(took("{words:3}{first_delay_ms:10}{delay_ms:5}"), 20ms);
    EXPECT_GE(took("{error:overloaded}{first_delay_ms:10}"), 10ms);
    EXPECT_LT(took("{words:2}{first_delay_ms:60000}{delay_ms:60000}", "w1"), 10s);
}

// If the listener was slow, the reply catches up and takes no longer.
TEST_F(ScriptedEngine, CatchesUpWithItsSchedule)
{
    const auto late = [](Engine& asked) -> Task<Output> {
        const auto reply = (co_await asked.start(asking("{words:9}{delay_ms:2}"), {})).value();
        co_await pause(50ms);
        co_return (co_await reply->next()).value();
    };
    const Output output = block_on(late(*engine));
    EXPECT_THAT(output.deltas, SizeIs(9));
    EXPECT_TRUE(output.finish);
}

TEST_F(ScriptedEngine, CountsWhatWasWrittenBeforeItWasStopped)
{
    const auto stopped = [](Engine& asked) -> Task<Output> {
        const auto reply = (co_await asked.start(asking("{words:9}{delay_ms:60000}"), {})).value();
        (void)co_await reply->next();
        reply->stop();
        co_return (co_await reply->next()).value();
    };
    const Output output = block_on(stopped(*engine));
    EXPECT_EQ(output.finish.value().reason, StopReason::cancelled);
    EXPECT_EQ(output.finish->usage.output_tokens, 1);
}

TEST(ScriptedEngineOptions, SayHowManyWordsAConversationMayHave)
{
    EXPECT_EQ(make_scripted_engine({.context = 1000})->context(), 1000);
    EXPECT_EQ(make_scripted_engine()->longest_token(), 131'072);
}

class ScriptedFormat : public ScriptedEngine {
protected:
    const schema::SchemaRef format =
        schema::restored(R"({"type":"object","properties":{"b":{"type":"integer"},
                             "a":{"type":"string"}},"required":["a"]})");

    Heard structured(std::string message)
    {
        return heard(asking(std::move(message), {.format = format}));
    }
};

TEST_F(ScriptedFormat, RepeatsAValidMessageInTheOrderOfTheSchema)
{
    EXPECT_EQ(structured(R"({delay_ms:1} {"a": "x y", "b": 2})").text(), R"({"b":2,"a":"x y"})");
}

TEST_F(ScriptedFormat, SaysTheSmallestValueOtherwise)
{
    EXPECT_EQ(structured("Describe it").text(), R"({"a":""})");
    EXPECT_EQ(structured("{words:9}").text(), R"({"a":""})");
}

TEST_F(ScriptedFormat, CutsJsonInHalf)
{
    const Heard answer = structured(R"({max_tokens} {"a":"ääää"})");
    EXPECT_EQ(answer.text(), "{\"a\":\"\u00e4");
    EXPECT_EQ(answer.finish->reason, StopReason::max_tokens);
}

TEST_F(ScriptedFormat, SaysTheBareMessageIfToldTo)
{
    EXPECT_EQ(structured("{invalid_output} Hello there").text(), "Hello there");
    EXPECT_EQ(heard("{invalid_output} Hello there").text(), "Hello there");
}

}  // namespace
}  // namespace parley::engine::scripted
