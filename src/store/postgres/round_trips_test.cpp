// How often a question waits for PostgreSQL, once its statements are prepared.
#include "store/postgres/connection.hpp"
#include "store/postgres/replicas_for_tests.hpp"
#include "store/sql/begin_run.hpp"
#include "store/sql/runs.hpp"
#include "store/sql/search.hpp"

#include <thread>

namespace parley::store {
namespace {

class RoundTripsTest : public ReplicaContractTest {
protected:
    using Mode = postgres::PostgresConnection::Mode;

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
    std::uint64_t trips_of(Mode mode, const std::function<bool()>& work)
    {
        const std::uint64_t before = connection.link().round_trips();
        connection.begin(mode);
        EXPECT_TRUE(work());
        connection.commit();
        return connection.link().round_trips() - before;
    }
    // Of the next job that somebody waits for.
    std::uint64_t trips_of_job(Mode mode)
    {
        const auto jobs = (mode == Mode::read ? reads : writes).take(1);
        const std::uint64_t trips = trips_of(mode, [&] { return jobs.front()->run(connection); });
        jobs.front()->answer();
        return trips;
    }
    std::uint64_t trips_of_begin(const NewRun& wanted)
    {
        return trips_of(Mode::write, [&] { return sql::begin(connection, wanted).has_value(); });
    }
    std::uint64_t trips_of_end(const store::Run& run)
    {
        FinishedRun end = end_of(run);
        end.replica = me;
        std::thread caller([&] { EXPECT_TRUE(block_on(use_cases.finish_run(end))); });
        const std::uint64_t trips = trips_of_job(Mode::write);
        caller.join();
        return trips;
    }

    postgres::PostgresConnection connection{{.url = url}, [] { return false; }};
    sql::JobQueue writes{8};
    sql::JobQueue reads{8};
    sql::SqlRuns use_cases{writes, reads};
    sql::IndexBacklog backlog;
    sql::SqlSearch search{writes, reads, reads, backlog};
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

// However many messages it adds.
TEST_F(RoundTripsTest, AreFourForAStepOfTheSearchIndex)
{
    ASSERT_TRUE(block_on(store->search().update_index(10)));  // Begins the index.
    std::uint64_t of_read = 0;
    std::uint64_t of_write = 0;
    for (int use = 0; use < 2; ++use) {
        for (int i = 0; i < 10; ++i) begun(created(i % 2 == 0 ? anas : bens));
        std::thread caller([&] { EXPECT_EQ(block_on(search.update_index(10)).value(), 10U); });
        of_read = trips_of_job(Mode::read);
        of_write = trips_of_job(Mode::write);
        caller.join();
    }
    EXPECT_EQ(of_read, 2U);
    EXPECT_EQ(of_write, 2U);
}

}  // namespace
}  // namespace parley::store
