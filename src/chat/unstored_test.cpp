#include "chat/unstored.hpp"

#include "chat/chat_for_tests.hpp"
#include "engine/reply_for_tests.hpp"

namespace parley::chat {
namespace {

class Unstored : public ChatTest {
protected:
    static engine::Prompt saying(std::string text)
    {
        engine::Prompt prompt;
        prompt.turns.push_back({Speaker::user, std::move(text)});
        return prompt;
    }

    Task<Result<UnstoredAnswerRef>> begin(std::string text, std::string id = "chatcmpl-1",
                                          std::string model = "scripted")
    {
        co_return co_await UnstoredAnswer::begin(*runs, *models.find(model), model, ana,
                                                 std::move(id), saying(std::move(text)));
    }

    // Everything to its end.
    static Task<engine::Heard> hear(UnstoredAnswer& answer)
    {
        engine::Heard heard;
        while (!heard.finish) {
            auto written = co_await answer.next();
            if (!written) {
                heard.error = written.error();
                break;
            }
            for (std::string& delta : written->deltas) heard.deltas.push_back(std::move(delta));
            heard.finish = written->finish;
        }
        co_return heard;
    }
    Task<engine::Heard> ask(std::string text)
    {
        const auto begun = co_await begin(std::move(text));
        co_return co_await hear(**begun);
    }
    Task<engine::Heard> ask_as(std::string id)
    {
        const auto begun = co_await begin("hello", std::move(id));
        co_return co_await hear(**begun);
    }
    std::uint64_t ended(RunStatus status) const
    {
        return runs->figures().ended.at(static_cast<std::size_t>(status));
    }
};

TEST_F(Unstored, AnswersWithoutLeavingATrace)
{
    const auto heard = block_on(ask("Hello there, world"));
    EXPECT_EQ(heard.text(), "Hello there, world");
    EXPECT_EQ(heard.finish->usage.output_tokens, 3);
    EXPECT_EQ(journal->figures().runs, 0U);
    const auto kept = block_on(store->sessions().list_sessions(ana, {}, {}, 10));
    ASSERT_TRUE(kept);
    EXPECT_TRUE(kept->items.empty());
    EXPECT_EQ(runs->figures().running, 0U);
    EXPECT_EQ(ended(RunStatus::completed), 1U);
}

TEST_F(Unstored, WaitsForItsTurnLikeARun)
{
    open({.max_concurrent = 1});
    block_on([&]() -> Task<bool> {
        auto first = co_await begin("{words:3}", "1");
        const auto second = co_await begin("{words:2}", "2");
        EXPECT_EQ(runs->figures().queued, 1U);
        EXPECT_FALSE((co_await hear(**first)).error);
        first->reset();  // Destroying it frees its place.
        EXPECT_EQ((co_await hear(**second)).text(), "w1 w2");
        co_return true;
    }());
}

TEST_F(Unstored, IsRefusedWhereTheLineIsFull)
{
    open({.max_concurrent = 1, .max_queued = 1});
    block_on([&]() -> Task<bool> {
        const auto first = co_await begin("a", "1");
        const auto second = co_await begin("b", "2");
        EXPECT_EQ((co_await begin("c", "3")).error().code, Errc::overloaded);
        co_return true;
    }());
    EXPECT_EQ(runs->figures().queued, 0U);
}

TEST_F(Unstored, IsRefusedWhereItDoesNotFit)
{
    block_on([&]() -> Task<bool> {
        std::string words;
        for (int i = 0; i < 90; ++i) words += "word ";
        EXPECT_EQ((co_await begin(words, "1", "small")).error().code, Errc::message_too_long);
        EXPECT_TRUE(co_await begin("few words", "2", "small"));
        co_return true;
    }());
}

TEST_F(Unstored, IsRefusedWhenTheServerShutsDown)
{
    runs->close();
    block_on([&]() -> Task<bool> {
        EXPECT_EQ((co_await begin("hello")).error().code, Errc::shutting_down);
        co_return true;
    }());
}

TEST_F(Unstored, StopsInTheMiddle)
{
    const auto begun_at = std::chrono::steady_clock::now();
    UnstoredAnswer* waiting = nullptr;
    const auto listen = [&]() -> Task<bool> {
        const auto begun = co_await begin("{words:9} {delay_ms:60000}");
        const auto first = co_await (*begun)->next();
        EXPECT_EQ(first->deltas.size(), 1U);
        waiting = begun->get();
        co_return (co_await hear(**begun)).finish->reason == StopReason::cancelled;
    };
    const auto stop = [&]() -> Task<bool> {
        while (!waiting) co_await engine::pause(1ms);
        waiting->stop();
        co_return true;
    };
    std::vector<Task<bool>> both;
    both.push_back(listen());
    both.push_back(stop());
    EXPECT_EQ(block_on_all(std::move(both)), (std::vector<bool>{true, true}));
    EXPECT_LT(std::chrono::steady_clock::now() - begun_at, 30s);
    EXPECT_EQ(runs->figures().running, 0U);
    EXPECT_EQ(ended(RunStatus::cancelled), 1U);
}

TEST_F(Unstored, StopsWhileItWaitsForItsTurn)
{
    open({.max_concurrent = 1});
    block_on([&]() -> Task<bool> {
        const auto first = co_await begin("a", "1");
        const auto second = co_await begin("b", "2");
        (*second)->stop();
        EXPECT_EQ((co_await hear(**second)).finish->reason, StopReason::cancelled);
        EXPECT_EQ(runs->figures().queued, 0U);
        co_return true;
    }());
}

TEST_F(Unstored, HasAsMuchTimeAsARun)
{
    open({.timeout = 1s});
    const auto heard = block_on(ask("{words:2} {delay_ms:60000}"));
    EXPECT_EQ(heard.text(), "w1");
    EXPECT_EQ(heard.error.value().code, Errc::upstream_timeout);
    EXPECT_EQ(ended(RunStatus::failed), 1U);
}

// Its client reads slowly, so that it is not asked for more.
TEST_F(Unstored, LeavesTheQueueWhenItsTimeIsOverOrTheModelHasFinished)
{
    open({.max_concurrent = 1, .timeout = 1s});
    block_on([&]() -> Task<bool> {
        const auto slow = co_await begin("{words:2} {delay_ms:60000}", "1");
        EXPECT_EQ((co_await (*slow)->next())->deltas.size(), 1U);
        EXPECT_EQ((co_await ask_as("2")).text(), "hello");
        EXPECT_EQ((co_await (*slow)->next()).error().code, Errc::upstream_timeout);
        const auto read = co_await begin("hello", "3");
        EXPECT_EQ((co_await hear(**read)).text(), "hello");
        EXPECT_EQ((co_await ask_as("4")).text(), "hello") << "the third answer still exists";
        co_return true;
    }());
    EXPECT_EQ(runs->figures().running, 0U);
}

TEST_F(Unstored, TellsWhetherTheModelHadBegun)
{
    block_on([&]() -> Task<bool> {
        for (const auto& [text, has_begun] :
             {std::pair("{error:upstream_error}", false), {"a b c {fail_after:2}", true}}) {
            const auto begun = co_await begin(text);
            EXPECT_EQ((co_await hear(**begun)).error.value().code, Errc::upstream_error);
            EXPECT_EQ((*begun)->has_begun(), has_begun) << text;
        }
        co_return true;
    }());
}

}  // namespace
}  // namespace parley::chat
