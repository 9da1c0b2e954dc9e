// Two servers of one database keep the same index, while others write and delete.
#include "store/chat_contract_fixture.hpp"
#include "store/postgres/connection.hpp"
#include "store/postgres/trial_for_tests.hpp"
#include "store/sql/begin_run.hpp"
#include "store/sql/search.hpp"

#include <atomic>
#include <map>
#include <thread>

namespace parley::store {
namespace {

class SearchRacesTest : public ChatContractTest {
protected:
    static constexpr std::size_t writers = 6;
    static constexpr std::size_t questions = 40;

    // The questions of one thread.
    std::vector<NewRun> wanted_in(const Session& session)
    {
        std::vector<NewRun> wanted;
        for (std::size_t i = 0; i < questions; ++i)
            wanted.push_back(new_run(session, NewRoot{}, "umbrella"));
        return wanted;
    }
    static void complete(Store& on)
    {
        while (block_on(on.search().update_index(7)).value() > 0) {
        }
    }
    // How often each message is found.
    std::map<std::string, int> hits()
    {
        const auto page =
            block_on(store->search().find(anas, search::Query::parse("umbrella"), {}, {}, 1000));
        std::map<std::string, int> counts;
        for (const FoundMessage& each : page.value().items) ++counts[each.message];
        return counts;
    }

    const std::string url = static_cast<const PostgresStoreOnTrial&>(*trial).url();
    const postgres::Options options{
        .url = url, .connections = 8, .patience = std::chrono::minutes(1)};
    const std::unique_ptr<Store> first = std::move(open_postgres_store(options)).value();
    const std::unique_ptr<Store> second = std::move(open_postgres_store(options)).value();
};

TEST_F(SearchRacesTest, EachMessageIsInTheIndexOnce)
{
    std::vector<Session> sessions_of_writers;
    std::vector<std::vector<NewRun>> wanted;
    for (std::size_t i = 0; i < writers; ++i) {
        sessions_of_writers.push_back(created(anas));
        wanted.push_back(wanted_in(sessions_of_writers.back()));
    }
    std::atomic<std::size_t> writing = writers;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < writers; ++i)
        threads.emplace_back([&, i] {
            Store& on = i % 2 == 0 ? *first : *second;
            for (const NewRun& run : wanted[i]) EXPECT_TRUE(block_on(on.runs().begin_run(run)));
            // The sessions of two writers are deleted while others are indexed.
            if (i < 2)
                EXPECT_TRUE(block_on(on.sessions().remove_session(anas, sessions_of_writers[i].id,
                                                                  SessionRemoval{})));
            --writing;
        });
    for (Store* on : {first.get(), second.get()})
        threads.emplace_back([&writing, on] {
            while (writing > 0) complete(*on);
        });
    for (std::thread& thread : threads) thread.join();
    complete(*first);
    complete(*second);
    const auto found = hits();
    EXPECT_EQ(found.size(), (writers - 2) * questions);
    for (const auto& [message, count] : found) EXPECT_EQ(count, 1) << message;
}

// Otherwise servers would read what another one is just adding, again and again.
TEST_F(SearchRacesTest, AStepThatAnotherServerHasDoneIsNoticed)
{
    using Mode = postgres::PostgresConnection::Mode;
    complete(*first);
    ASSERT_TRUE(begin(new_run(created(anas), NewRoot{}, "umbrella")));
    sql::JobQueue writes{8};
    sql::JobQueue reads{8};
    sql::IndexBacklog backlog;
    sql::SqlSearch search(writes, reads, reads, backlog);
    postgres::PostgresConnection connection(options, [] { return false; });
    const auto run_one = [&](sql::JobQueue& queue, Mode mode) {
        const auto jobs = queue.take(1);
        connection.begin(mode);
        EXPECT_TRUE(jobs.front()->run(connection));
        connection.commit();
        jobs.front()->answer();
    };
    std::thread caller([&] { EXPECT_EQ(block_on(search.update_index(7)).value(), 1U); });
    run_one(reads, Mode::read);
    complete(*first);
    run_one(writes, Mode::write);
    caller.join();
    EXPECT_TRUE(search.is_done_by_another());
    EXPECT_EQ(hits().size(), 1U);
}

// The first transaction takes its number first, but the lower position is that of the second one,
// whose number is higher than those of all transactions that have ended.
TEST_F(SearchRacesTest, AMessageThatIsCommittedLateIsFound)
{
    using postgres::PostgresConnection;
    const auto begin_on = [](PostgresConnection& connection) {
        connection.begin(PostgresConnection::Mode::write);
        connection.query("SELECT CAST(pg_current_xact_id() AS text)").next();
    };
    const NewRun soon = new_run(created(bens), NewRoot{}, "umbrella");
    const NewRun late = new_run(created(anas), NewRoot{}, "umbrella");
    complete(*first);
    PostgresConnection of_soon(options, [] { return false; });
    PostgresConnection of_late(options, [] { return false; });
    begin_on(of_soon);
    begin_on(of_late);
    EXPECT_TRUE(sql::begin(of_late, late));
    EXPECT_TRUE(sql::begin(of_soon, soon));
    of_soon.commit();
    for (int pass = 0; pass < 3; ++pass) complete(*first);
    of_late.commit();
    complete(*first);
    EXPECT_EQ(hits().size(), 1U);
}

}  // namespace
}  // namespace parley::store
