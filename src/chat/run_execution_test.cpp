#include "chat/chat_for_tests.hpp"
#include "chat/parameters.hpp"

#include <array>
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
    Task<Result<engine::Output>> next() override
    {
        throw std::runtime_error("a bug in the engine");
        co_return engine::Output();
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

TEST_F(RunExecutionTest, TheLastDeltasAreStoredWithTheAnswerAndNotJournalled)
{
    const auto check = [&]() -> Task<bool> {
        const auto asked = co_await questions->ask(ana, saying("one two three"));
        const auto live = co_await read_all(asked->run, 0);
        EXPECT_EQ(live.size(), 5U);
        EXPECT_EQ(journal->figures().records, 1U) << "run.created";
        const auto stored = (co_await store->runs().find_run(ana, asked->run.id())).value();
        EXPECT_EQ(text_of(stored), "one two three");
        EXPECT_EQ(stored.run.last_number, 5);
        EXPECT_EQ(co_await read_all(stored, 0), live);
        EXPECT_EQ(runs->figures().events, 5U);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

class ResumedRunTest : public ChatTest {
protected:
    // How a run of the model "broken" ends that an earlier process left like this.
    RunStatus end_of(RunStatus left)
    {
        const TimePoint now = system_clock().now();
        store::NewRun wanted;
        wanted.new_session = store::Session{
            .id = new_id("ses", now), .owner = ana, .created_at = now, .updated_at = now};
        wanted.run = {.id = new_id("run", now),
                      .owner = ana,
                      .session = wanted.new_session->id,
                      .answer = new_id("msg", now),
                      .model = "broken",
                      .parameters = write_parameters({}, {}, {}, {}),
                      .status = left,
                      .created_at = now};
        wanted.question =
            store::Message{.id = new_id("msg", now), .parts = {"hello"}, .created_at = now};
        const auto check = [&]() -> Task<RunStatus> {
            const auto begun = co_await store->runs().begin_run(wanted);
            const std::string id = begun->whole.run.id;
            const std::vector<Frame> first{
                journal_record(created_event(1, view(begun->whole, errors)))};
            EXPECT_TRUE(co_await journal->append(id, 1, first));
            const Executor loop = co_await boost::asio::this_coro::executor;
            EXPECT_TRUE(runs->resume_unfinished(std::array{loop}));
            const auto run = co_await runs->find(ana, id);
            co_await run->wait_for_end(20s);
            co_return run->whole()->run.status;
        };
        return block_on(check());
    }
};

TEST_F(ResumedRunTest, OnlyARunThatHadBegunIsInterrupted)
{
    Broken seen;
    models.add("broken", std::make_unique<BrokenEngine>(seen));
    EXPECT_EQ(end_of(RunStatus::running), RunStatus::interrupted);
    EXPECT_EQ(end_of(RunStatus::queued), RunStatus::failed) << "the model was not asked";
}

}  // namespace
}  // namespace parley::chat
