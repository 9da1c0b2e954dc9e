#include "journal/postgres/postgres_journal.hpp"

#include "journal/contract_fixture.hpp"
#include "journal/postgres/database_for_tests.hpp"
#include "store/postgres/patience_for_tests.hpp"

#include <cstdlib>
#include <thread>

namespace parley::journal::postgres {
namespace {

const auto* const needs_postgres = testing::AddGlobalTestEnvironment(new NeedsPostgres);

// The journal as it works together with the store, which knows the runs and removes the events of
// those that end. If wanted, two servers in turn.
class JournalWithRuns final : public Journal {
public:
    JournalWithRuns(TestDatabase& database, std::int64_t replica, std::size_t servers)
        : database_(database), replica_(replica)
    {
        for (std::size_t i = 0; i < servers; ++i)
            journals_.push_back(std::make_unique<PostgresJournal>(
                options_of(database, [replica] { return replica; })));
    }

    Task<Result<>> append(std::string_view run, std::uint32_t first,
                          std::span<const Frame> frames) override
    {
        database_.add_run(std::string(run), replica_);
        return next().append(run, first, frames);
    }
    Task<Result<std::vector<Record>>> read(std::string_view run, std::uint32_t after,
                                           std::size_t max_bytes) override
    {
        return next().read(run, after, max_bytes);
    }
    Task<Result<std::vector<NewEvents>>> read_all(std::vector<Wanted> wanted,
                                                  std::size_t max_bytes) override
    {
        return next().read_all(std::move(wanted), max_bytes);
    }
    Task<Result<std::optional<RunState>>> state(std::string_view run) override
    {
        return next().state(run);
    }
    void end(std::string_view run) override
    {
        database_.finish_run(std::string(run));
        for (const auto& journal : journals_) journal->end(run);
    }
    void keep_only(std::span<const std::string> runs) override { next().keep_only(runs); }
    // The thread that writes forgets an ended run a moment later.
    Figures figures() const override
    {
        Figures all;
        for (const auto& journal : journals_) {
            const Figures figures = journal->figures();
            all.records += figures.records;
        }
        all.runs = std::stoull(database_.link.text("SELECT count(DISTINCT run) FROM run_events"));
        return all;
    }

private:
    Journal& next() { return *journals_.at(calls_++ % journals_.size()); }

    TestDatabase& database_;
    const std::int64_t replica_;
    std::vector<std::unique_ptr<PostgresJournal>> journals_;
    std::size_t calls_ = 0;
};

class DatabaseOnTrial final : public JournalOnTrial {
public:
    std::unique_ptr<Journal> open() override
    {
        const std::size_t servers = std::getenv("PARLEY_JOURNALS_IN_TURN") ? 2 : 1;
        return std::make_unique<JournalWithRuns>(database_, replica_, servers);
    }

private:
    TestDatabase database_;
    const std::int64_t replica_ = database_.add_replica();
};

class PostgresJournalTest : public JournalTest {
protected:
    PostgresJournalTest() { journal = opened_for(me); }
    ~PostgresJournalTest() override { journal.reset(); }

    std::unique_ptr<Journal> opened_for(std::int64_t replica)
    {
        return std::make_unique<PostgresJournal>(
            options_of(database, [replica] { return replica; }));
    }
    // As when this server was fenced.
    void end_connections()
    {
        database.link.execute(
            "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND application_name = 'parley'");
    }
    std::string count_of_events() { return database.link.text("SELECT count(*) FROM run_events"); }

    TestDatabase database;
    const std::int64_t me = database.add_replica();
};

TEST_F(PostgresJournalTest, AFencedServerAppendsNothing)
{
    database.add_run("run", me);
    ASSERT_TRUE(append("run", 1, "one"));
    database.fence(me);
    EXPECT_EQ(append("run", 2, "two").error().code, Errc::lost_ownership);
    EXPECT_EQ(count_of_events(), "1");
}

TEST_F(PostgresJournalTest, ARunOfAnotherServerIsNotAppendedTo)
{
    database.add_run("mine", me);
    database.add_run("lost", me);
    ASSERT_TRUE(append("mine", 1, "one"));
    ASSERT_TRUE(append("lost", 1, "one"));
    const std::int64_t other = database.add_replica();
    database.give_run("lost", other);
    EXPECT_EQ(append("lost", 2, "two").error().code, Errc::lost_ownership);
    EXPECT_TRUE(append("mine", 2, "two"));
    EXPECT_EQ(read("lost"), Texts({"one"}));
    journal = opened_for(other);
    EXPECT_TRUE(append("lost", 2, "of the other"));
    EXPECT_EQ(read("lost"), Texts({"one", "of the other"}));
}

TEST_F(PostgresJournalTest, ADeletedRunIsNotFound)
{
    database.add_run("run", me);
    ASSERT_TRUE(append("run", 1, "one"));
    database.finish_run("run");
    EXPECT_EQ(append("run", 2, "two").error().code, Errc::not_found);
}

// The run is not broken: the next start resumes it.
TEST_F(PostgresJournalTest, WhatCannotBeStoredAtTheEndIsNoFault)
{
    journal = std::make_unique<PostgresJournal>(
        Options{.database = {.url = "postgresql://127.0.0.1:1/nobody"}, .me = [] { return 1; }});
    journal->end_soon();
    EXPECT_EQ(append("new", 1, "one").error().code, Errc::shutting_down);
    EXPECT_EQ(append("resumed", 2, "two").error().code, Errc::shutting_down);
}

// As when the answer to an append was lost with the connection.
TEST_F(PostgresJournalTest, TheSameEventsMayBeSentAgainAfterALostConnection)
{
    database.add_run("run", me);
    ASSERT_TRUE(append("run", 1, "one"));
    database.link.execute("INSERT INTO run_events SELECT position, 2, 'two' FROM runs");
    EXPECT_TRUE(append("run", 2, "two"));
    EXPECT_TRUE(append("run", 3, "three"));
    EXPECT_EQ(read("run"), Texts({"one", "two", "three"}));
    database.link.execute("INSERT INTO run_events SELECT position, 4, 'other' FROM runs");
    EXPECT_EQ(append("run", 4, "four").error().code, Errc::internal);
}

TEST_F(PostgresJournalTest, GoesOnWhenItsConnectionsWereEnded)
{
    database.add_run("run", me);
    ASSERT_TRUE(append("run", 1, "one"));
    ASSERT_EQ(read("run"), Texts({"one"}));
    end_connections();
    EXPECT_TRUE(append("run", 2, "two"));
    EXPECT_EQ(read("run"), Texts({"one", "two"}));
}

// PostgreSQL has lost them in a crash.
TEST_F(PostgresJournalTest, EventsOfTheLastSecondsAreSentAgainOverANewConnection)
{
    database.add_run("run", me);
    database.add_run("ended", me);
    for (std::uint32_t number = 1; number <= 3; ++number)
        ASSERT_TRUE(append("run", number, std::to_string(number)));
    ASSERT_TRUE(append("ended", 1, "of a run that has ended"));
    database.link.execute(
        "UPDATE runs SET completed_ms = 1, status = 'completed' WHERE id = 'ended'");
    database.link.execute(
        "DELETE FROM run_events WHERE number > 1 OR frame = 'of a run that has ended'");
    end_connections();
    ASSERT_TRUE(append("run", 4, "4"));
    EXPECT_EQ(read("run"), Texts({"1", "2", "3", "4"}));
    EXPECT_EQ(count_of_events(), "4");
}

// The model of the run writes nothing meanwhile.
TEST_F(PostgresJournalTest, TheyAreSentAgainWithoutAnotherAppend)
{
    database.add_run("run", me);
    ASSERT_TRUE(append("run", 1, "one"));
    database.link.execute("DELETE FROM run_events");
    end_connections();
    for (int looks = 0; looks < 2000 && count_of_events() == "0"; ++looks)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(read("run"), Texts({"one"}));
}

// The disk may be full for a moment after the crash.
TEST_F(PostgresJournalTest, TheyAreSentAgainUntilThatSucceeds)
{
    database.add_run("run", me);
    database.link.execute("CREATE SEQUENCE tries_to_insert");
    database.link.execute(
        "CREATE FUNCTION refuse_first() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN IF nextval(''tries_to_insert'') = 1 THEN RAISE EXCEPTION ''full'' USING ERRCODE ="
        " ''53100''; END IF; RETURN NEW; END'");
    ASSERT_TRUE(append("run", 1, "one"));
    database.link.execute("DELETE FROM run_events");
    database.link.execute(
        "CREATE TRIGGER refuse_first BEFORE INSERT ON run_events FOR EACH ROW"
        " EXECUTE FUNCTION refuse_first()");
    end_connections();
    for (int looks = 0; looks < 2000 && count_of_events() == "0"; ++looks)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(read("run"), Texts({"one"}));
    database.link.execute("DROP FUNCTION refuse_first CASCADE");
    database.link.execute("DROP SEQUENCE tries_to_insert");
}

TEST(RecentEvents, AreKeptUntilPostgresHasAnsweredForALongTime)
{
    const RecentEvents::Time begin{};
    RecentEvents recent;
    recent.add({.run = "run", .first = 1, .frames = {}, .me = 7}, begin);
    // A crash may have lost it, and has lasted for a minute.
    EXPECT_EQ(recent.of(7).size(), 1U);
    EXPECT_EQ(recent.of(8).size(), 0U);
    recent.stored_again(begin + std::chrono::minutes(1));
    recent.answered(begin + std::chrono::seconds(62));
    EXPECT_FALSE(recent.is_empty());
    recent.answered(begin + std::chrono::seconds(64));
    EXPECT_TRUE(recent.is_empty());
}

TEST_F(PostgresJournalTest, RemovesOnlyEventsOfRunsThatHaveEnded)
{
    const std::int64_t other = database.add_replica();
    database.add_run("mine", me);
    database.add_run("theirs", other);
    ASSERT_TRUE(append("mine", 1, "one"));
    database.link.execute(
        "INSERT INTO run_events SELECT position, 1, 'one' FROM runs WHERE id = 'theirs'");
    database.link.execute("INSERT INTO run_events VALUES (1000000, 1, 'of a run that is gone')");
    journal->keep_only({});
    journal->end("theirs");
    ASSERT_TRUE(append("mine", 2, "two"));
    journal.reset();  // Completes what waits.
    EXPECT_EQ(count_of_events(), "3");
}

// An append that began before the run was deleted may end after it.
TEST_F(PostgresJournalTest, LeavesNoEventsOfADeletedRun)
{
    database.add_run("run", me);
    database.add_run("other", me);
    ASSERT_TRUE(append("run", 1, "one"));
    ASSERT_TRUE(append("other", 1, "kept"));
    database.link.execute("DELETE FROM runs WHERE id = 'run'");
    journal->end("run");
    for (int looks = 0; looks < 2000 && count_of_events() != "1"; ++looks)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(count_of_events(), "1");
    EXPECT_EQ(read("other"), Texts({"kept"}));
}

// The end and the first append wait together.
TEST_F(PostgresJournalTest, ARunThatEndsMayStartOverAtOnce)
{
    for (const char* run : {"run", "other"}) database.add_run(run, me);
    ASSERT_TRUE(append("run", 1, "one"));
    ASSERT_TRUE(append("run", 2, "two"));
    database.link.execute("BEGIN");
    database.link.execute("SELECT 1 FROM replicas FOR UPDATE");
    const auto begin_append = [this](const char* run, std::string bytes) {
        boost::asio::co_spawn(waiting, journal->append(run, 1, one(std::move(bytes))),
                              [](const std::exception_ptr& failure, const Result<>& appended) {
                                  EXPECT_TRUE(!failure && appended);
                              });
        waiting.restart();
        waiting.poll();
    };
    begin_append("other", "holds up the writer");
    store::postgres::Link watch({.url = database.url}, [] { return false; });
    EXPECT_TRUE(store::postgres::comes_true([&] {
        return watch.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") !=
               "0";
    }));
    journal->end("run");
    begin_append("run", "again");
    database.link.execute("COMMIT");
    waiting.restart();
    waiting.run();
    EXPECT_TRUE(append("run", 2, "and on"));
    EXPECT_EQ(read("run"), Texts({"again", "and on"}));
}

TEST_F(PostgresJournalTest, GoesOnAfterAFirstEventThatTheStoreHas)
{
    database.add_run("run", me);
    database.link.execute("INSERT INTO run_events SELECT position, 1, 'one' FROM runs");
    journal->begun("run");
    EXPECT_TRUE(append("run", 2, "two"));
    EXPECT_EQ(read("run"), Texts({"one", "two"}));
}

// The store has removed them. Only after a lost connection may there be some again.
TEST_F(PostgresJournalTest, LooksForEventsOfAStoredEndOnlyIfItsConnectionWasLost)
{
    database.add_run("other", me);
    std::uint32_t number = 0;
    const auto end_stored = [&](const std::string& run) {
        database.link.execute(
            "UPDATE runs SET completed_ms = 1, status = 'completed' WHERE id = '" + run + "'");
        journal->end_stored(run);
        // When the second one is stored, the end was seen.
        for (int i = 0; i < 2; ++i) ASSERT_TRUE(append("other", ++number, "x"));
    };
    for (const char* run : {"whole", "cut"}) {
        database.add_run(run, me);
        ASSERT_TRUE(append(run, 1, "one"));
    }
    end_stored("whole");
    EXPECT_EQ(read("whole"), Texts({"one"}));
    end_connections();
    ASSERT_TRUE(append("cut", 2, "two"));
    end_stored("cut");
    EXPECT_EQ(read("cut"), Texts({"?"}));
}

TEST_F(PostgresJournalTest, TakesLargeFrames)
{
    database.add_run("run", me);
    const std::string large(std::size_t{1} << 20U, 'x');
    ASSERT_TRUE(append("run", 1, large));
    EXPECT_EQ(read("run"), Texts({large}));
}

}  // namespace
}  // namespace parley::journal::postgres

std::unique_ptr<parley::journal::JournalOnTrial> parley::journal::journal_on_trial()
{
    return std::make_unique<postgres::DatabaseOnTrial>();
}
