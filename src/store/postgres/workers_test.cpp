// What a thread with a connection does if the server does not answer it.
#include "store/postgres/workers.hpp"

#include "base/block_on.hpp"
#include "store/postgres/audit_event_for_tests.hpp"
#include "store/postgres/postgres_store.hpp"
#include "store/postgres/server_for_tests.hpp"
#include "store/postgres/silent_host_for_tests.hpp"

#include <future>

namespace parley::store::postgres {
namespace {

using namespace std::chrono_literals;

class WorkersTest : public testing::Test {
protected:
    ~WorkersTest() override { server.give_back(url); }

    TestServer& server = TestServer::instance();
    const std::string url = server.take_tables();
};

// Health has reached the server by another host, and knows of no loss.
TEST_F(WorkersTest, AHostThatSaysNothingIsNotWaitedFor)
{
    const SilentHost silent;
    EventSignal signal;
    Health health({.url = url, .patience = 1min}, "test");
    const Options options{.url = silent.before(url), .patience = 500ms};
    std::future<Result<int>> asked;  // The workers end first: then it has an answer in any case.
    Workers workers(Workers::Mode::read, 1, options, health, signal);
    asked = std::async(std::launch::async, [&workers] {
        return block_on(workers.jobs().run<int>([](sql::Connection&) -> Result<int> { return 7; }));
    });
    ASSERT_EQ(asked.wait_for(1min), std::future_status::ready);
    const auto answer = asked.get();
    ASSERT_TRUE(answer) << answer.error().detail;
    EXPECT_EQ(*answer, 7);
}

// As a change during whose COMMIT PostgreSQL crashes each time: it is rolled back, which is known
// afterwards.
TEST_F(WorkersTest, AChangeWhoseCommitIsNeverAnsweredIsGivenUp)
{
    Link link({.url = url}, [] { return false; });
    link.execute(
        "CREATE FUNCTION end_at_commit() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'");
    link.execute(
        "CREATE CONSTRAINT TRIGGER end_at_commit AFTER INSERT ON audit DEFERRABLE"
        " INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_at_commit()");
    const auto store =
        std::move(open_postgres_store({.url = url, .connections = 2, .patience = 1min})).value();
    auto asked = std::async(std::launch::async,
                            [&] { return block_on(store->audit().append(event("evt_1"))); });
    EXPECT_EQ(asked.wait_for(1min), std::future_status::ready);
    link.execute("DROP FUNCTION end_at_commit CASCADE");
    EXPECT_EQ(asked.get().error().code, Errc::storage_unavailable);
    EXPECT_EQ(link.text("SELECT count(*) FROM audit"), "0");
    EXPECT_TRUE(block_on(store->audit().append(event("evt_2"))));
}

}  // namespace
}  // namespace parley::store::postgres
