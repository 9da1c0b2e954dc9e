#include "chat/chat_for_tests.hpp"

namespace parley::chat {
namespace {

using SessionsTest = ChatTest;

// Records the keys that it was told to forget.
class Forgetful final : public engine::Engine {
public:
    explicit Forgetful(std::vector<std::string>& forgotten) : forgotten_(forgotten) {}
    std::int64_t context() const override { return 100; }
    std::int64_t longest_token() const override { return 1; }
    bool can_continue() const override { return false; }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<engine::Turn>) override
    {
        co_return std::vector<std::int64_t>();
    }
    Task<Result<std::unique_ptr<engine::Reply>>> start(engine::Prompt, std::string) override
    {
        co_return Error{Errc::model_unavailable, "never"};
    }
    void forget(std::string_view session) override { forgotten_.emplace_back(session); }

private:
    std::vector<std::string>& forgotten_;
};

TEST_F(SessionsTest, ModelsForgetASessionThatIsDeleted)
{
    std::vector<std::string> forgotten;
    models.add("forgetful", std::make_unique<Forgetful>(forgotten));
    const auto made = block_on(sessions->create(ana, {}));
    ASSERT_TRUE(made);
    const std::string id = made->session.id;
    EXPECT_FALSE(block_on(sessions->remove(ben, id)));
    EXPECT_TRUE(forgotten.empty());
    EXPECT_TRUE(block_on(sessions->remove(ana, id)));
    EXPECT_EQ(forgotten, std::vector{engine::session_key(ana.user, id)});
}

TEST_F(SessionsTest, ModelsForgetAUserWhoIsGoneOnceNothingIsWrittenForThem)
{
    std::vector<std::string> forgotten;
    models.add("forgetful", std::make_unique<Forgetful>(forgotten));
    const auto forget = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("Hello {delay_ms:9000}there"));
        EXPECT_TRUE(asked);
        co_await sessions->forget_user(ana.user);
        const auto ended = co_await asked->run.wait_for_end(0ms);
        co_return ended && *ended;
    };
    EXPECT_TRUE(block_on(forget())) << "it was stopped, and waited for";
    EXPECT_EQ(forgotten, std::vector{ana.user});
}

TEST_F(SessionsTest, ModelsForgetWhatAnotherServerHasDeletedOnceItIsNotWrittenAnyMore)
{
    std::vector<std::string> forgotten;
    models.add("forgetful", std::make_unique<Forgetful>(forgotten));
    const auto forget = [&](bool whole_session) -> Task<std::string> {
        const auto asked = co_await questions->ask(ana, saying("Hello {delay_ms:9000}there"));
        const std::string session = asked->run.whole()->run.session;
        if (whole_session)
            co_await sessions->forget_deleted(ana.user, session);
        else
            co_await sessions->forget_deleted(ana.user, session, {asked->run.id()});
        EXPECT_TRUE((co_await asked->run.wait_for_end(0ms)).value()) << "it was stopped";
        co_return engine::session_key(ana.user, session);
    };
    const std::string first = block_on(forget(true));
    const std::string second = block_on(forget(false));
    EXPECT_EQ(forgotten, (std::vector{first, second}));
}

}  // namespace
}  // namespace parley::chat
