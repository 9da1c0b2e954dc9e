// Runs of several servers: what a fenced server cannot do, and how its runs are taken over.
#include "store/postgres/replicas_for_tests.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace parley::store {
namespace {

class ReplicasTest : public ReplicaContractTest {
protected:
    Result<BegunRun> begin_by(std::int64_t replica)
    {
        NewRun wanted = new_run(created(anas));
        wanted.run.status = RunStatus::running;
        wanted.replica = replica;
        return block_on(runs().begin_run(std::move(wanted)));
    }
    Result<> finish_by(std::int64_t replica, const store::Run& run)
    {
        FinishedRun end = end_of(run);
        end.replica = replica;
        return block_on(runs().finish_run(std::move(end)));
    }
    std::vector<std::string> claimed_by(std::int64_t replica, std::size_t servers = 1)
    {
        std::vector<std::string> ids;
        for (const RunWithMessages& each : block_on(runs().claim_runs(replica, servers)).value())
            ids.push_back(each.run.id);
        return ids;
    }
    // The news that all servers hear.
    std::string told()
    {
        return text(
            "SELECT string_agg(encode(kind, 'escape') || ' ' || encode(subject, 'escape'),"
            " ', ' ORDER BY number) FROM heard");
    }
};

TEST_F(ReplicasTest, AFencedServerBeginsStartsAndFinishesNothing)
{
    const store::Run run = begin_by(me)->whole.run;
    fence(me);
    EXPECT_EQ(begin_by(me).error().code, Errc::lost_ownership);
    EXPECT_EQ(block_on(runs().start_run(run.id, later(), me)).error().code, Errc::lost_ownership);
    EXPECT_EQ(finish_by(me, run).error().code, Errc::lost_ownership);
    EXPECT_EQ(block_on(runs().claim_runs(me, 1)).error().code, Errc::lost_ownership);
    EXPECT_EQ(block_on(runs().find_run(anas, run.id))->run.status, run.status);
}

TEST_F(ReplicasTest, ARunOfAnotherServerIsNotFinished)
{
    const store::Run run = begin_by(me)->whole.run;
    EXPECT_EQ(finish_by(other, run).error().code, Errc::lost_ownership);
    EXPECT_TRUE(finish_by(me, run));
}

TEST_F(ReplicasTest, RunsOfFencedServersAreTakenOverOnce)
{
    const std::string first = begin_by(me)->whole.run.id;
    const std::string second = begin_by(me)->whole.run.id;
    ASSERT_TRUE(begin_by(other));  // The run of a living server.
    EXPECT_TRUE(claimed_by(other).empty());
    fence(me);
    EXPECT_EQ(claimed_by(other, 2), std::vector{first});  // Half of them.
    EXPECT_EQ(claimed_by(other), std::vector{second});
    EXPECT_TRUE(claimed_by(other).empty());
    EXPECT_TRUE(finish_by(other, block_on(runs().find_run(anas, second))->run));
    EXPECT_EQ(text("SELECT sum(epoch) FROM runs"), "2");
}

TEST_F(ReplicasTest, RunsWithoutAServerAreTakenOver)
{
    const std::string run = begin_by(0)->whole.run.id;  // As earlier versions stored it.
    EXPECT_EQ(claimed_by(me), std::vector{run});
}

TEST_F(ReplicasTest, AWaitingRunIsTakenOverOnlyToBeCancelled)
{
    const std::string run = begun(created(anas)).run.id;
    EXPECT_TRUE(claimed_by(me).empty());
    ASSERT_TRUE(block_on(runs().ask_to_cancel(run)));
    EXPECT_EQ(claimed_by(me), std::vector{run});
    EXPECT_TRUE(claimed_by(other).empty());
}

TEST_F(ReplicasTest, ServersThatClaimAtOnceGetDifferentRuns)
{
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(begin_by(me));
    fence(me);
    const auto second =
        std::move(open_postgres_store({.url = url, .connections = 4, .patience = 1min})).value();
    std::atomic<std::size_t> claimed = 0;
    std::vector<std::thread> threads;
    for (Store* on : {store.get(), second.get(), store.get(), second.get()})
        threads.emplace_back([&claimed, on, replica = add_replica()] {
            claimed += block_on(on->runs().claim_runs(replica, 2)).value().size();
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(text("SELECT count(*) FROM runs WHERE epoch = 1"), std::to_string(claimed));
    EXPECT_EQ(text("SELECT count(*) FROM runs WHERE epoch > 1"), "0");
}

TEST_F(ReplicasTest, EventsOfARunGoWithItsEndAndWithItsSession)
{
    const store::Run finished = begin_by(me)->whole.run;
    const store::Run deleted = begin_by(me)->whole.run;
    link.execute("INSERT INTO run_events SELECT position, 1, 'x' FROM runs");
    ASSERT_TRUE(finish_by(me, finished));
    EXPECT_EQ(text("SELECT count(*) FROM run_events"), "1");
    ASSERT_TRUE(block_on(store->sessions().remove_session(anas, deleted.session, {})));
    EXPECT_EQ(text("SELECT count(*) FROM run_events"), "0");
}

TEST_F(ReplicasTest, ARunThatBeginsAtOnceIsStoredWithItsFirstEvent)
{
    const NewRun with_session = first_run(anas);
    for (NewRun wanted : {with_session, new_run(created(anas))}) {
        wanted.run.status = RunStatus::running;
        wanted.replica = me;
        wanted.line = SharedLine{.max_waiting = 9, .first_event = [](const RunWithMessages& begun) {
                                     return "first of " + begun.run.id;
                                 }};
        const BegunRun begun = begin(wanted).value();
        EXPECT_EQ(begun.first_event, "first of " + wanted.run.id);
        EXPECT_EQ(text("SELECT encode(frame, 'escape') FROM run_events WHERE number = 1"),
                  begun.first_event);
        ASSERT_TRUE(finish_by(me, begun.whole.run));
        EXPECT_EQ(text("SELECT count(*) FROM run_events"), "0");
    }
}

TEST_F(ReplicasTest, ACancellationIsNotedForTheOwner)
{
    const store::Run run = begin_by(me)->whole.run;
    ASSERT_TRUE(block_on(runs().ask_to_cancel(run.id)));
    ASSERT_TRUE(block_on(runs().ask_to_cancel("run_none")));
    EXPECT_EQ(text("SELECT cancel_asked FROM runs"), "1");
}

TEST_F(ReplicasTest, DeletionsAreToldToAllServersInTheOrderOfTheirCommits)
{
    const Session session = created(anas);
    ASSERT_TRUE(block_on(store->sessions().remove_session(anas, session.id, {})));
    ASSERT_TRUE(block_on(store->accounts().remove_user(anas.user)));
    EXPECT_EQ(told(), "session " + anas.user + "/" + session.id + ", rights " + anas.user +
                          ", user " + anas.user);
}

TEST_F(ReplicasTest, DeletedRunsAreToldToAllServersWithThoseThatWereActive)
{
    const Session session = created(anas);
    const auto first = asked(session, AfterNewest{}, "one", "1");
    const auto second = asked(session, AfterNewest{}, "two", "2");
    const std::string active = begun(session).run.id;
    const std::string here = anas.user + "/" + session.id;
    const auto remove = [&](const std::string& run) {
        ASSERT_TRUE(block_on(runs().remove_run(anas, run, later(), {})));
    };
    remove(active);
    EXPECT_EQ(told(), "runs " + here + "/" + active);
    remove(second.run.id);
    EXPECT_EQ(told(), "runs " + here + "/" + active + ", runs " + here);
    remove(first.run.id);  // The session goes with its last message.
    EXPECT_EQ(told(), "runs " + here + "/" + active + ", runs " + here + ", session " + here);
}

}  // namespace
}  // namespace parley::store
