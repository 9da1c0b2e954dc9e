// The database that servers share crashes, and loses the last events of a run that another server
// executes.
#include "base/timer.hpp"
#include "chat/chat_for_tests.hpp"
#include "chat/followed_runs.hpp"

#include <boost/asio/detached.hpp>

#include <functional>

namespace parley::chat {
namespace {

using Type = RunEvent::Type;

// The events of one run.
class ForgetfulJournal final : public journal::Journal {
public:
    void add(const std::string& text)
    {
        const auto number = static_cast<std::int64_t>(events_.size()) + 1;
        events_.push_back(*journal_record(delta_event(number, text)));
    }
    void add_up_to(std::size_t last, const std::string& text)
    {
        while (events_.size() < last) add(text);
    }
    void lose_all_after(std::size_t last) { events_.resize(last); }
    void take_over() { ++epoch_; }
    // The store has the run's end.
    void finish() { has_ended_ = true; }

    Task<Result<>> append(std::string_view, std::uint32_t, std::span<const journal::Frame>) override
    {
        co_return Result<>();
    }
    Task<Result<std::vector<journal::Record>>> read(std::string_view, std::uint32_t after,
                                                    std::size_t) override
    {
        std::vector<journal::Record> records;
        for (std::size_t i = after; i < events_.size(); ++i)
            records.push_back({static_cast<std::uint32_t>(i + 1), events_[i]});
        co_return records;
    }
    Task<Result<std::vector<journal::NewEvents>>> read_all(std::vector<journal::Wanted> wanted,
                                                           std::size_t max_bytes) override
    {
        std::vector<journal::NewEvents> all;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            journal::NewEvents news{.of = i, .has_ended = has_ended_};
            if (has_ended_) {
                all.push_back(std::move(news));
                continue;
            }
            news.records = (co_await read(wanted[i].run, wanted[i].after, max_bytes)).value();
            if (wanted[i].epoch != epoch_) news.epoch = {.number = epoch_, .last = last()};
            if (news.epoch || !news.records.empty()) all.push_back(std::move(news));
        }
        co_return all;
    }
    Task<Result<std::optional<journal::RunState>>> state(std::string_view) override
    {
        co_return std::optional(journal::RunState{.first = 1, .last = last()});
    }
    void end(std::string_view) override {}
    void keep_only(std::span<const std::string>) override {}
    journal::Figures figures() const override { return {}; }

private:
    std::uint32_t last() const { return static_cast<std::uint32_t>(events_.size()); }

    std::vector<std::string> events_;
    std::int64_t epoch_ = 0;
    bool has_ended_ = false;
};

class LostEventsTest : public ChatTest {
protected:
    // A run as the store has it, while another server executes it.
    store::RunWithMessages running()
    {
        auto whole = ask(ana, saying("hello")).value();
        whole.run.status = RunStatus::running;
        whole.run.completed_at.reset();
        whole.answer.reset();
        return whole;
    }
    RunHandle handle_of(const ActiveRunRef& run) { return {context, run}; }

    // Lets others work meanwhile.
    static Task<> wait(std::chrono::milliseconds time)
    {
        Timer timer(co_await boost::asio::this_coro::executor);
        timer.expires_after(time);
        co_await timer.async_wait(awaiting);
    }
    static void later(const Executor& loop, std::function<void()> work)
    {
        boost::asio::co_spawn(
            loop,
            [](std::function<void()> then) -> Task<> {
                co_await wait(100ms);
                then();
            }(std::move(work)),
            boost::asio::detached);
    }
    // The next events that are not empty.
    static Task<std::vector<RunEvent>> next_of(EventReader& reader)
    {
        auto batch = co_await reader.next();
        EXPECT_TRUE(batch && !batch->is_last && !batch->was_suspended);
        co_return batch ? std::move(batch->events) : std::vector<RunEvent>();
    }

    void check(const std::function<Task<bool>(ActiveRunRef)>& work)
    {
        const auto all = [&]() -> Task<bool> {
            auto run = co_await followed.follow(stored);
            const bool done = run && co_await work(*run);
            followed.stop();
            co_return done;
        };
        EXPECT_TRUE(block_on(all()));
        EXPECT_TRUE(followed.wait_until_idle(2s));
    }

    const store::RunWithMessages stored = running();
    ForgetfulJournal shared;
    RunContext context{*store, shared, models, errors, {}};
    RunQueues queues{*store, 1, 1};
    FollowedRuns followed{context, queues};
};

TEST_F(LostEventsTest, AReaderThatIsAheadWaitsUntilTheyAreSentAgain)
{
    shared.add_up_to(6, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        later(run->loop(), [&] {
            shared.add_up_to(10, "a");
            shared.add("next");
        });
        const auto events = co_await next_of(reader);
        EXPECT_EQ(events.size(), 1U);
        co_return !events.empty() && events[0].number == 11 && events[0].type == Type::delta;
    });
}

// Its events of the same numbers are others.
TEST_F(LostEventsTest, AReaderThatIsAheadGetsASnapshotIfAnotherServerTakesOver)
{
    shared.add_up_to(6, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        later(run->loop(), [&] {
            shared.take_over();
            shared.add_up_to(12, "b");
        });
        auto events = co_await next_of(reader);
        EXPECT_TRUE(!events.empty() && events[0].type == Type::snapshot);
        EventReader second = handle_of(run).read(20);
        EXPECT_TRUE(co_await second.is_ahead());
        events = co_await next_of(second);
        co_return !events.empty() && events[0].type == Type::snapshot;
    });
}

TEST_F(LostEventsTest, ReadersGetASnapshotOfWhatTheNextServerContinues)
{
    shared.add_up_to(10, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        shared.lose_all_after(6);
        co_await wait(100ms);
        EXPECT_EQ(run->feed().last(), 10);  // The server that executes it may send them again.
        shared.take_over();
        shared.add("b");
        const auto events = co_await next_of(reader);
        EXPECT_TRUE(events.size() == 1 && events[0].type == Type::snapshot &&
                    events[0].number == 7);
        EXPECT_EQ(run->feed().moment().text, "aaaaaab");
        shared.add_up_to(12, "c");
        for (std::int64_t last = 7; last < 12;) {
            const auto more = co_await next_of(reader);
            if (more.empty()) co_return false;
            for (const RunEvent& event : more) EXPECT_EQ(event.number, ++last);
        }
        co_return run->feed().moment().text == "aaaaaabccccc";
    });
}

// Without a look at the texts, the number of the last event would say that nothing was lost.
TEST_F(LostEventsTest, ReadersGetASnapshotIfTheNextServerHasWrittenAsManySince)
{
    shared.add_up_to(10, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        shared.lose_all_after(6);
        shared.take_over();
        shared.add_up_to(12, "b");
        const auto events = co_await next_of(reader);
        EXPECT_TRUE(events.size() == 1 && events[0].type == Type::snapshot &&
                    events[0].number == 12);
        EXPECT_EQ(run->epoch(), 1);
        co_return run->feed().moment().text == "aaaaaabbbbbb";
    });
}

// The same text, cut into other events.
TEST_F(LostEventsTest, ReadersGetASnapshotIfTheNextServerCutsTheTextInAnotherWay)
{
    shared.add_up_to(10, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        shared.lose_all_after(6);
        shared.take_over();
        shared.add_up_to(12, "aa");
        const auto events = co_await next_of(reader);
        co_return events.size() == 1 && events[0].type == Type::snapshot;
    });
}

TEST_F(LostEventsTest, NothingIsLostIfTheNextServerHasThemAll)
{
    shared.add_up_to(10, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        shared.take_over();
        shared.add("b");
        const auto events = co_await next_of(reader);
        co_return events.size() == 1 && events[0].type == Type::delta&& events[0].number == 11;
    });
}

// Before this server has heard of it.
TEST_F(LostEventsTest, ReadersGetASnapshotIfTheNextServerHasEndedTheRun)
{
    for (const std::uint32_t known : {2U, 10U}) {
        ForgetfulJournal journal_of_run;
        RunContext its_context{*store, journal_of_run, models, errors, {}};
        FollowedRuns follows{its_context, queues};
        journal_of_run.add_up_to(known, "a");
        const auto all = [&]() -> Task<bool> {
            const auto run = (co_await follows.follow(stored)).value();
            EventReader reader = RunHandle(its_context, run).read(known);
            journal_of_run.finish();
            const auto events = co_await next_of(reader);
            EXPECT_TRUE(events.size() == 1 && events[0].type == Type::snapshot);
            const auto end = co_await reader.next();
            EXPECT_TRUE(end && end->is_last && end->events.size() == 1 &&
                        end->events[0].type == Type::ended);
            EXPECT_EQ(run->whole()->run.status, RunStatus::completed);
            follows.stop();
            co_return true;
        };
        EXPECT_TRUE(block_on(all()));
        EXPECT_TRUE(follows.wait_until_idle(2s));
    }
}

TEST_F(LostEventsTest, NothingIsLostIfTheServerThatExecutesTheRunLives)
{
    shared.add_up_to(10, "a");
    check([&](ActiveRunRef run) -> Task<bool> {
        EventReader reader = handle_of(run).read(10);
        shared.lose_all_after(6);
        co_await wait(100ms);
        shared.add_up_to(10, "a");
        shared.add("next");
        const auto events = co_await next_of(reader);
        co_return events.size() == 1 && events[0].number == 11;
    });
}

}  // namespace
}  // namespace parley::chat
