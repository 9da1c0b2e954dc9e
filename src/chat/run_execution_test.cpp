#include "chat/chat_for_tests.hpp"

#include <stdexcept>

namespace parley::chat {
namespace {

// The state of a model that throws while it writes, for tests.
struct Broken {
    std::function<void()> when_gone = {};
    bool was_stopped = false;
};

class BrokenReply final : public engine::Reply {
public:
    explicit BrokenReply(Broken& seen) : seen_(seen) {}
    ~BrokenReply() override
    {
        if (seen_.when_gone) seen_.when_gone();
    }
    Task<Result<engine::Written>> next() override
    {
        throw std::runtime_error("a bug in the engine");
        co_return engine::Written();
    }
    void stop() override { seen_.was_stopped = true; }

private:
    Broken& seen_;
};

class BrokenEngine final : public engine::Engine {
public:
    explicit BrokenEngine(Broken& seen) : seen_(seen) {}
    std::int64_t context() const override { return 100; }
    std::int64_t longest_token() const override { return 100; }
    bool can_continue() const override { return false; }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<engine::Turn> turns) override
    {
        co_return std::vector<std::int64_t>(turns.size(), 1);
    }
    Task<Result<std::unique_ptr<engine::Reply>>> start(engine::Prompt /*prompt*/,
                                                       std::string /*so_far*/) override
    {
        co_return std::make_unique<BrokenReply>(seen_);
    }

private:
    Broken& seen_;
};

using RunExecutionTest = ChatTest;

// It is told to stop while its end is being stored; there is no reply left to stop.
TEST_F(RunExecutionTest, AReplyThatThrewIsNotToldToStop)
{
    Broken seen;
    models.add("broken", std::make_unique<BrokenEngine>(seen));
    const auto check = [&]() -> Task<bool> {
        Question question = saying("hello");
        question.model = "broken";
        const auto asked = co_await questions->ask(ana, std::move(question));
        seen.when_gone = [&] { asked->run.cancel(); };
        co_await asked->run.wait_for_end(20s);
        EXPECT_TRUE(has_ended(asked->run.whole()->run.status));
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    EXPECT_FALSE(seen.was_stopped);
}

}  // namespace
}  // namespace parley::chat
