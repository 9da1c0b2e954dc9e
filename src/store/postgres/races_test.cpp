// Decisions that two servers must not make at the same time, made on two servers by many threads.
#include "store/chat_contract_fixture.hpp"
#include "store/postgres/patience_for_tests.hpp"
#include "store/postgres/trial_for_tests.hpp"

#include <atomic>
#include <functional>
#include <latch>
#include <mutex>
#include <thread>

namespace parley::store {
namespace {

class RacesTest : public ChatContractTest {
protected:
    static constexpr int threads = 12;

    // Calls `work` on all threads at once, with one of the two stores and the thread's number.
    void together(const std::function<void(Store&, int)>& work)
    {
        std::latch ready(threads);
        std::vector<std::thread> all;
        for (int i = 0; i < threads; ++i)
            all.emplace_back([&, i] {
                ready.arrive_and_wait();
                work(i % 2 == 0 ? *first : *second, i);
            });
        for (std::thread& thread : all) thread.join();
    }

    // Sweeps while another transaction renews expired rows; gives the number of deleted ones.
    std::size_t swept_during(const std::string& renewal,
                             const std::function<Task<Result<std::size_t>>(Store&)>& sweep)
    {
        postgres::Link renewing({.url = url}, [] { return false; });
        renewing.execute("BEGIN");
        renewing.execute(renewal);
        std::size_t deleted = 0;
        std::thread sweeper([&] { deleted = block_on(sweep(*first)).value(); });
        EXPECT_TRUE(postgres::comes_true([&] {
            return text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") !=
                   "0";
        }));
        renewing.execute("COMMIT");
        sweeper.join();
        return deleted;
    }
    std::string text(const std::string& sql)
    {
        return postgres::Link({.url = url}, [] { return false; }).text(sql);
    }

    const std::string url = static_cast<const PostgresStoreOnTrial&>(*trial).url();
    const postgres::Options options{
        .url = url, .connections = 8, .patience = std::chrono::minutes(1)};
    const std::unique_ptr<Store> first = std::move(open_postgres_store(options)).value();
    const std::unique_ptr<Store> second = std::move(open_postgres_store(options)).value();
};

TEST_F(RacesTest, OneQuestionIsBegunInASessionAndTheOthersFindItBusy)
{
    for (int round = 0; round < 5; ++round) {
        const Session session = created(anas);
        std::vector<NewRun> wanted;
        for (int i = 0; i < threads; ++i) wanted.push_back(new_run(session));
        std::atomic<int> begun = 0;
        std::atomic<int> busy = 0;
        together([&](Store& on, int i) {
            const auto result = block_on(on.runs().begin_run(wanted[static_cast<std::size_t>(i)]));
            if (result)
                ++begun;
            else if (result.error().code == Errc::session_busy)
                ++busy;
        });
        EXPECT_EQ(begun, 1);
        EXPECT_EQ(busy, threads - 1);
    }
}

TEST_F(RacesTest, AnImageThatAnotherSessionTakesIsNotDeleted)
{
    const Image image{.sha256 = "hash", .media_type = "image/png", .bytes = "bytes"};
    for (int round = 0; round < 10; ++round) {
        const Session session = created(anas);
        NewRun shown = new_run(session);
        shown.question->images = {{.after = 1, .sha256 = image.sha256}};
        shown.images = {image};
        ASSERT_TRUE(begin(shown));
        std::vector<NewRun> wanted;
        for (int i = 0; i < threads; ++i) {
            wanted.push_back(first_run(anas));
            wanted.back().question->images = {{.after = 1, .sha256 = image.sha256}};
            wanted.back().images = {image};
        }
        together([&](Store& on, int i) {
            if (i == 0) {
                EXPECT_TRUE(block_on(on.sessions().remove_session(anas, session.id)));
                return;
            }
            const auto begun = block_on(on.runs().begin_run(wanted[static_cast<std::size_t>(i)]));
            EXPECT_TRUE(begun) << begun.error().message;
        });
        EXPECT_EQ(block_on(messages().find_image(anas, image.sha256)).value(), image);
        for (int i = 1; i < threads; ++i) {
            const auto& other = *wanted[static_cast<std::size_t>(i)].new_session;
            EXPECT_TRUE(block_on(sessions().remove_session(anas, other.id)));
        }
        EXPECT_FALSE(block_on(messages().find_image(anas, image.sha256)));
    }
}

TEST_F(RacesTest, OneKeyBeginsOneRun)
{
    for (int round = 0; round < 5; ++round) {
        const Session session = created(anas);
        std::vector<NewRun> wanted;
        for (int i = 0; i < threads; ++i) {
            wanted.push_back(new_run(session));
            wanted.back().key = claim("key " + std::to_string(round));
        }
        std::atomic<int> fresh = 0;
        std::mutex mutex;
        std::set<std::string> ids;
        together([&](Store& on, int i) {
            const auto result = block_on(on.runs().begin_run(wanted[static_cast<std::size_t>(i)]));
            ASSERT_TRUE(result) << result.error().message;
            const std::lock_guard lock(mutex);
            ids.insert(result->whole.run.id);
            if (!result->replayed) ++fresh;
        });
        EXPECT_EQ(fresh, 1);
        EXPECT_EQ(ids.size(), 1U);
    }
}

TEST_F(RacesTest, ARunEndsOnce)
{
    const RunWithMessages run = begun(created(anas));
    const FinishedRun end = end_of(run.run);
    std::atomic<int> ended = 0;
    together([&](Store& on, int) { ended += block_on(on.runs().finish_run(end)) ? 1 : 0; });
    EXPECT_EQ(ended, 1);
}

TEST_F(RacesTest, NumbersOfTheEventLogHaveNoGapAndNoDouble)
{
    constexpr int each = 10;
    std::vector<std::vector<Session>> wanted(threads);
    for (auto& sessions : wanted)
        for (int i = 0; i < each; ++i) sessions.push_back(new_session(anas));
    together([&](Store& on, int i) {
        for (const Session& session : wanted[static_cast<std::size_t>(i)])
            EXPECT_TRUE(block_on(on.sessions().create_session(session)));
    });
    EventTypes types;
    types.add(EventType::session_created);
    const EventPage page = block_on(store->events().read(anas, 0, types, 1000)).value();
    ASSERT_EQ(page.events.size(), static_cast<std::size_t>(threads * each));
    std::int64_t expected = page.events.front().number;
    for (const Event& event : page.events) EXPECT_EQ(event.number, expected++);
}

TEST_F(RacesTest, TheLastOperatorStays)
{
    const User one = added_user("one", Role::operator_);
    const User other = added_user("other", Role::operator_);
    together([&](Store& on, int i) {
        (void)block_on(on.accounts().remove_user(i % 4 < 2 ? one.id : other.id));
    });
    EXPECT_TRUE(block_on(store->accounts().has_operator()).value());
}

TEST_F(RacesTest, ARemovedUserLeavesNothingBehind)
{
    for (int round = 0; round < 5; ++round) {
        const User user = added_user("eve" + std::to_string(round));
        const Owner owner{user.id, false};
        std::vector<Session> wanted;
        for (int i = 0; i < threads; ++i) wanted.push_back(new_session(owner));
        together([&](Store& on, int i) {
            if (i == 5) {
                EXPECT_TRUE(block_on(on.accounts().remove_user(user.id)));
                return;
            }
            const auto made =
                block_on(on.sessions().create_session(wanted[static_cast<std::size_t>(i)]));
            if (!made) {
                EXPECT_EQ(made.error().code, Errc::not_found);
            }
        });
        for (const Session& session : wanted) EXPECT_FALSE(is_there(session));
    }
    postgres::Link link({.url = url}, [] { return false; });
    for (const std::string table : {"events", "event_heads"})
        EXPECT_EQ(link.text("SELECT count(*) FROM " + table +
                            " WHERE owner / 2 NOT IN (SELECT position FROM users)"),
                  "0");
}

TEST_F(RacesTest, ARefreshTokenUsedAtOnceByManyStaysWithinItsGrace)
{
    const NewLogin login = begun_login(ana);
    std::vector<Refresh> wanted;
    for (int i = 0; i < threads; ++i) wanted.push_back(showing(login.refresh));
    std::atomic<int> refreshed = 0;
    together([&](Store& on, int i) {
        refreshed +=
            block_on(on.tokens().refresh_login(wanted[static_cast<std::size_t>(i)])) ? 1 : 0;
    });
    EXPECT_EQ(refreshed, threads);
}

TEST_F(RacesTest, AKeyThatIsBoundAgainWhileASweepWaitsStays)
{
    NewRun wanted = new_run(created(anas));
    wanted.key = claim("key");
    ASSERT_TRUE(begin(wanted));
    clock.advance(25h);
    const auto sweep = [this](Store& on) {
        return on.runs().sweep_runs(TimePoint(), clock.now(), 100);
    };
    EXPECT_EQ(swept_during("UPDATE idempotency_keys SET expires_ms = expires_ms + 86400000", sweep),
              0U);
    EXPECT_TRUE(block_on(runs().is_replay(anas, claim("key"))).value());
}

TEST_F(RacesTest, ALoginThatIsRenewedWhileASweepWaitsStays)
{
    begun_login(ana);
    const auto sweep = [this](Store& on) { return on.tokens().sweep(clock.now(), 100); };
    const std::string renewal = "UPDATE tokens SET ends_ms = ends_ms + 8640000000";
    clock.advance(100 * 24h);
    EXPECT_EQ(swept_during(renewal, sweep), 0U);
    EXPECT_EQ(text("SELECT count(*) FROM tokens"), "3");
    clock.advance(100 * 24h);
    EXPECT_EQ(swept_during(renewal + " WHERE kind = 'login'", sweep), 2U);
    EXPECT_EQ(text("SELECT count(*) FROM tokens WHERE kind = 'login'"), "1");
}

TEST_F(RacesTest, ARowThatIsQueuedAgainWhileASweepWaitsStays)
{
    const TimePoint now = later();
    const Automation wanted{.id = new_id("aut", now),
                            .owner = anas,
                            .name = "digest",
                            .name_key = "digest",
                            .definition = R"({"message":"Say it."})",
                            .evaluated_until = now,
                            .created_at = now,
                            .updated_at = now};
    const Automation automation =
        block_on(store->automations().create(wanted, 1000, std::nullopt, {})).value().automation;
    const AutomationRun row{.id = new_id("aru", now),
                            .automation = automation.id,
                            .owner = anas,
                            .revision = automation.revision,
                            .key = "k",
                            .scheduled_for = now,
                            .values = "{}",
                            .not_before = now,
                            .created_at = now};
    ASSERT_TRUE(block_on(store->ledger().add(anas, {row}, {})));
    text("UPDATE automation_runs SET status = 'failed', completed_ms = 1 RETURNING 1");
    const auto sweep = [now](Store& on) { return on.ledger().sweep(now, 100); };
    EXPECT_EQ(
        swept_during("UPDATE automation_runs SET status = 'queued', completed_ms = NULL", sweep),
        0U);
    EXPECT_EQ(text("SELECT count(*) FROM automation_runs"), "1");
}

}  // namespace
}  // namespace parley::store
