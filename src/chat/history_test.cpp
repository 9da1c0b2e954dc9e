#include "chat/history.hpp"

#include "chat/chat_for_tests.hpp"

namespace parley::chat {
namespace {

// A token is four bytes, so that short texts fill the context. It records what it counts.
class NarrowEngine final : public engine::Engine {
public:
    explicit NarrowEngine(std::int64_t context) : context_(context) {}

    std::int64_t context() const override { return context_; }
    std::int64_t longest_token() const override { return 4; }
    bool can_continue() const override { return false; }
    Task<Result<std::vector<std::int64_t>>> count(std::vector<engine::Turn> turns) override
    {
        std::vector<std::int64_t> counts;
        for (const engine::Turn& turn : turns) {
            counts.push_back(static_cast<std::int64_t>(turn.text.size() + 3) / 4);
            bytes_counted += turn.text.size();
        }
        co_return counts;
    }
    Task<Result<std::unique_ptr<engine::Reply>>> start(engine::Prompt /*prompt*/,
                                                       std::string /*so_far*/) override
    {
        co_return Error{Errc::model_unavailable, "only counts"};
    }

    std::size_t bytes_counted = 0;

private:
    const std::int64_t context_;
};

class HistoryTest : public ChatTest {
protected:
    // A question after this many turns, with questions and answers of this many bytes.
    store::RunWithMessages asked_after(int turns, std::size_t bytes)
    {
        Question question = saying("last");
        for (int i = 0; i < turns; ++i) {
            question.earlier.push_back({Speaker::user, std::string(bytes, 'q')});
            question.earlier.push_back({Speaker::assistant, std::string(bytes, 'a')});
        }
        return ask(ana, std::move(question)).value();
    }
    static std::size_t bytes_of(const History& shown)
    {
        std::size_t bytes = 0;
        for (const engine::Turn& turn : shown.turns) bytes += turn.text.size();
        return bytes;
    }
};

TEST_F(HistoryTest, ReadsNoMoreThanCanFit)
{
    const store::RunWithMessages whole = asked_after(300, 100);
    NarrowEngine engine(1000);  // 750 tokens for the prompt: at most 3,000 bytes.
    const auto shown = block_on(history(*store, engine, whole, ""));
    ASSERT_TRUE(shown) << shown.error().message;
    // 60% of 750 are 450 tokens: nine turns of 50, less the question.
    EXPECT_EQ(bytes_of(*shown), 8 * 200U + 4U);
    EXPECT_EQ(shown->from, 2 * (300 - 8));
    EXPECT_LT(engine.bytes_counted, 3500U) << "of 60,000";

    // The amount that is read does not change the result: all of it fits, or nearly all.
    NarrowEngine larger(1'000'000);
    EXPECT_EQ(block_on(history(*store, larger, whole, ""))->turns.size(), 601U);
    NarrowEngine just_enough(20'100);
    EXPECT_EQ(block_on(history(*store, just_enough, whole, ""))->turns.size(), 601U);
}

TEST_F(HistoryTest, ReadsNoMoreThanSoMuchWhateverTheModelSays)
{
    // Each message is one word for the scripted model, so all of them would fit.
    const store::RunWithMessages whole = asked_after(80, std::size_t{128} * 1024);
    const auto shown = block_on(history(*store, *models.find("scripted"), whole, ""));
    ASSERT_TRUE(shown);
    EXPECT_EQ(shown->turns.size(), 129U) << "16 MiB of 20, and the question";
}

}  // namespace
}  // namespace parley::chat
