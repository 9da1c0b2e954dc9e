// A server that does not answer, or not in time.
#include "base/block_on.hpp"
#include "journal/journal_for_tests.hpp"
#include "journal/postgres/database_for_tests.hpp"
#include "journal/postgres/postgres_journal.hpp"
#include "store/postgres/patience_for_tests.hpp"
#include "store/postgres/silent_host_for_tests.hpp"

#include <chrono>
#include <thread>

namespace parley::journal::postgres {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

class SilentServerTest : public testing::Test {
protected:
    TestDatabase database;
    const std::int64_t me = database.add_replica();
};

// Reads that wait for it fail together.
TEST_F(SilentServerTest, IsWaitedForOnce)
{
    const store::postgres::SilentHost silent;
    PostgresJournal journal({.database = {.url = silent.url()}, .me = [] { return 1; }});
    const auto begun = Steady::now();
    std::vector<std::thread> readers;
    for (int i = 0; i < 20; ++i)
        readers.emplace_back([&journal] {
            const auto records = block_on(journal.read("run", 0, 1000));
            EXPECT_EQ(records.error().code, Errc::storage_unavailable);
        });
    for (std::thread& reader : readers) reader.join();
    EXPECT_LT(Steady::now() - begun, 10s);  // Twenty times the patience would be 40 seconds.
}

// Otherwise each attempt would leave a statement behind that waits for the same lock.
TEST_F(SilentServerTest, AReadThatWasGivenUpEndsInTheDatabaseToo)
{
    PostgresJournal journal({.database = database.options(), .me = [this] { return me; }});
    EXPECT_EQ(block_on(journal.read("run", 0, 1000)).error().code, Errc::not_found);
    database.link.execute("BEGIN");
    database.link.execute("LOCK TABLE run_events");
    EXPECT_EQ(block_on(journal.read("run", 0, 1000)).error().code, Errc::storage_unavailable);
    store::postgres::Link other({.url = database.url}, [] { return false; });
    EXPECT_TRUE(store::postgres::comes_true([&] {
        return other.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") ==
               "0";
    }));
    database.link.execute("ROLLBACK");
    EXPECT_EQ(block_on(journal.read("run", 0, 1000)).error().code, Errc::not_found);
}

}  // namespace
}  // namespace parley::journal::postgres
