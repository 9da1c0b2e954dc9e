#include "limits/postgres/postgres_limiter.hpp"

#include "limits/limiter_contract.hpp"
#include "limits/limiter_numbers_contract.hpp"
#include "store/postgres/server_for_tests.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdlib>

namespace parley::limits::postgres {

using store::postgres::Link;
using store::postgres::TestServer;

class NeedsPostgres final : public testing::Environment {
public:
    void SetUp() override
    {
        if (!TestServer::instance().is_there())
            GTEST_SKIP() << "PostgreSQL is not installed and cannot be installed here "
                            "(tools/postgres): nothing of this room was tested.";
    }
};
const auto* const needs_postgres = testing::AddGlobalTestEnvironment(new NeedsPostgres);

class Tables {
public:
    Tables() = default;
    ~Tables() { TestServer::instance().give_back(url); }
    Tables(const Tables&) = delete;
    Tables& operator=(const Tables&) = delete;

    Options options(const Limits& limits) const
    {
        return {.database = {.url = url, .patience = std::chrono::minutes(1)},
                .limits = limits,
                .hash_key = std::make_shared<const Secret>("a key for tests")};
    }

    const std::string url = TestServer::instance().take_tables();
};

// Two servers, which are asked in turn. Nothing is remembered: the other one may give back.
class InTurn final : public Limiter {
public:
    InTurn(std::unique_ptr<Limiter> one, std::unique_ptr<Limiter> other)
        : limiters_{std::move(one), std::move(other)}
    {
    }

    const Limits& limits() const override { return limiters_[0]->limits(); }
    Ready<Result<Decision>> admit(Class of, const Keys& keys) override
    {
        return next().admit(of, keys);
    }
    Ready<Result<Decision>> peek(Class of, const Keys& keys) override
    {
        return next().peek(of, keys);
    }
    Task<Result<>> give_back(Class of, Keys keys, Receipt receipt) override
    {
        return next().give_back(of, keys, receipt);
    }

private:
    Limiter& next() { return *limiters_.at(calls_++ % limiters_.size()); }

    std::array<std::unique_ptr<Limiter>, 2> limiters_;
    std::atomic<std::size_t> calls_ = 0;
};

struct MakesShared {
    std::unique_ptr<Limiter> open(const Limits& limits, const Clock& clock)
    {
        Options options = tables.options(limits);
        options.clock = &clock;
        options.decides_by_clock = true;
        if (!std::getenv("PARLEY_LIMITERS_IN_TURN")) return PostgresLimiter::open(options).value();
        options.memory = {};
        return std::make_unique<InTurn>(PostgresLimiter::open(options).value(),
                                        PostgresLimiter::open(options).value());
    }

    Tables tables;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Shared, LimiterContract, MakesShared);
INSTANTIATE_TYPED_TEST_SUITE_P(Shared, LimiterNumbersContract, MakesShared);

namespace {

class PostgresLimiterTest : public testing::Test {
protected:
    std::unique_ptr<PostgresLimiter> opened(const Limits& limits = {})
    {
        return PostgresLimiter::open(tables.options(limits)).value();
    }
    static Result<Decision> admit(Limiter& limiter, const Keys& keys, Class of = Class::chat)
    {
        return block_on(limiter.admit(of, keys).wait());
    }

    Tables tables;
    Link link{{.url = tables.url}, [] { return false; }};
};

TEST_F(PostgresLimiterTest, AdmitsExactlyNOnAllServersTogetherByTheClockOfTheDatabase)
{
    std::atomic<int> admitted = 0;
    std::vector<std::thread> threads;
    for (int server = 0; server < 3; ++server)
        threads.emplace_back([&] {
            const auto limiter = opened({.chat = 200});
            std::vector<std::thread> clients;
            for (int client = 0; client < 4; ++client)
                clients.emplace_back([&] {
                    for (int i = 0; i < 50; ++i) {
                        const auto decision = admit(*limiter, Key::user("usr_1"));
                        admitted += decision.value().admitted;
                        EXPECT_LE(decision->reset, 60s);
                    }
                });
            for (std::thread& client : clients) client.join();
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(admitted, 200);
    EXPECT_EQ(link.text("SELECT cardinality(stamps) FROM limits"), "200");
}

TEST_F(PostgresLimiterTest, ARefusalIsRepeatedForAMomentWithoutTheDatabase)
{
    ManualClock clock;
    Options options = tables.options({.chat = 2});
    options.clock = &clock;
    const auto limiter = PostgresLimiter::open(options).value();
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
    const Decision refused = admit(*limiter, Key::user("usr_1")).value();
    EXPECT_FALSE(refused.admitted);
    link.execute("DELETE FROM limits");
    const Decision again = admit(*limiter, Key::user("usr_1")).value();
    EXPECT_FALSE(again.admitted);
    EXPECT_EQ(again.retry_after, refused.retry_after);
    EXPECT_EQ(again.reset_at, refused.reset_at);
    EXPECT_TRUE(admit(*limiter, Key::user("usr_2"))->admitted);
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1").limited_to(3))->admitted);
    clock.advance(options.memory);
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
}

TEST(RefusalsTest, OneRequestAsksAgainAndTheOthersAreRefusedMeanwhile)
{
    ManualClock clock;
    Refusals refusals(200ms);
    const std::vector<std::string> ids{"user", "token"};
    const std::vector<std::int64_t> limits{2, 1};
    const auto note = [&](const std::string& id, std::int64_t limit) {
        refusals.note(
            id, {.limit = limit, .noted_at = clock.steady(), .frees_at = clock.steady() + 1s});
    };
    const auto is_repeated = [&] { return refusals.find(ids, limits, clock.steady()).has_value(); };
    note("user", 2);
    clock.advance(100ms);
    note("token", 1);
    clock.advance(100ms);
    EXPECT_TRUE(is_repeated());
    clock.advance(100ms);
    EXPECT_FALSE(is_repeated());
    refusals.forget({&ids[1], 1});
    EXPECT_TRUE(is_repeated());
    clock.advance(200ms);
    EXPECT_FALSE(is_repeated());
    EXPECT_TRUE(is_repeated());
    clock.advance(500ms);  // One more is free.
    EXPECT_FALSE(is_repeated());
    EXPECT_FALSE(is_repeated());
}

TEST_F(PostgresLimiterTest, AnAdmissionEndsTheRefusalsThatAreRepeatedMeanwhile)
{
    ManualClock clock;
    Options options = tables.options({.chat = 2});
    options.clock = &clock;
    const auto limiter = PostgresLimiter::open(options).value();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(admit(*limiter, Key::user("usr_1"))->admitted, i < 2);
    link.execute("DELETE FROM limits");
    clock.advance(options.memory);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
}

// Admissions of class General are never given back.
TEST_F(PostgresLimiterTest, AFinalRefusalIsRepeatedUntilOneMoreIsFree)
{
    ManualClock clock;
    Options options = tables.options({.auth = 1, .general = 2});
    options.clock = &clock;
    const auto limiter = PostgresLimiter::open(options).value();
    const auto ask = [&] { return admit(*limiter, Key::user("usr_1"), Class::general).value(); };
    const auto name = [&] { return admit(*limiter, Key::account("ana"), Class::auth).value(); };
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(ask().admitted);
    EXPECT_TRUE(name().admitted);
    const Decision refused = ask();
    EXPECT_FALSE(refused.admitted || name().admitted);
    EXPECT_GT(refused.retry_after, 50s);
    link.execute("DELETE FROM limits");
    clock.advance(50s);
    EXPECT_FALSE(ask().admitted || name().admitted);
    EXPECT_EQ(ask().retry_after, refused.retry_after - 50s);
    EXPECT_EQ(ask().reset_at, refused.reset_at);
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1").limited_to(3), Class::general)->admitted);
    clock.advance(10s);
    EXPECT_TRUE(ask().admitted);
    EXPECT_TRUE(name().admitted);
}

TEST_F(PostgresLimiterTest, AClockThatIsSetBackLocksNobodyOutForLong)
{
    const auto limiter = opened({.chat = 1});
    EXPECT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted);
    link.execute("UPDATE limits SET stamps[1] = stamps[1] + 3600 * 1000000000::bigint");
    const Decision refused = admit(*limiter, Key::user("usr_1")).value();
    EXPECT_FALSE(refused.admitted);
    EXPECT_LE(refused.retry_after, 60s);
}

TEST_F(PostgresLimiterTest, StoresNoNamesAndNothingForAPeek)
{
    const auto limiter = opened();
    EXPECT_TRUE(block_on(limiter->peek(Class::chat, Key::user("usr_1")).wait())->admitted);
    EXPECT_EQ(link.text("SELECT count(*) FROM limits"), "0");
    EXPECT_TRUE(admit(*limiter, Key::account("secret"), Class::auth)->admitted);
    EXPECT_EQ(link.text("SELECT count(*) FROM limits WHERE position('secret'::bytea IN id) > 0"
                        " OR length(id) <> 32"),
              "0");
}

// As a frozen server does. Requests that wait for it are refused together.
TEST_F(PostgresLimiterTest, AServerThatDoesNotAnswerIsWaitedForOnce)
{
    boost::asio::io_context context;
    using boost::asio::ip::tcp;
    tcp::acceptor silent(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    Options options = tables.options({});
    options.database.url =
        "postgresql://127.0.0.1:" + std::to_string(silent.local_endpoint().port()) +
        "/p?sslmode=disable";
    const auto limiter = PostgresLimiter::open(options).value();
    const auto begun = std::chrono::steady_clock::now();
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
    // Twenty times the patience would be half a minute.
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
    EXPECT_EQ(admit(*limiter, Key::user("usr_1")).error().code, Errc::storage_unavailable);
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

TEST_F(PostgresLimiterTest, LimitsThatDoNotFitIntoARowAreRefused)
{
    for (const Limits& limits :
         {Limits{.chat = 1001}, Limits{.auth = 1001}, Limits{.auth_address = 1001},
          Limits{.general = 1001}, Limits{.hook = 1001}}) {
        const auto refused = PostgresLimiter::open(tables.options(limits));
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().message.find("at most 1000"), std::string::npos);
    }
    const auto limiter = opened({.chat = 1000});
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(admit(*limiter, Key::user("usr_1"))->admitted) << i;
    EXPECT_FALSE(admit(*limiter, Key::user("usr_1"))->admitted);
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
