// Two servers in one process: one executes runs, the other follows them in the same journal.
#include "chat/followed_runs.hpp"

#include "chat/chat_for_tests.hpp"

namespace parley::chat {
namespace {

class OneOfSeveral final : public cluster::Cluster {
public:
    explicit OneOfSeveral(std::int64_t me) : me_(me) {}

    std::int64_t me() const override { return me_; }
    bool is_fresh() const override { return true; }
    std::chrono::milliseconds silence() const override { return 0ms; }
    std::size_t members() const override { return 2; }
    std::uint64_t times_fenced() const override { return 0; }
    bool is_first() const override { return false; }
    void drain() override {}
    void tell_others(const std::vector<std::string>& /*logs*/) override {}
    void listen(cluster::Callbacks /*callbacks*/) override {}
    void leave() override {}

private:
    const std::int64_t me_;
};

class FollowedRunsTest : public ChatTest {
protected:
    FollowedRunsTest()
    {
        RunOptions options;
        options.cluster = &cluster;
        others = std::make_unique<Runs>(*store, *journal, models, errors, options);
    }
    ~FollowedRunsTest() override { others.reset(); }

    // A run that is being written.
    Task<RunHandle> writing(std::string text)
    {
        auto asked = co_await questions->ask(ana, saying(std::move(text)));
        EventReader reader = asked->run.read(0);
        for (std::size_t seen = 0; seen < 5;) seen += (co_await reader.next())->events.size();
        co_return std::move(asked->run);
    }

    OneOfSeveral cluster{7};
    std::unique_ptr<Runs> others;
};

TEST_F(FollowedRunsTest, GivesTheSameBytesFromAnyNumberOn)
{
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:60} {delay_ms:100}");
        for (const std::int64_t after : {0, 1, 4}) {
            auto there = co_await others->find(ana, here.id());
            EXPECT_TRUE(after > 0 || there->was_running());
            const auto followed = co_await read_all(std::move(*there), after);
            EXPECT_EQ(followed, co_await read_all(here, after));
            EXPECT_EQ(followed.size(), static_cast<std::size_t>(62 - after));
        }
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

// A poll may be due only 20 ms later.
TEST_F(FollowedRunsTest, AReaderThatComesFromAnotherServerIsNotAhead)
{
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:100} {delay_ms:3}");
        EventReader reader = here.read(5);
        const auto followed = co_await others->find(ana, here.id());
        for (std::int64_t seen = 5; seen < 50;) {
            const auto batch = co_await reader.next();
            seen += std::ssize(batch->events);
            const auto there = co_await others->find(ana, here.id());
            EventReader behind = there->read(seen);
            EXPECT_FALSE(co_await behind.is_ahead()) << seen;
        }
        EXPECT_EQ((co_await read_all(*followed, 0)).size(), 102U) << "no event came twice";
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(FollowedRunsTest, ShowsTheAnswerSoFarAndTheEnd)
{
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:40} {delay_ms:100}");
        const auto there = co_await others->find(ana, here.id());
        EXPECT_EQ(there->view().status, RunStatus::running);
        EXPECT_TRUE(there->view().message.has_value());
        const auto answer = co_await others->unfinished_answer(*here.whole());
        EXPECT_TRUE(answer.has_value());
        const auto ended = co_await there->wait_for_end(20s);
        EXPECT_TRUE(ended.has_value() && *ended);
        EXPECT_EQ(there->whole()->run.status, RunStatus::completed);
        EXPECT_EQ(text_of(*there->whole()), text_of(*here.whole()));
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

TEST_F(FollowedRunsTest, CutsTheStreamOfADeletedRun)
{
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:4000} {delay_ms:3}");
        auto there = co_await others->find(ana, here.id());
        EventReader reader = there->read(0);
        EXPECT_TRUE((co_await reader.next()).has_value());
        EXPECT_TRUE(co_await sessions->remove(ana, here.whole()->run.session, {}, {}));
        for (;;) {
            const auto batch = co_await reader.next();
            EXPECT_TRUE(batch.has_value());
            if (!batch || batch->was_suspended) break;
            EXPECT_FALSE(batch->is_last);
            if (batch->is_last) break;
        }
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

// As when this server was fenced: its reader waits, and gets the events of the server that
// continues the run.
TEST_F(FollowedRunsTest, ReadersOfALostRunGetTheEventsOfItsNewServer)
{
    Runs next(*store, *journal, models, errors, {});
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:80} {delay_ms:3}");
        EventReader reader = here.read(0);
        runs->lose_all();
        while (runs->is_running(here.id()))
            co_await boost::asio::post(co_await boost::asio::this_coro::executor, awaiting);
        const Executor loop = co_await boost::asio::this_coro::executor;
        EXPECT_TRUE(next.resume_unfinished(std::array{loop}));
        const auto frames = co_await read_all(std::move(reader), here.whole()->run.answer);
        EXPECT_EQ(frames.size(), 82U);
        EXPECT_EQ(frames, co_await read_all(*here.whole(), 0));
        EXPECT_EQ(here.whole()->run.status, RunStatus::completed);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

// As when this server has taken over a run that it followed, and has lost it again: the readers of
// both times are served.
TEST_F(FollowedRunsTest, ARunThatIsFollowedMayBeLostByTheSameServer)
{
    RunContext context(*store, *journal, models, errors, {});
    RunQueues queues(*store, 1, 1);
    FollowedRuns followed(context, queues);
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:80} {delay_ms:3}");
        const auto stored = *here.whole();
        EventReader reader = here.read(0);
        const auto earlier = co_await followed.follow(stored);
        const auto lost = std::make_shared<ActiveRun>(stored.run.id, ana, queues.scripted(),
                                                      co_await boost::asio::this_coro::executor);
        lost->set_whole(stored);
        followed.adopt(lost);
        for (const ActiveRunRef& run : {*earlier, lost}) {
            EXPECT_TRUE((co_await RunHandle(context, run).wait_for_end(20s)).has_value());
            EXPECT_EQ(run->whole()->run.status, RunStatus::completed);
        }
        EXPECT_TRUE(followed.all().empty());
        EXPECT_EQ((co_await read_all(std::move(reader), stored.run.answer)).size(), 82U);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
    followed.stop();
    EXPECT_TRUE(followed.wait_until_idle(2s));
}

TEST_F(FollowedRunsTest, CancelsWhatOthersWantToBeCancelled)
{
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:4000} {delay_ms:3}");
        const auto there = co_await others->find(ana, here.id());
        EXPECT_TRUE(co_await there->ask_to_cancel());
        runs->hear({.cancelled = {here.id()}});
        EXPECT_TRUE((co_await here.wait_for_end(20s)).has_value());
        EXPECT_EQ(here.whole()->run.status, RunStatus::cancelled);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

// They use what is destroyed after the last run.
TEST_F(FollowedRunsTest, TheEndWaitsForTasksOfNews)
{
    boost::asio::io_context loop;
    runs->spawn_task(loop.get_executor(), sessions->forget_deleted(ana.user, "ses_deleted"));
    EXPECT_FALSE(runs->wait_until_idle(20ms));
    loop.run();
    EXPECT_TRUE(runs->wait_until_idle(20s));
}

TEST_F(FollowedRunsTest, CancelsRunsThatOthersHaveDeleted)
{
    const auto check = [&]() -> Task<bool> {
        const RunHandle here = co_await writing("{words:4000} {delay_ms:3}");
        const std::string session = here.whole()->run.session;
        runs->hear({.runs = {{.user = ana.user, .session = session, .active = {"run_other"}}}});
        EXPECT_FALSE((co_await here.wait_for_end(50ms)).value());
        runs->hear({.runs = {{.user = ana.user, .session = session, .active = {here.id()}}}});
        EXPECT_TRUE((co_await here.wait_for_end(20s)).value());
        EXPECT_EQ(here.whole()->run.status, RunStatus::cancelled);
        co_return true;
    };
    EXPECT_TRUE(block_on(check()));
}

}  // namespace
}  // namespace parley::chat
