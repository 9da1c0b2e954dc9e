// PostgreSQL waits for a synchronous standby that is not there: it answers everything but COMMIT.
#include "base/block_on.hpp"
#include "base/id.hpp"
#include "store/postgres/audit_event_for_tests.hpp"
#include "store/postgres/commit_trial.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/patience_for_tests.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <atomic>
#include <csignal>
#include <future>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace parley::store::postgres {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

class HangingCommitsTest : public testing::Test {
protected:
    ~HangingCommitsTest() override
    {
        demand("");  // For the other tests.
        EXPECT_TRUE(comes_true([&] { return !one_hangs(); }));
        server.give_back(url);
    }

    void demand(const std::string& standby)
    {
        link.execute("ALTER SYSTEM SET synchronous_standby_names = '" + standby + "'");
        link.execute("SELECT pg_reload_conf()");
    }
    bool one_hangs() { return link.text("SELECT count(*)" + hanging) != "0"; }

    const std::string hanging = " FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    TestServer& server = TestServer::instance();
    const std::string url = server.take_tables();
    Link link{Options{.url = url}, [] { return false; }};
};

TEST_F(HangingCommitsTest, ChangesAreRefusedUntilTheyAreAnswered)
{
    std::atomic<int> unknown = 0;
    const auto store = std::move(open_postgres_store({.url = url,
                                                      .connections = 4,
                                                      .settling = 10s,
                                                      .on_unknown_outcome = [&] { ++unknown; }}))
                           .value();
    std::set<std::string> stored;
    std::string last;
    demand("nobody");
    for (int i = 0; last.empty(); ++i) {  // PostgreSQL needs a moment for its new settings.
        const std::string id = "evt_" + std::to_string(i);
        const auto begun = Steady::now();
        if (block_on(store->audit().append(event(id))))
            stored.insert(id);
        else if (Steady::now() - begun > 9900ms)  // It was not given up sooner.
            last = id;
        else
            std::this_thread::sleep_for(20ms);
        ASSERT_LT(i, 10'000);
    }
    EXPECT_TRUE(one_hangs());
    for (int i = 0; i < 5; ++i) {
        const auto begun = Steady::now();
        EXPECT_EQ(block_on(store->audit().append(event("evt_refused"))).error().code,
                  Errc::storage_unavailable);
        EXPECT_LT(Steady::now() - begun, 5s);
    }
    for (const std::string& id : stored) EXPECT_TRUE(block_on(store->audit().find(id)));
    EXPECT_FALSE(block_on(store->audit().find(last)));  // Nobody sees it yet.
    EXPECT_TRUE(comes_true([&] { return !store->can_write(); }));
    EXPECT_EQ(unknown, 0);

    demand("");
    EXPECT_TRUE(comes_true([&] { return store->can_write().has_value(); }));
    EXPECT_TRUE(block_on(store->audit().append(event("evt_after"))));
    EXPECT_TRUE(comes_true([&] { return block_on(store->audit().find(last)).has_value(); }));
    EXPECT_FALSE(block_on(store->audit().find("evt_refused")));
    EXPECT_TRUE(comes_true([&] { return unknown == 1; }));
}

// As if the machine of the server had gone without a word: its process says nothing any more.
class Stopped {
public:
    explicit Stopped(pid_t process) : process_(process) { ::kill(process_, SIGSTOP); }
    ~Stopped() { ::kill(process_, SIGCONT); }
    Stopped(const Stopped&) = delete;
    Stopped& operator=(const Stopped&) = delete;

private:
    const pid_t process_;
};

TEST_F(HangingCommitsTest, AServerThatHasGoneIsNotAskedAnyMore)
{
    const auto store =
        std::move(open_postgres_store({.url = url, .connections = 4, .settling = 3s})).value();
    demand("nobody");
    std::string trial;
    const auto may_append = [&] {
        return block_on(store->audit().append(event(new_id("evt", {}))));
    };
    EXPECT_TRUE(comes_true([&] {
        (void)may_append();
        trial = link.text("SELECT pid" + hanging + " AND query LIKE 'INSERT INTO commit_marks%'");
        return !trial.empty();
    }));
    if (trial.empty()) return;
    EXPECT_TRUE(comes_true([&] { return !store->can_write(); }));
    const Stopped gone(std::stoi(trial));
    demand("");
    EXPECT_TRUE(comes_true([&] { return link.text("SELECT count(*)" + hanging) == "1"; }));
    EXPECT_FALSE(may_append());
    EXPECT_TRUE(comes_true([&] {
        return link.text(
                   "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                   " WHERE query = 'SELECT 1'") != "0";
    }));
    EXPECT_TRUE(comes_true([&] { return may_append().has_value(); }));
}

TEST(CommitTrial, IsNotBegunWithoutAConnection)
{
    static_cast<void>(TestServer::instance());  // Loads the library.
    boost::asio::io_context context;
    using boost::asio::ip::tcp;
    tcp::acceptor silent(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    const std::string host = "postgresql://127.0.0.1:";
    const std::atomic<bool> is_closing = false;
    for (const std::string& port :
         {std::to_string(silent.local_endpoint().port()), std::string("1")}) {
        const Options options{.url = host + port + "/p?sslmode=disable", .patience = 300ms};
        CommitTrial trial(options, is_closing);
        EXPECT_FALSE(trial.is_answered()) << port;
        EXPECT_FALSE(trial.begun()) << port;
    }
}

// As while a change waits for a lock for long.
TEST_F(HangingCommitsTest, TrialsThatFollowOneAnotherShareAConnection)
{
    const std::atomic<bool> is_closing = false;
    const Options options{.url = url, .patience = 1min};
    CommitTrial trial(options, is_closing);
    const auto process = [&] {
        return link.text(
            "SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO commit_marks%'");
    };
    EXPECT_TRUE(comes_true([&] { return process().empty(); }));
    EXPECT_TRUE(comes_true([&] { return trial.is_answered(); }));
    const std::string first = process();
    EXPECT_NE(first, "");
    EXPECT_TRUE(comes_true([&] { return trial.is_answered(); }));
    EXPECT_EQ(process(), first);
    trial.rest();
    EXPECT_TRUE(comes_true([&] { return process().empty(); }));
}

TEST_F(HangingCommitsTest, TheEndOfTheStoreWaitsForNone)
{
    auto store = std::move(open_postgres_store({.url = url, .settling_at_end = 500ms})).value();
    demand("nobody");
    std::vector<std::future<Result<>>> asked;
    for (int i = 0; !one_hangs(); ++i)
        asked.push_back(std::async(std::launch::async, [&store, i] {
            return block_on(store->audit().append(event("evt_" + std::to_string(i))));
        }));
    const auto begun = Steady::now();
    store->end_soon();
    for (auto& each : asked) {
        const auto result = each.get();
        if (!result) EXPECT_EQ(result.error().code, Errc::storage_unavailable);
    }
    store.reset();
    EXPECT_LT(Steady::now() - begun, 20s);
}

TEST_F(HangingCommitsTest, AnEndedWaitIsNoAnswer)
{
    const std::string quiet = "%20-cclient_min_messages%3Derror";  // As a role may have it.
    PostgresConnection writer({.url = url + quiet}, [] { return false; });
    PostgresConnection other({.url = url}, [] { return false; });
    const auto insert = [&](const std::string& purpose) {
        writer.begin(PostgresConnection::Mode::write);
        writer.query("INSERT INTO keys (purpose, bytes) VALUES (?1, ?1)").bind(purpose).run();
    };
    demand("nobody");
    std::future<void> committed;
    for (int i = 0; !one_hangs(); ++i) {
        if (committed.valid() && committed.wait_for(0s) != std::future_status::ready) continue;
        insert("key " + std::to_string(i));
        committed = std::async(std::launch::async, [&] { writer.commit(); });
    }
    link.execute("SELECT pg_cancel_backend(pid)" + hanging);
    EXPECT_THROW(committed.get(), UnknownOutcome);

    // Whether it happened is told when it survives.
    auto told = std::async(std::launch::async, [&] { return other.was_committed(writer.mark()); });
    EXPECT_TRUE(comes_true([&] { return one_hangs(); }));
    EXPECT_EQ(told.wait_for(0s), std::future_status::timeout);
    demand("");
    EXPECT_TRUE(told.get());
}

}  // namespace
}  // namespace parley::store::postgres
