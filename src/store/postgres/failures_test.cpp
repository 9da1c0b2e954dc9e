// Servers that are restarted or killed: nothing that was acknowledged is lost, nothing is stored
// twice, and the store recovers by itself.
#include "base/block_on.hpp"
#include "base/id.hpp"
#include "store/postgres/audit_event_for_tests.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/patience_for_tests.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace parley::store::postgres {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

class FailuresTest : public testing::Test {
protected:
    ~FailuresTest() override
    {
        server.start();  // For the other tests.
        server.give_back(options.url);
    }

    std::unique_ptr<Store> opened() { return std::move(open_postgres_store(options)).value(); }

    TestServer& server = TestServer::instance();
    // A server that was stopped refuses connections at once, on a busy machine, too.
    const Options options{.url = server.take_tables(),
                          .connections = 8,
                          .patience = std::chrono::minutes(1),
                          .settling = std::chrono::minutes(1)};
};

bool is_stored_within(Store& store, std::chrono::seconds most, const std::string& id)
{
    const auto end = Steady::now() + most;
    while (Steady::now() < end) {
        const auto stored = block_on(store.audit().append(event(id)));
        if (stored) return true;
        EXPECT_EQ(stored.error().code, Errc::storage_unavailable);
        std::this_thread::sleep_for(20ms);
    }
    return false;
}

TEST_F(FailuresTest, ARestartIsSurvivedWithoutHelp)
{
    const auto store = opened();
    ASSERT_TRUE(block_on(store->audit().append(event("evt_1"))));
    server.stop();
    const auto begun = Steady::now();
    const auto refused = block_on(store->audit().append(event("evt_2")));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::storage_unavailable);
    EXPECT_EQ(block_on(store->audit().find("evt_1")).error().code, Errc::storage_unavailable);
    EXPECT_LT(Steady::now() - begun, 10s);
    server.start();
    EXPECT_TRUE(is_stored_within(*store, 5s, "evt_3"));
    EXPECT_TRUE(block_on(store->audit().find("evt_1")));
    EXPECT_EQ(block_on(store->audit().find("evt_2")).error().code, Errc::not_found);
}

TEST_F(FailuresTest, AnAbsenceIsReportedUntilTheServerIsBack)
{
    const auto store = opened();
    EXPECT_TRUE(store->can_write());
    server.stop();
    EXPECT_TRUE(comes_true([&] { return !store->can_write(); }));
    EXPECT_EQ(store->can_write().error().code, Errc::storage_unavailable);
    server.start();
    EXPECT_TRUE(comes_true([&] { return store->can_write().has_value(); }));
}

TEST_F(FailuresTest, ConnectionsThatAreEndedAreReplaced)
{
    const auto store = opened();
    ASSERT_TRUE(block_on(store->audit().append(event("evt_1"))));
    Link link(options, [] { return false; });
    for (int i = 0; i < 20; ++i) {
        link.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'parley' AND pid <> pg_backend_pid()");
        EXPECT_TRUE(block_on(store->audit().append(event("evt_t" + std::to_string(i)))));
        EXPECT_TRUE(block_on(store->audit().find("evt_1")));
    }
}

// The results that the writers of a test were given.
class Ledger {
public:
    void note(const std::string& id, const Result<>& result)
    {
        const std::lock_guard lock(mutex_);
        if (result)
            stored_.insert(id);
        else if (result.error().code == Errc::storage_unavailable)
            refused_.insert(id);
        else
            others_.insert(id + ": " + result.error().message);
    }
    std::size_t stored() const
    {
        const std::lock_guard lock(mutex_);
        return stored_.size();
    }
    const std::set<std::string>& all_stored() const { return stored_; }
    const std::set<std::string>& refused() const { return refused_; }
    const std::set<std::string>& others() const { return others_; }

private:
    mutable std::mutex mutex_;
    std::set<std::string> stored_;
    std::set<std::string> refused_;
    std::set<std::string> others_;
};

TEST_F(FailuresTest, KillingTheServerInTheMiddleOfCommitsLosesAndDoublesNothing)
{
    const auto store = opened();
    Ledger ledger;
    std::atomic<bool> is_over = false;
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 8; ++writer)
        writers.emplace_back([&, writer] {
            for (int i = 0; !is_over; ++i) {
                const std::string id = "evt_" + std::to_string(writer) + "_" + std::to_string(i);
                const auto result = block_on(store->audit().append(event(id)));
                ledger.note(id, result);
                if (!result) std::this_thread::sleep_for(5ms);
            }
        });
    for (int round = 0; round < 3; ++round) {
        const std::size_t before = ledger.stored();
        const auto end = Steady::now() + 20s;
        while (ledger.stored() < before + 300 && Steady::now() < end)
            std::this_thread::sleep_for(1ms);
        server.kill();
        while (server.start().empty() && Steady::now() < end) std::this_thread::sleep_for(100ms);
    }
    EXPECT_TRUE(is_stored_within(*store, 5s, "evt_last"));
    is_over = true;
    for (std::thread& writer : writers) writer.join();

    EXPECT_GT(ledger.stored(), 900U);
    EXPECT_EQ(ledger.others(), std::set<std::string>());  // A second insert would be a conflict.
    for (const std::string& id : ledger.all_stored())
        EXPECT_TRUE(block_on(store->audit().find(id))) << id;
    for (const std::string& id : ledger.refused())
        EXPECT_FALSE(block_on(store->audit().find(id))) << id;
}

// The connection is lost at COMMIT, and the question whether it happened fails.
TEST_F(FailuresTest, AnOutcomeThatRemainsUnknownIsReported)
{
    Options unsettled = options;
    std::atomic<int> unknown = 0;
    unsettled.on_unknown_outcome = [&] { ++unknown; };
    const auto store = std::move(open_postgres_store(unsettled)).value();
    ASSERT_TRUE(block_on(store->audit().append(event("evt_1"))));
    Link link(options, [] { return false; });
    link.execute("CREATE SEQUENCE marks");
    link.execute(
        "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'");
    link.execute(
        "CREATE FUNCTION refuse_second() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN IF nextval(''marks'') = 2 THEN RAISE EXCEPTION ''no''; END IF; RETURN NEW; END'");
    link.execute(
        "CREATE CONSTRAINT TRIGGER lose AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION lose()");
    link.execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON commit_marks"
        " FOR EACH ROW EXECUTE FUNCTION refuse_second()");
    EXPECT_FALSE(block_on(store->audit().append(event("evt_2"))));
    EXPECT_EQ(unknown, 1);
    link.execute("DROP TRIGGER lose ON audit");
    EXPECT_TRUE(block_on(store->audit().append(event("evt_3"))));
    EXPECT_EQ(unknown, 1);
}

class CommitMarksTest : public FailuresTest {
protected:
    CommitMarksTest() { opened(); }

    void insert(PostgresConnection& connection, const std::string& purpose)
    {
        connection.begin(PostgresConnection::Mode::write);
        connection.query("INSERT INTO keys (purpose, bytes) VALUES (?1, ?1)").bind(purpose).run();
    }

    PostgresConnection writer{options, [] { return false; }};
    PostgresConnection other{options, [] { return false; }};
};

TEST_F(CommitMarksTest, TellWhetherATransactionWasCommitted)
{
    insert(writer, "one");
    writer.commit();
    EXPECT_TRUE(other.was_committed(writer.mark()));
    insert(writer, "two");
    writer.commit();
    EXPECT_TRUE(other.was_committed(writer.mark()));
}

TEST_F(CommitMarksTest, ATransactionThatWasTakenForLostCannotBeCommittedLater)
{
    insert(writer, "one");
    CommitMark mark = writer.mark();
    ++mark.number;  // The one that is running.
    EXPECT_FALSE(other.was_committed(mark));
    try {
        writer.commit();
        FAIL() << "it was committed";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.state(), "23505");
        writer.roll_back();
    }
    insert(other, "one");  // It is not there.
    other.commit();
}

// The answer to an earlier question may have been lost, too.
TEST_F(CommitMarksTest, TellTheSameIfTheyAreAskedAgain)
{
    insert(writer, "one");
    writer.commit();
    CommitMark mark = writer.mark();
    EXPECT_TRUE(other.was_committed(mark));
    EXPECT_TRUE(other.was_committed(mark));
    ++mark.number;
    EXPECT_FALSE(other.was_committed(mark));
    EXPECT_FALSE(other.was_committed(mark));
}

// A statement that was sent before fails with COMMIT; what follows it is not prepared.
TEST_F(CommitMarksTest, AreWrittenThoughTheFirstCommitOfTheConnectionFailed)
{
    const auto send = [this](const std::string& purpose) {
        writer.query("INSERT INTO keys (purpose, bytes) VALUES (?1, ?1)").bind(purpose).send();
    };
    writer.begin(PostgresConnection::Mode::write);
    send("one");  // The first use of a statement waits for its answer.
    send("one");
    EXPECT_THROW(writer.commit(), Failure);
    writer.roll_back();
    insert(writer, "two");
    writer.commit();
    EXPECT_TRUE(other.was_committed(writer.mark()));
}

TEST_F(CommitMarksTest, OnlyTheLastOneOfAConnectionIsKept)
{
    for (const char* purpose : {"one", "two", "three"}) {
        insert(writer, purpose);
        writer.commit();
    }
    EXPECT_EQ(other.link().text("SELECT count(*) FROM commit_marks"), "1");
}

TEST(PostgresPassword, IsInNoMessage)
{
    for (const std::string url :
         {"postgresql://ana:geheim@127.0.0.1:1/parley", "postgresql://ana:geheim@/x?host=/nowhere",
          "postgresql://ana:ge%zzheim@127.0.0.1/x", "mysql://ana:geheim@db/x"}) {
        const auto store = open_postgres_store({.url = url});
        ASSERT_FALSE(store);
        EXPECT_EQ(store.error().message.find("heim"), std::string::npos) << store.error().message;
        EXPECT_EQ(store.error().detail.find("heim"), std::string::npos) << store.error().detail;
    }
}

}  // namespace
}  // namespace parley::store::postgres
