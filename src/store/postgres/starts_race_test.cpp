// Starts of automations by several servers: a user has so many in a minute, whoever makes them.
#include "base/id.hpp"
#include "store/postgres/replicas_for_tests.hpp"

#include <atomic>
#include <functional>
#include <future>
#include <thread>

namespace parley::store {
namespace {

// Does something when it is read.
class ReadClock final : public Clock {
public:
    explicit ReadClock(std::function<TimePoint()> read) : read_(std::move(read)) {}
    TimePoint now() const override { return read_(); }
    SteadyPoint steady() const override { return {}; }

private:
    const std::function<TimePoint()> read_;
};

class StartsRaceTest : public ReplicaContractTest {
protected:
    std::unique_ptr<Store> opened(std::size_t connections)
    {
        return std::move(open_postgres_store({.url = url,
                                              .connections = connections,
                                              .patience = std::chrono::minutes(1)}))
            .value();
    }
    // One row of an automation of its own, and the run that is to be its first attempt.
    NewRun attempt_of_new_row(const Owner& owner, std::int64_t most)
    {
        const TimePoint now = later();
        const Automation automation =
            block_on(store->automations().create({.id = new_id("aut", now),
                                                  .owner = owner,
                                                  .name = "digest",
                                                  .name_key = "digest",
                                                  .definition = R"({"message":"Say it."})",
                                                  .evaluated_until = now,
                                                  .created_at = now,
                                                  .updated_at = now},
                                                 1000, std::nullopt, {}))
                .value()
                .automation;
        const AutomationRun row{.id = new_id("aru", now),
                                .automation = automation.id,
                                .owner = owner,
                                .revision = automation.revision,
                                .key = "k",
                                .scheduled_for = now,
                                .values = "{}",
                                .not_before = now,
                                .created_at = now};
        EXPECT_TRUE(block_on(store->ledger().add(owner, {row}, {})));
        NewRun wanted = first_run(owner);
        wanted.new_session->automation = automation.id;
        wanted.run.cause = {.automation = automation.id, .automation_run = row.id, .depth = 1};
        wanted.replica = me;
        wanted.attempt = AttemptClaim{.row = row.id, .clock = &clock, .most_starts = most};
        return wanted;
    }
};

TEST_F(StartsRaceTest, AUserHasSoManyInAMinute)
{
    constexpr int threads = 4;
    constexpr int rounds = 5;
    constexpr std::int64_t most = 7;
    const auto second = opened(threads);
    std::vector<std::vector<NewRun>> wanted(threads);
    for (std::vector<NewRun>& each : wanted)
        for (int i = 0; i < rounds; ++i) each.push_back(attempt_of_new_row(anas, most));
    std::atomic<std::int64_t> begun = 0;
    const auto work = [&](const std::vector<NewRun>& own) {
        for (const NewRun& each : own) {
            const auto run = block_on(second->runs().begin_run(each));
            if (run)
                ++begun;
            else
                EXPECT_EQ(run.error().code, Errc::rate_limited);
        }
    };
    std::vector<std::thread> all;
    for (const std::vector<NewRun>& own : wanted) all.emplace_back([&] { work(own); });
    for (std::thread& thread : all) thread.join();
    EXPECT_EQ(begun, most);
    EXPECT_TRUE(block_on(store->runs().begin_run(attempt_of_new_row(bens, most))))
        << "other users have their own";
}

TEST_F(StartsRaceTest, AClockThatIsSetBackHoldsNobodyUpForLong)
{
    NewRun first = attempt_of_new_row(anas, 1);
    ManualClock ahead;
    ahead.set(clock.now() + 1h);
    first.attempt->clock = &ahead;
    ASSERT_TRUE(block_on(store->runs().begin_run(first)));
    EXPECT_TRUE(block_on(store->runs().begin_run(attempt_of_new_row(anas, 1))));
    NewRun third = attempt_of_new_row(anas, 1);
    const auto refused = block_on(store->runs().begin_run(third));
    ASSERT_FALSE(refused);
    EXPECT_LE(refused.error().retry_after, std::chrono::seconds(60));
}

TEST_F(StartsRaceTest, OneMoreMayBeginAMinuteAfterTheFirst)
{
    ManualClock its;
    NewRun first = attempt_of_new_row(anas, 1);
    NewRun second = attempt_of_new_row(anas, 1);
    first.attempt->clock = second.attempt->clock = &its;
    ASSERT_TRUE(block_on(store->runs().begin_run(first)));
    its.advance(50s);
    const auto refused = block_on(store->runs().begin_run(second));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().retry_after, 10s);
    its.advance(10s);
    EXPECT_TRUE(block_on(store->runs().begin_run(second)));
    EXPECT_TRUE(block_on(store->runs().begin_run(attempt_of_new_row(anas_test, 1))))
        << "test mode is not counted";
}

TEST_F(StartsRaceTest, OneThatWaitsForAnotherCountsFromItsEnd)
{
    const auto second = opened(1);
    const NewRun waits = attempt_of_new_row(anas, 10);
    std::future<Result<BegunRun>> waiting;
    const auto one_waits = [&] {
        return text("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'") != "0";
    };
    // It is read under the lock.
    const ReadClock slow([&] {
        if (!waiting.valid())
            waiting = std::async(std::launch::async,
                                 [&] { return block_on(second->runs().begin_run(waits)); });
        const auto deadline = std::chrono::steady_clock::now() + 20s;
        while (!one_waits()) {
            if (std::chrono::steady_clock::now() > deadline) {
                ADD_FAILURE() << "the other one does not wait";
                break;
            }
            std::this_thread::sleep_for(2ms);
        }
        clock.advance(10s);
        return clock.now();
    });
    NewRun first = attempt_of_new_row(anas, 10);
    first.attempt->clock = &slow;
    ASSERT_TRUE(block_on(store->runs().begin_run(first)));
    ASSERT_TRUE(waiting.get());
    EXPECT_EQ(text("SELECT count(DISTINCT started_ms) FROM attempts"), "1");
}

TEST_F(StartsRaceTest, DeletingTheAutomationLeavesNoRoomForMore)
{
    NewRun first = attempt_of_new_row(anas, 1);
    NewRun second = attempt_of_new_row(anas, 1);
    first.attempt->clock = second.attempt->clock = &system_clock();  // The store deletes by it.
    ASSERT_TRUE(block_on(store->runs().begin_run(first)));
    ASSERT_TRUE(block_on(
        store->automations().remove(anas, first.run.cause.automation, std::nullopt, later(), {})));
    EXPECT_FALSE(block_on(store->automations().sweep_removed(10)).value());
    const auto refused = block_on(store->runs().begin_run(second));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::rate_limited);

    link.execute("UPDATE attempts SET started_ms = started_ms - 60000");
    reopen();
    EXPECT_FALSE(block_on(store->automations().sweep_removed(10)).value());
    EXPECT_EQ(text("SELECT count(*) FROM automations WHERE removed = 1"), "0");
    EXPECT_EQ(text("SELECT count(*) FROM attempts"), "0");
    EXPECT_TRUE(block_on(store->runs().begin_run(second)));
}

}  // namespace
}  // namespace parley::store
