#include "auth/passwords.hpp"

#include "base/block_on.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <thread>

namespace parley::auth {
namespace {

using namespace std::string_view_literals;

constexpr HashCost cheap{.passes = 1, .memory = 8192};
const std::string good = "correct horse battery staple";

class Passwords : public testing::Test {
protected:
    std::string hash(std::string_view password)
    {
        return block_on(hasher.hash(Secret(password))).value();
    }
    Verdict verify(const std::string& hash, std::string_view password)
    {
        return block_on(hasher.verify(hash, Secret(password))).value();
    }
    Result<std::string> hash_new(std::string_view password, std::vector<std::string> words = {})
    {
        return block_on(hasher.hash_new(Secret(password), std::move(words), "#/password"));
    }

    PasswordHasher hasher{{.cost = cheap}};
};

TEST_F(Passwords, AreRightOrWrong)
{
    const std::string stored = hash(good);
    EXPECT_EQ(verify(stored, good), Verdict::ok);
    EXPECT_EQ(verify(stored, good + " "), Verdict::wrong);
    EXPECT_EQ(verify(stored, "Correct horse battery staple"), Verdict::wrong);
    EXPECT_EQ(verify(stored, ""), Verdict::wrong);
    EXPECT_NE(stored, hash(good)) << "each hash has a salt of its own";
}

// Created by another program, argon2-cffi 25.1: PasswordHasher(time_cost=2, memory_cost=19456,
// parallelism=1).hash("password", salt=b"somesaltsomesalt").
TEST_F(Passwords, AreCheckedAgainstHashesThatOthersMake)
{
    const std::string foreign =
        "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$"
        "K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE";
    EXPECT_EQ(verify(foreign, "password"), Verdict::ok_but_old);
    EXPECT_EQ(verify(foreign, "passwore"), Verdict::wrong);
}

TEST_F(Passwords, AreTakenWholeWithTheirNulBytes)
{
    const std::string stored = hash("a\0b"sv);
    EXPECT_EQ(verify(stored, "a\0b"sv), Verdict::ok);
    EXPECT_EQ(verify(stored, "a\0c"sv), Verdict::wrong);
    EXPECT_EQ(verify(stored, "a"sv), Verdict::wrong);
    EXPECT_EQ(verify(stored, "a\0b\0"sv), Verdict::wrong);

    std::string longest(1024, 'x');
    const std::string of_longest = hash(longest);
    EXPECT_EQ(verify(of_longest, longest), Verdict::ok);
    longest.back() = 'y';
    EXPECT_EQ(verify(of_longest, longest), Verdict::wrong);
}

TEST_F(Passwords, AreTheSameHoweverAKeyboardWritesThem)
{
    EXPECT_EQ(verify(hash("\u00E9t\u00E9 \u00C5"), "e\u0301te\u0301 \u212B"), Verdict::ok);
    EXPECT_EQ(verify(hash("e\u0301t\0e\u0301"sv), "\u00E9t\0\u00E9"sv), Verdict::ok);
    EXPECT_EQ(verify(*hash_new("e\u0301te\u0301 correct horse"), "\u00E9t\u00E9 correct horse"),
              Verdict::ok);
    EXPECT_EQ(verify(hash("\uFB01"), "fi"), Verdict::wrong);
    EXPECT_EQ(verify(hash("\xFF\xFE"), "\xFF\xFE"), Verdict::ok) << "not UTF-8";
}

TEST_F(Passwords, LongerThan1024BytesAreWrongWithoutWork)
{
    const std::string long_one(1025, 'x');
    const std::string stored = hash(long_one);
    EXPECT_EQ(verify(stored, long_one), Verdict::wrong);

    // The hashing thread has ended, and there is still a result.
    hasher.close();
    EXPECT_EQ(verify(stored, long_one), Verdict::wrong);
    EXPECT_EQ(block_on(hasher.verify_nobody(Secret(long_one))).value(), Verdict::wrong);
    EXPECT_EQ(hash_new(long_one).error().faults.at(0).code, "too_long");
    EXPECT_EQ(hash_new("short").error().faults.at(0).code, "too_short");
}

TEST_F(Passwords, OfNobodyAreWrong)
{
    EXPECT_EQ(block_on(hasher.verify_nobody(Secret(good))).value(), Verdict::wrong);
    EXPECT_EQ(block_on(hasher.verify_nobody(Secret())).value(), Verdict::wrong);
}

TEST_F(Passwords, AreWrongWhereTheHashIsNone)
{
    const std::string right = hash(good);
    for (const std::string& stored :
         {std::string(), std::string("x"), std::string("$argon2id$"), right.substr(0, 60),
          std::string(100'000, 'x'), std::string("$argon2id$v=19$m=0,t=0,p=0$$"),
          std::string("5f4dcc3b5aa765d61d8327deb882cf99")})
        EXPECT_EQ(verify(stored, good), Verdict::wrong) << stored.substr(0, 80);
}

TEST_F(Passwords, HashedWithOtherParametersAreRightButOld)
{
    const std::string stored = hash(good);
    for (const HashCost cost : {HashCost{2, cheap.memory}, HashCost{1, 2 * cheap.memory}}) {
        PasswordHasher stronger({.cost = cost});
        EXPECT_EQ(block_on(stronger.verify(stored, Secret(good))).value(), Verdict::ok_but_old);
        EXPECT_EQ(block_on(stronger.verify(stored, Secret("other"))).value(), Verdict::wrong);
        const std::string better = block_on(stronger.hash(Secret(good))).value();
        EXPECT_EQ(block_on(stronger.verify(better, Secret(good))).value(), Verdict::ok);
    }
}

TEST_F(Passwords, AreJudgedBeforeTheyAreTaken)
{
    EXPECT_EQ(verify(*hash_new(good), good), Verdict::ok);

    const auto weak = hash_new("password1");
    ASSERT_FALSE(weak);
    EXPECT_EQ(weak.error().code, Errc::validation_failed);
    EXPECT_TRUE(weak.error().message.starts_with("password: is too easy to guess ("));
    ASSERT_EQ(weak.error().faults.size(), 1U);
    EXPECT_EQ(weak.error().faults[0].where, "#/password");
    EXPECT_EQ(weak.error().faults[0].code, "guessable");

    EXPECT_TRUE(hash_new("vukovicfjordnet"));
    EXPECT_FALSE(hash_new("vukovicfjordnet", {"vukovic@fjordnet.example"}));
    EXPECT_TRUE(hash_new(std::string(996, 'a') + good)) << "1,024 bytes";
    EXPECT_FALSE(hash_new(std::string(997, 'a') + good)) << "1,025 bytes";
}

TEST_F(Passwords, AreRefusedWhenTheHasherCloses)
{
    const std::string stored = hash(good);
    hasher.close();
    EXPECT_EQ(hash_new(good).error().code, Errc::shutting_down);
    EXPECT_EQ(block_on(hasher.hash(Secret(good))).error().code, Errc::shutting_down);
    EXPECT_EQ(block_on(hasher.verify(stored, Secret(good))).error().code, Errc::shutting_down);
    EXPECT_EQ(block_on(hasher.verify_nobody(Secret(good))).error().code, Errc::shutting_down);
}

TEST(PasswordHasher, ServesManyLoopsAtOnce)
{
    PasswordHasher shared({.cost = cheap, .most_waiting = 100});
    std::vector<std::thread> loops;
    for (std::size_t loop = 0; loop < 4; ++loop)
        loops.emplace_back([&shared, loop] {
            const std::string mine = good + std::to_string(loop);
            const std::string stored = block_on(shared.hash(Secret(mine))).value();
            std::vector<Task<Result<Verdict>>> tasks;
            for (int i = 0; i < 10; ++i) {
                tasks.push_back(shared.verify(stored, Secret(good + std::to_string(i))));
                tasks.push_back(shared.verify_nobody(Secret(mine)));
            }
            const auto verdicts = block_on_all(std::move(tasks));
            for (std::size_t i = 0; i < 10; ++i) {
                EXPECT_EQ(verdicts[2 * i].value(), i == loop ? Verdict::ok : Verdict::wrong);
                EXPECT_EQ(verdicts[2 * i + 1].value(), Verdict::wrong);
            }
        });
    for (std::thread& loop : loops) loop.join();
}

// Measured in CPU time, which does not depend on other load.
TEST(PasswordHasher, WorksAsMuchForNobodyAsForSomebody)
{
    PasswordHasher hasher({.cost = {.passes = 2, .memory = std::size_t{4} << 20U}});
    const std::string somebody = block_on(hasher.hash(Secret(good))).value();
    const auto work = [&hasher](const std::string& stored) {
        std::clock_t least = std::numeric_limits<std::clock_t>::max();
        for (int i = 0; i < 25; ++i) {
            const std::clock_t before = std::clock();
            EXPECT_EQ(block_on(hasher.verify(stored, Secret("not it"))).value(), Verdict::wrong);
            least = std::min(least, std::clock() - before);
        }
        return static_cast<double>(least);
    };
    const double usual = work(somebody);
    for (const std::string& stored : {std::string(), std::string("no hash at all")})
        EXPECT_NEAR(work(stored) / usual, 1, 0.5) << usual << " µs";
}

TEST(PasswordHasher, LetsOnlySoManyWait)
{
    PasswordHasher hasher({.cost = cheap, .most_waiting = 4});
    std::vector<Task<Result<Verdict>>> tasks;
    for (int i = 0; i < 1000; ++i) tasks.push_back(hasher.verify_nobody(Secret(good)));
    const auto verdicts = block_on_all(std::move(tasks));
    std::size_t done = 0;
    for (const auto& verdict : verdicts)
        if (verdict)
            ++done;
        else
            EXPECT_EQ(verdict.error().code, Errc::overloaded);
    EXPECT_GE(done, 5U);  // The first five; later ones may be admitted or not.
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(verdicts[i]) << i;
}

TEST(PasswordHasher, IsAsDearAsTheContractSays)
{
    PasswordHasher hasher;
    const std::string stored = block_on(hasher.hash(Secret(good))).value();
    EXPECT_TRUE(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$")) << stored;
    EXPECT_EQ(block_on(hasher.verify(stored, Secret(good))).value(), Verdict::ok);
}

TEST(PasswordHasher, DoesNotStartWhereItCannotHash)
{
    EXPECT_THROW(PasswordHasher({.cost = {.passes = 0, .memory = 8192}}), std::runtime_error);
}

}  // namespace
}  // namespace parley::auth
