// The runner of automations, with a store in memory and a clock that tests move.
#include "automation/runner.hpp"

#include "automation/definition.hpp"
#include "base/trusted_time.hpp"
#include "chat/chat_for_tests.hpp"

#include <boost/asio/this_coro.hpp>

namespace parley::automation {
namespace {

using namespace std::chrono_literals;

class RunnerTest : public chat::ChatTest {
protected:
    store::AutomationRun entered_row(const std::string& message)
    {
        api::AutomationDefinition fields;
        fields.name = "Digest";
        fields.message = message;
        const TimePoint now = clock.now();
        const store::Automation automation{
            .id = new_id("aut", now),
            .owner = ana,
            .name = "Digest",
            .name_key = "digest",
            .definition = Definition::make(std::move(fields), zones, 300s).value().write(),
            .evaluated_until = now,
            .created_at = now,
            .updated_at = now};
        EXPECT_TRUE(block_on(store->automations().create(automation, 100, std::nullopt, {})));
        store::AutomationRun row{.id = new_id("aru", now),
                                 .automation = automation.id,
                                 .key = "k",
                                 .scheduled_for = now,
                                 .values = "{}",
                                 .not_before = now,
                                 .created_at = now};
        EXPECT_TRUE(block_on(store->ledger().add(ana, {row}, {})));
        return row;
    }
    // A row that has ended now.
    std::string ended_row()
    {
        const store::AutomationRun row = entered_row("hello");
        EXPECT_TRUE(block_on(store->ledger().cancel(ana, row.id, clock.now(), {})));
        return row.id;
    }
    Task<bool> is_stored(std::string row)
    {
        const auto found = co_await store->ledger().find(ana, std::move(row));
        co_return found.has_value();
    }
    std::shared_ptr<Runner> new_runner()
    {
        return std::make_shared<Runner>(Runner::Services{.store = *store,
                                                         .questions = *questions,
                                                         .sessions = *sessions,
                                                         .runs = *runs,
                                                         .errors = errors,
                                                         .zones = zones,
                                                         .clock = clock,
                                                         .may_sweep =
                                                             [this] {
                                                                 ++asked_to_sweep;
                                                                 return time.may_sweep();
                                                             }},
                                        Options{.rows_keep = std::chrono::days(20)});
    }
    // Has the runner look again until it is done. False if that takes too long.
    template <class IsDone>
    static Task<bool> looked(Runner& runner, IsDone is_done)
    {
        Timer timer(co_await boost::asio::this_coro::executor);
        const auto end = std::chrono::steady_clock::now() + 30s;
        while (!co_await is_done()) {
            if (std::chrono::steady_clock::now() > end) co_return false;
            runner.wake();
            timer.expires_after(5ms);
            co_await timer.async_wait(awaiting);
        }
        co_return true;
    }
    // Whether the row is removed once the clocks have disagreed for a day.
    Task<bool> removed_after_a_day(std::string row)
    {
        const auto runner = new_runner();
        runner->start(co_await boost::asio::this_coro::executor);
        const bool was_asked =
            co_await looked(*runner, [this]() -> Task<bool> { co_return asked_to_sweep > 2; });
        EXPECT_TRUE(was_asked);
        EXPECT_TRUE(co_await is_stored(row));
        for (std::chrono::minutes passed = 0min; passed <= 24h; passed += 1min) {
            clock.advance(1min);
            time.look();
        }
        const bool was_removed =
            co_await looked(*runner, [&]() -> Task<bool> { co_return !co_await is_stored(row); });
        runner->stop();
        co_return was_removed;
    }

    // The run of a row; empty if it does not begin.
    Task<std::string> begun_run(Runner& runner, store::AutomationRun row)
    {
        std::string run;
        co_await looked(runner, [&]() -> Task<bool> {
            const auto now = co_await store->ledger().find(ana, row.id);
            if (now && !now->attempts.empty()) run = now->attempts.back().run;
            co_return runs->is_running(run);
        });
        co_return run;
    }
    // The automation is removed, and no run is told.
    Task<> remove_automation_of(store::AutomationRun row)
    {
        const auto removed =
            co_await store->automations().remove(ana, row.automation, {}, clock.now(), {}, {});
        EXPECT_TRUE(removed);
    }
    Task<bool> is_cancelled(Runner& runner, std::string run)
    {
        co_return co_await looked(runner,
                                  [&]() -> Task<bool> { co_return !runs->is_running(run); });
    }
    // This process crashes before it tells the run; whether the next one does.
    Task<bool> cancelled_by_the_next(store::AutomationRun row)
    {
        const Executor loop = co_await boost::asio::this_coro::executor;
        const auto crashing = new_runner();
        crashing->start(loop);
        const std::string run = co_await begun_run(*crashing, row);
        EXPECT_FALSE(run.empty());
        crashing->stop();
        co_await remove_automation_of(row);
        const auto next = new_runner();
        next->start(loop);
        const bool was_cancelled = co_await is_cancelled(*next, run);
        next->stop();
        co_return was_cancelled;
    }
    // Another process crashes before it tells the run, or cannot reach it.
    Task<bool> cancelled_later(store::AutomationRun row)
    {
        const auto runner = new_runner();
        runner->start(co_await boost::asio::this_coro::executor);
        const std::string run = co_await begun_run(*runner, row);
        EXPECT_FALSE(run.empty());
        co_await remove_automation_of(row);
        clock.advance(1min);
        const bool was_cancelled = co_await is_cancelled(*runner, run);
        runner->stop();
        co_return was_cancelled;
    }

    ManualClock clock;
    TrustedTime time{clock, "boot"};
    int asked_to_sweep = 0;
    const schedule::Zones zones = schedule::Zones::none();
};

TEST_F(RunnerTest, RemovesNoOldRowsWhileTheClocksDisagree)
{
    const std::string row = ended_row();
    clock.advance(2h);
    clock.set(clock.now() + std::chrono::days(30));
    time.look();
    EXPECT_TRUE(block_on(removed_after_a_day(row)));
}

TEST_F(RunnerTest, CancelsRunsWhoseAutomationWasRemovedBeforeACrash)
{
    EXPECT_TRUE(block_on(cancelled_by_the_next(entered_row("{first_delay_ms:60000}late"))));
}

TEST_F(RunnerTest, CancelsRunsThatAnotherProcessCouldNotCancel)
{
    EXPECT_TRUE(block_on(cancelled_later(entered_row("{first_delay_ms:600000}late"))));
}

}  // namespace
}  // namespace parley::automation
