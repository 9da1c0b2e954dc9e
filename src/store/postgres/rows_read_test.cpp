// The rows that PostgreSQL reads for a question do not grow with the tables. It has no statistics
// of new tables, or old ones of small tables, and it keeps plans while tables grow.
#include "store/chat_contract_fixture.hpp"
#include "store/postgres/trial_for_tests.hpp"

#include <thread>

namespace parley::store {
namespace {

// Tables that no test has used: deleted rows would count.
struct NewTables final : StoreOnTrial {
    const std::string url = postgres::TestServer::instance().new_url();
    postgres::Link link{{.url = url}, [] { return false; }};

    NewTables() { postgres::create_schema_up_to(link, sql::newest_version()); }
    std::unique_ptr<Store> open() override
    {
        return std::move(open_postgres_store(
                             {.url = url, .connections = 2, .patience = std::chrono::minutes(1)}))
            .value();
    }
    bool keeps() const override { return true; }
};

class RowsReadTest : public ChatContractTest {
protected:
    RowsReadTest() : ChatContractTest(std::make_unique<NewTables>()) {}

    postgres::Link& link() { return dynamic_cast<NewTables&>(*trial).link; }

    // A question that begins a session, and two that continue it, as a server among others does.
    void ask_thrice()
    {
        NewRun first = first_run(anas);
        const Session session = *first.new_session;
        ask(std::move(first));
        const Session kept = found(session);
        EXPECT_EQ(kept.message_count, 2);
        ask(new_run(kept));
        NewRun keyed = new_run(kept);
        keyed.key = claim(keyed.run.id);
        ask(std::move(keyed));
    }
    void ask(NewRun wanted)
    {
        wanted.run.status = RunStatus::running;
        wanted.run.started_at = wanted.run.created_at;
        wanted.replica = me;
        wanted.line = SharedLine{.max_waiting = 10};
        const auto begun = begin(std::move(wanted));
        ASSERT_TRUE(begun);
        link().execute("INSERT INTO run_events SELECT position, 1, 'x' FROM runs WHERE id = '" +
                       begun->whole.run.id + "'");
        FinishedRun end = end_of(begun->whole.run);
        end.replica = me;
        ASSERT_TRUE(block_on(runs().finish_run(std::move(end))));
        const auto read = block_on(
            messages().list_branch(anas, begun->whole.run.session, std::nullopt, false, {}, 2));
        EXPECT_EQ(read->page.items.size(), 2U);
    }

    // Rows of tables and entries of indexes, of connections that have ended.
    std::int64_t rows_read()
    {
        while (link().text("SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                           " AND backend_type = 'client backend'") != "0")
            std::this_thread::sleep_for(1ms);
        return std::stoll(
            link().text("SELECT (SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))"
                        " FROM pg_stat_user_tables WHERE schemaname = current_schema())"
                        " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes"
                        " WHERE schemaname = current_schema())"));
    }
    // By so many questions on new connections, for one of them.
    std::int64_t rows_of(int times)
    {
        store.reset();
        const std::int64_t before = rows_read();
        store = trial->open();
        for (int i = 0; i < times; ++i) ask_thrice();
        store.reset();
        const std::int64_t rows = (rows_read() - before) / times;
        store = trial->open();
        return rows;
    }

    const std::int64_t me = postgres::add_replica(link());
};

constexpr int few = 8;
constexpr int many = 100;

// Entries of indexes for earlier versions of a row are read, too, until it is vacuumed. An index
// with all sessions of the user would double the rows.
std::int64_t about(std::int64_t rows) { return rows * 8 / 5; }

TEST_F(RowsReadTest, StayTheSameWithoutStatistics)
{
    const std::int64_t first = rows_of(few);
    EXPECT_LE(rows_of(many), about(first));
    EXPECT_LE(rows_of(few), about(first));
    link().execute("ANALYZE");
    EXPECT_LE(rows_of(few), about(first));
}

TEST_F(RowsReadTest, StayTheSameWithStatisticsOfSmallTables)
{
    const std::int64_t first = rows_of(few);
    link().execute("ANALYZE");
    EXPECT_LE(rows_of(many), about(first));
    EXPECT_LE(rows_of(few), about(first));
}

}  // namespace
}  // namespace parley::store
