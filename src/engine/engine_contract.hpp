// The contract tests that every engine must pass. An engine's own test file defines how to create
// one, and the prompts:
//
//   struct MakesMine {
//       std::unique_ptr<engine::Engine> open();
//       Prompt talkative();  // Answered in 4 deltas or more, the same each time.
//       Prompt slow();       // Begins to answer soon, and takes 10 s or more to end.
//       std::optional<Prompt> failing_at_once();   // None: it cannot be made to fail.
//       std::optional<Prompt> failing_midway();    // After a delta at least.
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, EngineContract, MakesMine);
#pragma once

#include "base/block_on.hpp"
#include "base/utf8.hpp"
#include "engine/engine.hpp"
#include "engine/reply_for_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace parley::engine {

template <class Maker>
class EngineContract : public testing::Test {
protected:
    static constexpr auto soon = 5s;  // Far less than the duration of a slow answer.
    using Moment = std::chrono::steady_clock::time_point;

    Maker maker;
    Moment stopped_at;
    Moment ended_at;
    std::unique_ptr<Engine> engine = maker.open();

    static Moment now() { return std::chrono::steady_clock::now(); }

    Heard heard(Prompt prompt, std::string so_far = {})
    {
        return block_on(hear(*engine, std::move(prompt), std::move(so_far)));
    }
    std::vector<Heard> heard_at_once(int count)
    {
        std::vector<Task<Heard>> tasks;
        for (int i = 0; i < count; ++i) tasks.push_back(hear(*engine, maker.talkative()));
        return block_on_all(std::move(tasks));
    }

    static bool is_failure_of_an_engine(const Heard& heard)
    {
        constexpr std::array codes{Errc::upstream_error, Errc::upstream_timeout, Errc::overloaded,
                                   Errc::model_unavailable};
        return heard.error && std::ranges::find(codes, heard.error->code) != codes.end();
    }

    // Listens to a slow answer. `waited_for` points to the reply while it waits for more than the
    // beginning.
    Task<Heard> listen(Reply*& waited_for, int& asked)
    {
        Heard heard;
        const auto reply = (co_await engine->start(maker.slow(), {})).value();
        EXPECT_TRUE(co_await hear_next(*reply, heard));
        do {
            waited_for = reply.get();
            ++asked;
        } while (co_await hear_next(*reply, heard));
        ended_at = now();
        co_return heard;
    }
    Task<Heard> stop_once(Reply*& waited_for)
    {
        while (!waited_for) co_await pause(1ms);
        stopped_at = now();
        waited_for->stop();
        co_return Heard{};
    }
    Task<Heard> stop_at_once(bool after_the_first)
    {
        Heard heard;
        const auto reply = (co_await engine->start(maker.slow(), {})).value();
        if (after_the_first) EXPECT_TRUE(co_await hear_next(*reply, heard));
        stopped_at = now();
        reply->stop();
        EXPECT_FALSE(co_await hear_next(*reply, heard));
        ended_at = now();
        co_return heard;
    }
    Task<std::optional<Usage>> cost_of_the_beginning()
    {
        Heard heard;
        const auto reply = (co_await engine->start(maker.slow(), {})).value();
        EXPECT_TRUE(co_await hear_next(*reply, heard));
        co_return reply->used();
    }
    Task<bool> leave(bool after_the_first)
    {
        Heard heard;
        auto reply = (co_await engine->start(maker.slow(), {})).value();
        const bool went_on = !after_the_first || co_await hear_next(*reply, heard);
        stopped_at = now();
        reply.reset();
        ended_at = now();
        co_return went_on;
    }
};

TYPED_TEST_SUITE_P(EngineContract);

TYPED_TEST_P(EngineContract, AnswersInPiecesAndFinishesOnce)
{
    const Heard answer = this->heard(this->maker.talkative());
    ASSERT_FALSE(answer.error);
    EXPECT_GE(answer.deltas.size(), 4U);
    EXPECT_EQ(answer.finish->reason, StopReason::end_turn);
    EXPECT_GT(answer.finish->usage.input_tokens, 0);
    EXPECT_GE(answer.finish->usage.output_tokens, 1);
    EXPECT_LE(answer.finish->usage.cached_input_tokens, answer.finish->usage.input_tokens);
    EXPECT_EQ(this->heard(this->maker.talkative()).text(), answer.text());
}

TYPED_TEST_P(EngineContract, GivesASlowListenerEverything)
{
    const Heard answer = this->heard(this->maker.talkative());
    const Heard slowly = block_on(hear(*this->engine, this->maker.talkative(), {}, 2ms));
    EXPECT_EQ(slowly.text(), answer.text());
    EXPECT_EQ(slowly.finish->usage.output_tokens, answer.finish->usage.output_tokens);
}

TYPED_TEST_P(EngineContract, AnswersManyAtOnceOnOneLoop)
{
    const std::string text = this->heard(this->maker.talkative()).text();
    for (const Heard& answer : this->heard_at_once(12)) EXPECT_EQ(answer.text(), text);
}

TYPED_TEST_P(EngineContract, AnswersManyAtOnceOnSeveralLoops)
{
    const std::string text = this->heard(this->maker.talkative()).text();
    std::vector<std::thread> loops;
    for (int i = 0; i < 4; ++i)
        loops.emplace_back([&] {
            for (const Heard& answer : this->heard_at_once(3)) EXPECT_EQ(answer.text(), text);
        });
    for (std::thread& loop : loops) loop.join();
}

TYPED_TEST_P(EngineContract, StopsWhileItIsWaitedFor)
{
    Reply* waited_for = nullptr;
    int asked = 0;
    std::vector<Task<Heard>> tasks;
    tasks.push_back(this->listen(waited_for, asked));
    tasks.push_back(this->stop_once(waited_for));
    const Heard answer = block_on_all(std::move(tasks)).front();
    ASSERT_FALSE(answer.error);
    EXPECT_EQ(answer.finish->reason, StopReason::cancelled);
    EXPECT_FALSE(answer.deltas.empty());
    EXPECT_LE(asked, 2);  // A piece may have been on its way.
    EXPECT_LT(this->ended_at - this->stopped_at, this->soon);
}

TYPED_TEST_P(EngineContract, StopsBeforeItIsAsked)
{
    for (const bool after_the_first : {false, true}) {
        const Heard answer = block_on(this->stop_at_once(after_the_first));
        ASSERT_FALSE(answer.error);
        EXPECT_EQ(answer.finish->reason, StopReason::cancelled);
        EXPECT_LT(this->ended_at - this->stopped_at, this->soon);
    }
}

TYPED_TEST_P(EngineContract, MayBeLeftInTheMiddleOfAnAnswer)
{
    for (const bool after_the_first : {false, true}) {
        EXPECT_TRUE(block_on(this->leave(after_the_first)));
        EXPECT_LT(this->ended_at - this->stopped_at, this->soon);
    }
    EXPECT_FALSE(this->heard(this->maker.talkative()).error);
}

TYPED_TEST_P(EngineContract, TellsWhatAnAnswerHasCostInTheMiddleOfIt)
{
    const Usage used = block_on(this->cost_of_the_beginning()).value();
    EXPECT_GT(used.input_tokens, 0);
    EXPECT_GT(used.output_tokens, 0);
}

TYPED_TEST_P(EngineContract, TellsAFailureBeforeTheFirstPiece)
{
    const auto prompt = this->maker.failing_at_once();
    if (!prompt) GTEST_SKIP();
    const Heard answer = this->heard(*prompt);
    EXPECT_TRUE(answer.deltas.empty());
    EXPECT_TRUE(this->is_failure_of_an_engine(answer));
    EXPECT_TRUE(!answer.used || answer.used->input_tokens > 0) << "nothing rather than a wrong 0";
}

TYPED_TEST_P(EngineContract, GivesWhatWasWrittenBeforeAFailure)
{
    const auto prompt = this->maker.failing_midway();
    if (!prompt) GTEST_SKIP();
    const Heard answer = this->heard(*prompt);
    EXPECT_FALSE(answer.deltas.empty());
    EXPECT_FALSE(answer.finish);
    EXPECT_TRUE(this->is_failure_of_an_engine(answer));
    EXPECT_GT(answer.used.value().input_tokens, 0);
    EXPECT_GT(answer.used.value().output_tokens, 0);
}

TYPED_TEST_P(EngineContract, GoesOnFromWhatWasWritten)
{
    const Heard answer = this->heard(this->maker.talkative());
    if (!this->engine->can_continue()) {
        const Heard refused = this->heard(this->maker.talkative(), answer.deltas.front());
        EXPECT_EQ(refused.error.value().code, Errc::not_implemented);
        return;
    }
    for (std::size_t i = 0; i <= answer.deltas.size(); ++i) {
        const std::string so_far = answer.text_of(i);
        const Heard rest = this->heard(this->maker.talkative(), so_far);
        ASSERT_FALSE(rest.error);
        EXPECT_EQ(so_far + rest.text(), answer.text());
        EXPECT_EQ(rest.finish->reason, answer.finish->reason);
        EXPECT_EQ(rest.finish->usage.output_tokens, answer.finish->usage.output_tokens);
    }
}

TYPED_TEST_P(EngineContract, EndsAtTheTokensThatItMayWrite)
{
    const Heard answer = this->heard(this->maker.talkative());
    Prompt prompt = this->maker.talkative();
    prompt.sampling.max_output_tokens = 2;
    const Heard cut = this->heard(prompt);
    EXPECT_EQ(cut.finish->reason, StopReason::max_tokens);
    EXPECT_EQ(cut.finish->usage.output_tokens, 2);
    EXPECT_LT(cut.text().size(), answer.text().size());
    EXPECT_TRUE(answer.text().starts_with(cut.text()));
    prompt.sampling.max_output_tokens = answer.finish->usage.output_tokens + 1;
    EXPECT_EQ(this->heard(prompt).text(), answer.text());
    EXPECT_EQ(this->heard(prompt).finish->reason, StopReason::end_turn);
}

TYPED_TEST_P(EngineContract, EndsBeforeAStopSequence)
{
    const Heard answer = this->heard(this->maker.talkative());
    const std::string text = answer.text();
    // From the middle of one delta into the next.
    const std::size_t at = utf8::cut(text, answer.text_of(2).size() - 1).size();
    const std::string stop = text.substr(at, utf8::cut(text.substr(at), 4).size());
    Prompt prompt = this->maker.talkative();
    prompt.sampling.stop = {"\x01 never said", stop};
    const Heard cut = this->heard(prompt);
    EXPECT_EQ(cut.text(), text.substr(0, text.find(stop)));
    EXPECT_EQ(cut.finish->reason, StopReason::stop_sequence);
}

TYPED_TEST_P(EngineContract, CountsEachTurn)
{
    const auto counts = block_on(this->engine->count(
        {{Speaker::user, "one"}, {Speaker::assistant, ""}, {Speaker::user, "one two three four"}}));
    ASSERT_EQ(counts->size(), 3U);
    EXPECT_LT(counts->at(1), counts->at(2));
    EXPECT_LT(counts->at(0), counts->at(2));
    EXPECT_TRUE(block_on(this->engine->count({}))->empty());
    EXPECT_GT(this->engine->context(), counts->at(2));
    EXPECT_GT(this->engine->longest_token(), 0);
}

REGISTER_TYPED_TEST_SUITE_P(EngineContract, AnswersInPiecesAndFinishesOnce,
                            GivesASlowListenerEverything, AnswersManyAtOnceOnOneLoop,
                            AnswersManyAtOnceOnSeveralLoops, StopsWhileItIsWaitedFor,
                            StopsBeforeItIsAsked, MayBeLeftInTheMiddleOfAnAnswer,
                            TellsWhatAnAnswerHasCostInTheMiddleOfIt,
                            TellsAFailureBeforeTheFirstPiece, GivesWhatWasWrittenBeforeAFailure,
                            GoesOnFromWhatWasWritten, EndsAtTheTokensThatItMayWrite,
                            EndsBeforeAStopSequence, CountsEachTurn);

}  // namespace parley::engine
