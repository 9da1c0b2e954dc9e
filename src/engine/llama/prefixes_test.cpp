// Prefixes that the model does not have to prefill again.
#include "base/block_on.hpp"
#include "engine/llama/engine_for_tests.hpp"
#include "engine/reply_for_tests.hpp"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace parley::engine::llama {
namespace {

std::string long_instructions()
{
    std::string text = "You are a helpful assistant of a bakery.";
    for (int i = 1; i <= 14; ++i)
        text += " Rule " + std::to_string(i) + ": be kind, be brief, and mention bread.";
    return text;
}

Prompt in_session(const std::string& session, std::string question, std::string owner = "usr_ana")
{
    Prompt prompt = asked(std::move(question));
    prompt.owner = std::move(owner);
    prompt.session = session;
    prompt.sampling.max_output_tokens = 8;
    return prompt;
}

class Prefixes : public testing::Test {
protected:
    std::unique_ptr<Engine> engine = open_llama(4);

    Heard heard(Prompt prompt) { return block_on(hear(*engine, std::move(prompt))); }
    Usage usage_of(Prompt prompt) { return heard(std::move(prompt)).finish.value().usage; }

    // The conversation with this answer and the next question.
    static Prompt next_turn(Prompt prompt, const Heard& answer, std::string question)
    {
        prompt.turns.push_back({Speaker::assistant, answer.text()});
        prompt.turns.push_back({Speaker::user, std::move(question)});
        return prompt;
    }
};

TEST_F(Prefixes, OfASessionServeItsNextTurn)
{
    const Prompt first = in_session("ses_a", "Name three kinds of bread, and say why.");
    const Heard answer = heard(first);
    const Usage next = usage_of(next_turn(first, answer, "And a fourth?"));
    EXPECT_GE(next.cached_input_tokens, answer.finish->usage.input_tokens - 4);
    EXPECT_LT(next.cached_input_tokens, next.input_tokens);
}

TEST_F(Prefixes, ServeAlsoWhenOthersHaveUsedEverySlotSince)
{
    Prompt first = in_session("ses_a", "Name three kinds of bread, and say why.");
    const Heard answer = heard(first);
    for (int i = 0; i < 8; ++i) {
        Prompt other = in_session("ses_b" + std::to_string(i), "What is " + std::to_string(i));
        other.instructions = "Count from " + std::to_string(i * 7) + ", as a mathematician would.";
        heard(other);
    }
    const Prompt next = next_turn(first, answer, "And a fourth?");
    const Heard served = heard(next);
    EXPECT_GE(served.finish->usage.cached_input_tokens, answer.finish->usage.input_tokens - 4);
    EXPECT_EQ(served.text(), block_on(hear(*open_llama(), next)).text())
        << "as if it were read anew";
}

TEST_F(Prefixes, OutliveTheEngine)
{
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) /
                                       ("kept-" + std::to_string(::getpid())) / "model.kept";
    engine = open_llama(2, file);
    Prompt first = in_session("ses_a", "Name three kinds of bread, and say why.");
    Prompt forgotten = in_session("ses_b", "Name three kinds of cheese, and say why.");
    const Heard answer = heard(first);
    const Heard other = heard(forgotten);
    engine.reset();
    engine = open_llama(2, file);
    engine->forget("ses_b");
    first = next_turn(first, answer, "And a fourth?");
    forgotten = next_turn(forgotten, other, "And a fourth?");
    const Heard next = heard(first);
    EXPECT_GE(next.finish->usage.cached_input_tokens, answer.finish->usage.input_tokens - 4);
    EXPECT_EQ(next.text(), block_on(hear(*open_llama(), first)).text())
        << "as if it were read anew";
    EXPECT_LT(usage_of(forgotten).cached_input_tokens, other.finish->usage.input_tokens - 4);
    EXPECT_FALSE(std::filesystem::exists(file));
    engine.reset();
    std::filesystem::remove_all(file.parent_path());
}

TEST_F(Prefixes, GoWithTheirSession)
{
    Prompt first = in_session("ses_a", "Name three kinds of bread, and say why.");
    first.instructions = long_instructions();
    const Heard answer = heard(first);
    engine->forget("ses_a");
    EXPECT_EQ(usage_of(next_turn(first, answer, "And?")).cached_input_tokens, 0);
}

TEST_F(Prefixes, GoWithTheUser)
{
    Prompt first = in_session("usr_a/ses_a", "Name three kinds of bread.", "usr_a");
    first.instructions = long_instructions();
    const Heard answer = heard(first);
    engine->forget("usr_b");
    engine->forget("usr_a");
    EXPECT_EQ(usage_of(next_turn(first, answer, "And?")).cached_input_tokens, 0);
}

TEST_F(Prefixes, OfNoSessionLeaveNoConversationBehind)
{
    const Prompt first = in_session("", "Name three kinds of bread, and say why.");
    const Heard answer = heard(first);
    EXPECT_LT(usage_of(next_turn(first, answer, "And?")).cached_input_tokens,
              answer.finish->usage.input_tokens - 4);
}

TEST_F(Prefixes, AreReadOnceForAllWhoBeginAlike)
{
    std::vector<Task<Heard>> tasks;
    for (int i = 0; i < 8; ++i) {
        Prompt prompt = in_session("ses_" + std::to_string(i), "Hello from " + std::to_string(i));
        prompt.instructions = long_instructions();
        tasks.push_back(hear(*engine, prompt));
    }
    const auto answers = block_on_all(std::move(tasks));
    const auto from_the_beginning = std::ranges::count_if(
        answers, [](const Heard& each) { return each.finish->usage.cached_input_tokens < 150; });
    EXPECT_EQ(from_the_beginning, 1);
}

// The number of cached tokens would show another user whether a guessed text is right, and how far.
TEST_F(Prefixes, OfAnOwnerTellNothingToOthers)
{
    const std::string half = "My diary of Monday: I have met my old friend Eve at the harbour.";
    const std::string text = half + " We have hidden the golden key under the third bridge.";
    const auto guessed = [&](const std::string& guesser) {
        Prompt prompt = in_session(guesser + "/ses_b", text, guesser);
        prompt.instructions = long_instructions();
        return usage_of(prompt).cached_input_tokens;
    };
    EXPECT_EQ(guessed("usr_1"), 0) << "ana has asked nothing";
    Prompt secret = in_session("usr_ana/ses_a", half);
    secret.instructions = long_instructions();
    heard(secret);
    EXPECT_EQ(guessed("usr_2"), 0) << "ana has said half of it";
    secret.turns = {{Speaker::user, text}};
    heard(secret);
    EXPECT_EQ(guessed("usr_3"), 0) << "ana has said all of it";
    EXPECT_EQ(guessed("usr_ana/test"), 0) << "a test token is apart from the rest of hers";
    EXPECT_EQ(guessed(""), 0);
    EXPECT_GT(guessed("usr_ana"), 150) << "but it serves herself";
    secret.session.clear();
    secret.owner = "usr_4";
    EXPECT_EQ(usage_of(secret).cached_input_tokens, 0);
    EXPECT_GT(usage_of(secret).cached_input_tokens, 150)
        << "her instructions, also if the conversation is not kept";
}

TEST_F(Prefixes, AreNotWaitedForByOthers)
{
    std::vector<Task<Heard>> tasks;
    for (const std::string owner : {"usr_a", "usr_b", "usr_c"}) {
        Prompt prompt = in_session(owner + "/ses", "Hello from here", owner);
        prompt.instructions = long_instructions();
        tasks.push_back(hear(*engine, prompt));
    }
    for (const Heard& each : block_on_all(std::move(tasks)))
        EXPECT_EQ(each.finish->usage.cached_input_tokens, 0);
}

// Counts steps, not time: one token for each running answer, then a part of the long prompt.
TEST_F(Prefixes, ThatAreLongDoNotStopWhoWrites)
{
    std::string text;
    for (int i = 0; i < 300; ++i) text += "The bread number " + std::to_string(i) + " is good. ";
    int written = 0;
    int written_before_the_long_one = 0;
    const auto write = [&]() -> Task<Heard> {
        Heard heard;
        Prompt prompt = asked("Write a long story about a fox.");
        prompt.sampling.max_output_tokens = 80;
        const auto reply = (co_await engine->start(prompt, {})).value();
        while (co_await hear_next(*reply, heard)) written = static_cast<int>(heard.deltas.size());
        co_return heard;
    };
    const auto read = [&]() -> Task<Heard> {
        while (written < 4) co_await pause(1ms);
        Heard heard;
        const int before = written;
        const auto reply = (co_await engine->start(asked(text.substr(0, 1500)), {})).value();
        co_await hear_next(*reply, heard);
        written_before_the_long_one = written - before;
        co_return heard;
    };
    std::vector<Task<Heard>> tasks;
    tasks.push_back(write());
    tasks.push_back(read());
    const auto answers = block_on_all(std::move(tasks));
    EXPECT_FALSE(answers.back().deltas.empty());
    EXPECT_GE(written_before_the_long_one, 5);
}

}  // namespace
}  // namespace parley::engine::llama
