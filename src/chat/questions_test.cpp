#include "chat/chat_for_tests.hpp"
#include "chat/titles.hpp"

namespace parley::chat {
namespace {

using QuestionsTest = ChatTest;

store::KeyClaim key(std::string name, unsigned char request = 1)
{
    const TimePoint now = system_clock().now();
    store::KeyClaim claim{.key = std::move(name), .now = now, .expires_at = now + key_life};
    claim.fingerprint[0] = request;
    return claim;
}

TEST_F(QuestionsTest, TheSameKeyGivesTheSameRun)
{
    Question question = saying("once");
    question.key = key("a");
    const auto first = ask(ana, question);
    ASSERT_TRUE(first);
    const auto again = block_on(questions->ask(ana, question));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->replayed);
    EXPECT_EQ(again->run.id(), first->run.id);
    EXPECT_EQ(again->run.whole()->answer, first->answer);
    question.key = key("a", 2);
    EXPECT_EQ(block_on(questions->ask(ana, question)).error().code, Errc::idempotency_mismatch);
    question.key = key("a");
    EXPECT_FALSE(block_on(questions->ask(ben, question))->replayed);
}

TEST_F(QuestionsTest, ARetryWhileItRunsJoinsTheRun)
{
    const auto check = [&]() -> Task<bool> {
        Question question = saying("{words:20}{delay_ms:5}");
        question.key = key("a");
        const auto first = co_await questions->ask(ana, question);
        const auto second = co_await questions->ask(ana, question);
        EXPECT_TRUE(second->replayed);
        EXPECT_EQ(second->run.id(), first->run.id());
        EXPECT_EQ(co_await read_all(second->run, 0), co_await read_all(first->run, 0));
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_EQ(runs->figures().running, 0U);
}

TEST_F(QuestionsTest, WhatWasChargedAsAReplayAsksNothingNew)
{
    const auto with_key = [](const char* text, const char* name) {
        Question question = saying(text);
        question.key = key(name);
        return question;
    };
    const auto replayed = [&](Question question) {
        question.must_replay = true;
        return ask(ana, std::move(question));
    };
    const auto done = ask(ana, with_key("Hello", "done"));
    EXPECT_EQ(replayed(with_key("Hello", "done"))->run.id, done->run.id);
    // The key became free between the look at it and this.
    ASSERT_TRUE(ask(ana, with_key("{error:overloaded}", "freed")));
    const auto refused = replayed(with_key("{error:overloaded}", "freed"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_TRUE(refused.error().retry_after);
    EXPECT_EQ(replayed(with_key("Hello", "never seen")).error().code, Errc::conflict);
    EXPECT_EQ(block_on(store->runs().list_runs(ana, {}, {}, 10)).value().items.size(), 2U);
}

TEST_F(QuestionsTest, WhatCannotBeAskedStoresNothing)
{
    Question nothing;
    EXPECT_EQ(block_on(questions->ask(ana, nothing)).error().code, Errc::validation_failed);
    Question unknown = saying("hello");
    unknown.model = "nobody";
    EXPECT_EQ(block_on(questions->ask(ana, unknown)).error().code, Errc::unknown_model);
    Question elsewhere = saying("hello");
    elsewhere.session = "ses_of_nobody";
    EXPECT_EQ(block_on(questions->ask(ana, elsewhere)).error().code, Errc::not_found);
    Question orphan = saying("hello");
    orphan.parent = "msg_of_nobody";
    EXPECT_EQ(block_on(questions->ask(ana, orphan)).error().code, Errc::not_found);
    Question endless = saying(std::string(400, 'x') + " y");
    for (int i = 0; i < 100; ++i) endless.parts->at(0) += " z";
    endless.model = "small";
    EXPECT_EQ(block_on(questions->ask(ana, endless)).error().code, Errc::message_too_long);
    const Question huge = saying(std::string(std::size_t{1} << 20U, 'x'));
    EXPECT_EQ(block_on(questions->ask(ana, huge)).error().code, Errc::message_too_long);
    EXPECT_TRUE(block_on(store->sessions().list_sessions(ana, {}, {}, 10))->items.empty());
    EXPECT_EQ(runs->figures().running, 0U);
}

TEST_F(QuestionsTest, ATestIsAlwaysAnsweredByTheScriptedModel)
{
    Question question = saying("hello");
    question.model = "small";
    Owner test = ana;
    test.test = true;
    EXPECT_EQ(ask(test, question)->run.model, "scripted");
    EXPECT_EQ(ask(ana, question)->run.model, "small");
}

TEST_F(QuestionsTest, TheModelIsShownTheBranchThatFits)
{
    // 75 of its 100 words are for the prompt; it counts what it is shown.
    Question first = saying("a b c d e f g h i j");
    first.model = "small";
    const auto begun = ask(ana, first);
    std::vector<std::int64_t> shown{begun->run.usage->input_tokens};
    std::vector<std::int64_t> from{begun->run.history_from};
    for (int i = 0; i < 7; ++i) {
        Question next = saying("a b c d e f g h i j");
        next.model = "small";
        next.session = begun->run.session;
        const auto ended = ask(ana, next);
        ASSERT_TRUE(ended) << ended.error().message;
        shown.push_back(ended->run.usage->input_tokens);
        from.push_back(ended->run.history_from);
    }
    // Ten words each, then question and answer more: 10 30 50 70, and 90 do not fit. Cut to 60% of
    // 75, that is to at most 45: one turn and the question. From there it grows again.
    EXPECT_EQ(shown, (std::vector<std::int64_t>{10, 30, 50, 70, 30, 50, 70, 30}));
    EXPECT_EQ(from, (std::vector<std::int64_t>{0, 0, 0, 0, 6, 6, 6, 12}));
}

TEST_F(QuestionsTest, TurnsWithoutAnAnswerAreNotShown)
{
    const auto empty = ask(ana, saying("{error:overloaded}one two three"));
    Question next = saying("four");
    next.session = empty->run.session;
    EXPECT_EQ(ask(ana, next)->run.usage->input_tokens, 1);
}

TEST(Titles, AreMadeFromWhatWasSaidFirst)
{
    EXPECT_EQ(title_from({"Hello"}), "Hello");
    EXPECT_EQ(title_from({"  two\n\nlines\t and\r\nmore "}), "two lines and more");
    EXPECT_EQ(title_from({"one", "two"}), "one two");
    EXPECT_EQ(title_from({std::string("a\0b", 3)}), "a b");
    EXPECT_EQ(title_from({"   "}), "");
    EXPECT_EQ(title_from({"## A heading"}), "A heading");
    EXPECT_EQ(title_from({"> - quoted * item"}), "quoted * item");
    EXPECT_EQ(title_from({"-5 or #5?"}), "-5 or #5?");
    EXPECT_EQ(title_from({"# "}), "#");
    const std::string long_one = title_from({std::string(50, 'x') + " " + std::string(50, 'y')});
    EXPECT_EQ(long_one, std::string(50, 'x') + "…");
    std::string wide;
    for (int i = 0; i < 2000; ++i) wide += "é";
    std::string sixty;
    for (int i = 0; i < 60; ++i) sixty += "é";
    EXPECT_EQ(title_from({wide}), sixty + "…");
    EXPECT_EQ(title_key("Straße"), title_key("STRASSE"));
}

TEST_F(QuestionsTest, AReplayOfARunThatWasLeftIsNotCalledItsEnd)
{
    // Stored, and not in memory: the next process takes it up.
    Question question = saying("Hello");
    question.key = store::KeyClaim{
        .key = "k", .now = system_clock().now(), .expires_at = system_clock().now() + 1h};
    const auto leave = [&]() -> Task<bool> {
        Question slow = saying("{first_delay_ms:60000}x");
        slow.key = question.key;
        EXPECT_TRUE(co_await questions->ask(ana, slow));
        runs->suspend_all();
        co_return true;
    };
    EXPECT_TRUE(block_on(leave()));
    open();
    const auto again = ask(ana, question);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, Errc::shutting_down);
}

}  // namespace
}  // namespace parley::chat
