// How often a question waits for PostgreSQL, once its statements are prepared.
#include "store/postgres/connection.hpp"
#include "store/postgres/replicas_for_tests.hpp"
#include "store/sql/begin_run.hpp"
#include "store/sql/runs.hpp"

#include <thread>

namespace parley::store {
namespace {

class RoundTripsTest : public ReplicaContractTest {
protected:
    NewRun begun_at_once(NewRun wanted)
    {
        wanted.run.status = RunStatus::running;
        wanted.run.started_at = wanted.run.created_at;
        wanted.replica = me;
        wanted.line = SharedLine{.max_waiting = 9,
                                 .first_event = [](const RunWithMessages&) { return "created"s; }};
        return wanted;
    }
    // In a transaction.
    std::uint64_t trips_of(const std::function<bool()>& change)
    {
        const std::uint64_t before = connection.link().round_trips();
        connection.begin(postgres::PostgresConnection::Mode::write);
        EXPECT_TRUE(change());
        connection.commit();
        return connection.link().round_trips() - before;
    }
    std::uint64_t trips_of_begin(const NewRun& wanted)
    {
        return trips_of([&] { return sql::begin(connection, wanted).has_value(); });
    }
    std::uint64_t trips_of_end(const store::Run& run)
    {
        FinishedRun end = end_of(run);
        end.replica = me;
        std::thread caller([&] { EXPECT_TRUE(block_on(use_cases.finish_run(end))); });
        const auto jobs = writes.take(1);
        const std::uint64_t trips = trips_of([&] { return jobs.front()->run(connection); });
        jobs.front()->answer();
        caller.join();
        return trips;
    }

    postgres::PostgresConnection connection{{.url = url}, [] { return false; }};
    sql::JobQueue writes{8};
    sql::JobQueue reads{8};
    sql::SqlRuns use_cases{writes, reads};
};

TEST_F(RoundTripsTest, AreTwoForAQuestionInANewSessionAndTwoForItsEnd)
{
    std::uint64_t of_begin = 0;
    std::uint64_t of_end = 0;
    for (int use = 0; use < 2; ++use) {
        const NewRun wanted = begun_at_once(first_run(anas));
        of_begin = trips_of_begin(wanted);
        of_end = trips_of_end(block_on(runs().find_run(anas, wanted.run.id))->run);
    }
    EXPECT_EQ(of_begin, 2U);
    EXPECT_EQ(of_end, 2U);
}

TEST_F(RoundTripsTest, AreFewForAFurtherQuestion)
{
    const NewRun first = begun_at_once(first_run(anas));
    trips_of_begin(first);
    trips_of_end(block_on(runs().find_run(anas, first.run.id))->run);
    std::uint64_t of_begin = 0;
    for (int use = 0; use < 2; ++use) {
        const NewRun wanted = begun_at_once(new_run(found(*first.new_session)));
        of_begin = trips_of_begin(wanted);
        trips_of_end(block_on(runs().find_run(anas, wanted.run.id))->run);
    }
    EXPECT_LE(of_begin, 9U);
}

}  // namespace
}  // namespace parley::store
