#include "limits/limiter_contract.hpp"
#include "limits/limiter_numbers_contract.hpp"
#include "limits/postgres/limiter_for_tests.hpp"

#include <cstdlib>

namespace parley::limits::postgres {

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

// The request that asks renews the refusals of all of its keys.
TEST_F(PostgresLimiterTest, ARefusalOfOneKeyDoesNotRenewThatOfAnother)
{
    ManualClock clock;
    Options options = tables.options({.chat = 2});
    options.clock = &clock;
    const auto limiter = PostgresLimiter::open(options).value();
    const auto other = opened({.chat = 2});
    const Key user = Key::user("usr_1");
    const Keys both{user, Key::token("tok_1").limited_to(1)};
    EXPECT_TRUE(admit(*other, both)->admitted);
    const Decision second = admit(*other, user).value();
    EXPECT_TRUE(second.admitted);
    EXPECT_FALSE(admit(*limiter, both)->admitted);
    EXPECT_TRUE(block_on(other->give_back(Class::chat, user, second.receipt)));
    clock.advance(options.memory);
    EXPECT_FALSE(admit(*limiter, both)->admitted);
    EXPECT_TRUE(admit(*limiter, user)->admitted);
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

}  // namespace
}  // namespace parley::limits::postgres
