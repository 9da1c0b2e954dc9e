// A database that does not answer, or whose connections are lost.
#include "limits/postgres/limiter_for_tests.hpp"
#include "store/postgres/patience_for_tests.hpp"
#include "store/postgres/silent_host_for_tests.hpp"

#include <string>
#include <thread>
#include <vector>

namespace parley::limits::postgres {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
using store::postgres::Link;

// As a frozen server does. Requests that wait for it are refused together.
TEST_F(PostgresLimiterTest, AServerThatDoesNotAnswerIsWaitedForOnce)
{
    const store::postgres::SilentHost silent;
    Options options = tables.options({});
    options.database.url = silent.url();
    options.patience = Options().patience;
    const auto limiter = PostgresLimiter::open(options).value();
    const auto begun = Steady::now();
    std::vector<std::thread> clients;
    for (int i = 0; i < 20; ++i)
        clients.emplace_back([&, i] {
            const std::string user = "usr_" + std::to_string(i);
            const Keys key = Key::user(user);
            const auto given =
                block_on(limiter->give_back(Class::chat, key, Receipt{.marks = {7}}));
            EXPECT_EQ(given.error().code, Errc::storage_unavailable);
        });
    for (std::thread& client : clients) client.join();
    // Two seconds are promised. Twenty times the patience would be half a minute.
    EXPECT_LT(Steady::now() - begun, 10s);
    EXPECT_EQ(admit(*limiter, Key::user("usr_1")).error().code, Errc::storage_unavailable);
}

// Otherwise each attempt would leave a statement behind that waits for the same lock.
TEST_F(PostgresLimiterTest, AStatementThatWasGivenUpEndsInTheDatabaseToo)
{
    Options options = tables.options({});
    options.patience = Options().patience;
    const auto limiter = PostgresLimiter::open(options).value();
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
    link.execute("BEGIN");
    link.execute("SELECT 1 FROM limits FOR UPDATE");
    EXPECT_EQ(admit(*limiter, Key::user("usr_1")).error().code, Errc::storage_unavailable);
    Link other({.url = tables.url}, [] { return false; });
    EXPECT_TRUE(store::postgres::comes_true([&] {
        return other.text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") ==
               "0";
    }));
    link.execute("ROLLBACK");
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
    EXPECT_EQ(link.text("SELECT cardinality(stamps) FROM limits"), "2");
}

// The answer to COMMIT is lost.
TEST_F(PostgresLimiterTest, WhatMayHaveBeenCountedIsNotRepeated)
{
    const auto limiter = opened();
    const Key user = Key::user("usr_1");
    const Decision first = admit(*limiter, user).value();
    EXPECT_TRUE(first.admitted);
    link.execute("CREATE SEQUENCE tries");
    link.execute(
        "CREATE FUNCTION end_at_commit() RETURNS trigger LANGUAGE plpgsql AS"
        " 'BEGIN PERFORM nextval(''tries''), pg_terminate_backend(pg_backend_pid());"
        " RETURN NULL; END'");
    link.execute(
        "CREATE CONSTRAINT TRIGGER end_at_commit AFTER UPDATE ON limits DEFERRABLE"
        " INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_at_commit()");
    EXPECT_EQ(admit(*limiter, user).error().code, Errc::storage_unavailable);
    EXPECT_EQ(link.text("SELECT last_value FROM tries"), "1");
    EXPECT_TRUE(block_on(limiter->peek(Class::chat, user).wait()));  // It has a connection again.
    EXPECT_EQ(block_on(limiter->give_back(Class::chat, user, first.receipt)).error().code,
              Errc::storage_unavailable);
    EXPECT_EQ(link.text("SELECT last_value FROM tries"), "2");
    link.execute("DROP FUNCTION end_at_commit CASCADE");
    link.execute("DROP SEQUENCE tries");
    EXPECT_EQ(link.text("SELECT cardinality(stamps) FROM limits"), "1");
}

TEST_F(PostgresLimiterTest, AConnectionThatIsEndedIsReplaced)
{
    // As when this server was fenced: its connections are ended, and get another name.
    const auto name = std::make_shared<store::postgres::ConnectionName>();
    name->set("parley/1");
    Options options = tables.options({});
    options.database.name = name;
    const auto limiter = PostgresLimiter::open(options).value();
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
    for (const std::uint32_t remaining : {28U, 27U}) {
        link.execute(
            "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
            " WHERE application_name LIKE 'parley/%' AND pid <> pg_backend_pid()");
        if (remaining == 27) name->set("parley/2");
        const auto decision = admit(*limiter, Key::user("usr_1"));
        ASSERT_TRUE(decision) << decision.error().message;
        EXPECT_EQ(decision->remaining, remaining);
    }
}

TEST_F(PostgresLimiterTest, WithoutADatabaseNothingIsAdmitted)
{
    Options options = tables.options({});
    options.database.url = "postgresql://parley@/postgres?host=/nowhere";
    const auto limiter = PostgresLimiter::open(options).value();
    EXPECT_EQ(admit(*limiter, Key::user("usr_1")).error().code, Errc::storage_unavailable);
}

}  // namespace
}  // namespace parley::limits::postgres
