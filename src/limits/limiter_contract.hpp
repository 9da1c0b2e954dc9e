// The contract tests of every limiter. Its test file makes one, also for LimiterNumbersContract:
//   struct MakesMine {
//       std::unique_ptr<limits::Limiter> open(const Limits&, const Clock&);  // The same counts.
//   };
//   INSTANTIATE_TYPED_TEST_SUITE_P(Mine, LimiterContract, MakesMine);
#pragma once

#include "base/block_on.hpp"
#include "base/clock.hpp"
#include "limits/limiter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace parley::limits {

using namespace std::chrono_literals;
inline Key address(const char* text) { return Key::address(boost::asio::ip::make_address(text)); }

template <class Maker>
class LimiterContract : public testing::Test {
protected:
    Decision admit(Class of, Keys keys)
    {
        return block_on(limiter->admit(of, keys).wait()).value();
    }
    Decision peek(Class of, Keys keys) { return block_on(limiter->peek(of, keys).wait()).value(); }
    bool admits(Class of, Keys keys) { return admit(of, keys).admitted; }
    int admits_of(int count, Class of, Keys keys)
    {
        int admitted = 0;
        for (int i = 0; i < count; ++i) admitted += admits(of, keys);
        return admitted;
    }
    void reopen(const Limits& limits)
    {
        limiter.reset();
        limiter = maker.open(limits, clock);
    }

    ManualClock clock;
    Maker maker;
    std::unique_ptr<Limiter> limiter = maker.open({}, clock);
};

TYPED_TEST_SUITE_P(LimiterContract);

TYPED_TEST_P(LimiterContract, AdmitsNOfEachClassAndRefusesTheNext)
{
    EXPECT_EQ(this->admits_of(31, Class::chat, Key::user("usr_1")), 30);
    EXPECT_EQ(this->admits_of(101, Class::general, Key::user("usr_1")), 100);
    EXPECT_EQ(this->admits_of(101, Class::general, address("192.0.2.1")), 100);
    EXPECT_EQ(this->admits_of(11, Class::auth, Keys(address("192.0.2.1"), Key::account("ana"))),
              10);
    EXPECT_EQ(this->admits_of(11, Class::auth, Keys(address("192.0.2.2"), Key::login("log_1"))),
              10);
    EXPECT_EQ(this->admits_of(11, Class::auth, address("192.0.2.3")), 10);
    EXPECT_EQ(this->admits_of(61, Class::hook, Key::hook("hok_1")), 60);
    EXPECT_EQ(this->admits_of(61, Class::hook, Key::hook("hok_2")), 60);
    EXPECT_EQ(this->admits_of(101, Class::general, Key::hook("hok_1")), 100);
}

TYPED_TEST_P(LimiterContract, FreesEachAdmissionExactlyOneWindowLater)
{
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(this->admits(Class::chat, Key::user("usr_1")));
        this->clock.advance(1s);
    }
    this->clock.advance(30s - 1ns);
    EXPECT_FALSE(this->admits(Class::chat, Key::user("usr_1")));
    this->clock.advance(1ns);
    for (int i = 0; i < 30; ++i) {
        ASSERT_EQ(this->admits_of(2, Class::chat, Key::user("usr_1")), 1);
        this->clock.advance(1s);
    }
}

TYPED_TEST_P(LimiterContract, ChargesNothingForARefusal)
{
    this->admits_of(30, Class::chat, Key::user("usr_1"));
    this->clock.advance(59s);
    EXPECT_EQ(this->admits_of(1000, Class::chat, Key::user("usr_1")), 0);
    this->clock.advance(1s);
    EXPECT_EQ(this->admits_of(1000, Class::chat, Key::user("usr_1")), 30);
}

TYPED_TEST_P(LimiterContract, CountsClassesAndKeysApart)
{
    this->admits_of(100, Class::general, Key::user("same"));
    EXPECT_TRUE(this->admits(Class::chat, Key::user("same")));
    EXPECT_TRUE(this->admits(Class::general, Key::user("other")));
    EXPECT_TRUE(this->admits(Class::general, Key::login("same")));
    this->admits_of(10, Class::auth, Key::account("same"));
    EXPECT_TRUE(this->admits(Class::auth, Key::login("same")));
    EXPECT_TRUE(this->admits(Class::auth, Key::account("same ")));
}

TYPED_TEST_P(LimiterContract, TakesAnyBytesForAKey)
{
    using namespace std::string_literals;
    for (const std::string& text : {""s, "\0"s, "\0\0"s, "\xff"s, std::string(100'000, 'x')})
        EXPECT_EQ(this->admits_of(11, Class::auth, Key::account(text)), 10);
}

TYPED_TEST_P(LimiterContract, CountsAnIpv6NetworkAndAMappedAddressAsOne)
{
    EXPECT_EQ(this->admits_of(60, Class::general, address("2001:db8::1")), 60);
    EXPECT_EQ(this->admits_of(60, Class::general, address("2001:db8::2")), 40);
    EXPECT_TRUE(this->admits(Class::general, address("2001:db8:0:1::1")));
    EXPECT_EQ(this->admits_of(60, Class::general, address("192.0.2.1")), 60);
    EXPECT_EQ(this->admits_of(60, Class::general, address("::ffff:192.0.2.1")), 40);
}

TYPED_TEST_P(LimiterContract, ChargesBothKeysOrNeither)
{
    this->admits_of(10, Class::auth, Keys(address("192.0.2.1"), Key::account("ana")));
    // The address has no room, so the name is not charged. And the other way round.
    EXPECT_EQ(this->admits_of(5, Class::auth, Keys(address("192.0.2.1"), Key::account("bob"))), 0);
    EXPECT_EQ(this->admits_of(5, Class::auth, Keys(address("192.0.2.2"), Key::account("ana"))), 0);
    EXPECT_EQ(this->peek(Class::auth, Key::account("bob")).remaining, 10U);
    EXPECT_EQ(this->peek(Class::auth, address("192.0.2.2")).remaining, 10U);
    EXPECT_EQ(this->admits_of(11, Class::auth, Keys(address("192.0.2.2"), Key::account("bob"))),
              10);
}

TYPED_TEST_P(LimiterContract, ChargesAKeyOnceThatIsGivenTwice)
{
    this->admit(Class::auth, Keys(Key::account("ana"), Key::account("ana")));
    EXPECT_EQ(this->peek(Class::auth, Key::account("ana")).remaining, 9U);
}

TYPED_TEST_P(LimiterContract, TellsHowTheKeyStands)
{
    const Decision first = this->admit(Class::chat, Key::user("usr_1"));
    EXPECT_EQ(first.of, Class::chat);
    EXPECT_TRUE(first.admitted);
    EXPECT_EQ(first.limit, 30U);
    EXPECT_EQ(first.remaining, 29U);
    EXPECT_EQ(first.window, 60s);
    EXPECT_EQ(first.reset, 60s);
    EXPECT_EQ(first.retry_after, 0s);
    EXPECT_EQ(first.reset_at, 1'769'851'800 + 60);

    this->clock.advance(10s + 1ns);
    const Decision second = this->admit(Class::chat, Key::user("usr_1"));
    EXPECT_EQ(second.remaining, 28U);
    EXPECT_EQ(second.reset, 50s);  // 49.999999999 s, rounded up.
    EXPECT_EQ(second.reset_at, 1'769'851'860);

    this->clock.advance(49s);
    EXPECT_EQ(this->peek(Class::chat, Key::user("usr_1")).reset, 1s);
    this->clock.advance(100s);
    EXPECT_EQ(this->peek(Class::chat, Key::user("usr_1")).remaining, 30U);
    EXPECT_EQ(this->peek(Class::chat, Key::user("usr_1")).reset, 0s);
}

TYPED_TEST_P(LimiterContract, TellsTheTighterOfTwoKeys)
{
    const Keys both(address("192.0.2.1"), Key::account("ana"));
    this->admits_of(4, Class::auth, address("192.0.2.1"));
    this->clock.advance(20s);
    this->admits_of(6, Class::auth, Key::account("ana"));
    EXPECT_EQ(this->peek(Class::auth, both).remaining, 4U);
    EXPECT_EQ(this->peek(Class::auth, both).reset, 60s);
    EXPECT_EQ(this->peek(Class::auth, Keys(Key::account("ana"), address("192.0.2.1"))).reset, 60s);
    // Both are used up: the longer wait counts, because a client that waits for it must be
    // admitted.
    this->admits_of(6, Class::auth, address("192.0.2.1"));
    this->admits_of(4, Class::auth, Key::account("ana"));
    const Decision refused = this->admit(Class::auth, both);
    EXPECT_FALSE(refused.admitted);
    EXPECT_EQ(refused.retry_after, 60s);
    this->clock.advance(refused.retry_after);
    EXPECT_TRUE(this->admits(Class::auth, both));
}

TYPED_TEST_P(LimiterContract, ChargesNothingForAPeek)
{
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(this->peek(Class::chat, Key::user("usr_1")).remaining, 30U);
    EXPECT_EQ(this->admits_of(31, Class::chat, Key::user("usr_1")), 30);
    const Decision refused = this->peek(Class::chat, Key::user("usr_1"));
    EXPECT_FALSE(refused.admitted);
    EXPECT_EQ(refused.remaining, 0U);
    EXPECT_EQ(refused.retry_after, 60s);
}

TYPED_TEST_P(LimiterContract, ChargesOnlyForAnAnswer)
{
    int admitted = 0;
    for (int i = 0; i < 20; ++i) {
        auto asked = this->limiter->admit(Class::chat, Key::user("usr_1"));
        if (asked.is_ready()) admitted += asked.take().value().admitted;  // Else: never awaited.
    }
    EXPECT_EQ(this->admits_of(40, Class::chat, Key::user("usr_1")), 30 - admitted);
}

TYPED_TEST_P(LimiterContract, CountsAReplayInAnotherClass)
{
    this->admits_of(30, Class::chat, Key::user("usr_1"));
    EXPECT_FALSE(this->peek(Class::chat, Key::user("usr_1")).admitted);
    EXPECT_EQ(this->admit(Class::general, Key::user("usr_1")).remaining, 99U);
}

TYPED_TEST_P(LimiterContract, AdmitsWhoeverObeysRetryAfter)
{
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
        const Decision decision = this->admit(Class::chat, Key::user("usr_1"));
        if (!decision.admitted) {
            ASSERT_GE(decision.retry_after, 1s);
            this->clock.advance(decision.retry_after);
            ASSERT_TRUE(this->admits(Class::chat, Key::user("usr_1")));
        }
        this->clock.advance(std::chrono::nanoseconds(random() % 3'000'000'000));
    }
}

TYPED_TEST_P(LimiterContract, AgreesWithTheOracleOnManyKeys)
{
    this->reopen({.auth = 3});
    std::mt19937 random(11);
    std::map<std::string, std::vector<SteadyPoint>> admitted;
    const auto in_window = [&](const std::string& key) {
        return std::ranges::count_if(
            admitted[key], [&](SteadyPoint each) { return each > this->clock.steady() - 60s; });
    };
    for (int i = 0; i < 20'000; ++i) {
        this->clock.advance(std::chrono::milliseconds(random() % 2000));
        const std::string place = "192.0.2." + std::to_string(random() % 9);
        const std::string name = "name" + std::to_string(random() % 9);
        const bool expected = in_window(place) < 3 && in_window(name) < 3;
        ASSERT_EQ(this->admits(Class::auth, Keys(address(place.c_str()), Key::account(name))),
                  expected);
        if (!expected) continue;
        admitted[place].push_back(this->clock.steady());
        admitted[name].push_back(this->clock.steady());
    }
}

TYPED_TEST_P(LimiterContract, AdmitsExactlyNWhenManyThreadsAsk)
{
    std::atomic<int> chat = 0;
    std::atomic<int> auth = 0;
    for (int window = 0; window < 3; ++window) {
        std::vector<std::thread> threads;
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([&, i] {
                // In both orders, so that threads meet on two keys from both sides.
                const Keys there(address("192.0.2.1"), Key::account("ana"));
                const Keys back(Key::account("ana"), address("192.0.2.1"));
                for (int j = 0; j < 100; ++j) {
                    chat += this->admits(Class::chat, Key::user("usr_1"));
                    auth += this->admits(Class::auth, i % 2 == 0 ? there : back);
                }
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(chat, 30 * (window + 1));
        EXPECT_EQ(auth, 10 * (window + 1));
        this->clock.advance(60s);
    }
}

TYPED_TEST_P(LimiterContract, GoesOnAfterARestart)
{
    this->admits_of(20, Class::chat, Key::user("usr_1"));
    this->admits_of(10, Class::auth, Keys(address("192.0.2.1"), Key::account("ana")));
    this->clock.advance(30s);
    this->reopen({});
    EXPECT_EQ(this->admits_of(11, Class::chat, Key::user("usr_1")), 10);
    EXPECT_FALSE(this->admits(Class::auth, address("192.0.2.1")));
    EXPECT_FALSE(this->admits(Class::auth, Key::account("ana")));
    this->clock.advance(30s);
    this->reopen({});
    EXPECT_EQ(this->admits_of(21, Class::chat, Key::user("usr_1")), 20);
    EXPECT_TRUE(this->admits(Class::auth, address("192.0.2.1")));
}

REGISTER_TYPED_TEST_SUITE_P(LimiterContract, AdmitsNOfEachClassAndRefusesTheNext,
                            FreesEachAdmissionExactlyOneWindowLater, ChargesNothingForARefusal,
                            CountsClassesAndKeysApart, TakesAnyBytesForAKey,
                            CountsAnIpv6NetworkAndAMappedAddressAsOne, ChargesBothKeysOrNeither,
                            ChargesAKeyOnceThatIsGivenTwice, TellsHowTheKeyStands,
                            TellsTheTighterOfTwoKeys, ChargesNothingForAPeek,
                            ChargesOnlyForAnAnswer, CountsAReplayInAnotherClass,
                            AdmitsWhoeverObeysRetryAfter, AgreesWithTheOracleOnManyKeys,
                            AdmitsExactlyNWhenManyThreadsAsk, GoesOnAfterARestart);

}  // namespace parley::limits
