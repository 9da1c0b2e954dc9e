#include "base/random.hpp"

#include "base/base62.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace parley {
namespace {

TEST(Random, GivesOtherBytesEachTime)
{
    std::set<std::array<std::byte, 16>> seen;
    std::array<std::byte, 16> bytes{};
    for (int i = 0; i < 1000; ++i) {
        random_bytes(bytes);
        seen.insert(bytes);
    }
    EXPECT_EQ(seen.size(), 1000);
}

TEST(Random, FillsMoreThanItsStoreHolds)
{
    std::vector<std::byte> bytes(100000);
    random_bytes(bytes);
    std::map<std::byte, int> count;
    for (const std::byte byte : bytes) ++count[byte];
    EXPECT_EQ(count.size(), 256);
}

// 1,000 of each are expected, with a standard deviation of 31. A modulo would give 2,000 of two of
// them.
TEST(Random, MakesEveryCharacterEquallyLikely)
{
    std::map<char, int> count;
    for (const char letter : random_base62(62000)) ++count[letter];
    EXPECT_EQ(count.size(), 62);
    for (const auto& [letter, times] : count) {
        EXPECT_NE(base62_alphabet.find(letter), std::string_view::npos);
        EXPECT_NEAR(times, 1000, 250) << letter;
    }
}

TEST(Random, DiffersFromThreadToThread)
{
    std::string here = random_base62(20);
    std::string there;
    std::thread([&] { there = random_base62(20); }).join();
    EXPECT_NE(here, there);
}

TEST(Random, DiffersBetweenAProcessAndItsFork)
{
    random_base62(1);  // Fills the pool before the fork, so that both have the same one.
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        const std::string text = random_base62(20);
        _exit(write(ends[1], text.data(), text.size()) == 20 ? 0 : 1);
    }
    std::string theirs(20, ' ');
    ASSERT_EQ(read(ends[0], theirs.data(), theirs.size()), 20);
    EXPECT_NE(random_base62(20), theirs);
    waitpid(child, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
}

TEST(ConstantTimeEqual, ComparesAllOfBothTexts)
{
    EXPECT_TRUE(constant_time_equal("", ""));
    EXPECT_TRUE(constant_time_equal("secret", "secret"));
    EXPECT_FALSE(constant_time_equal("secret", "Secret"));
    EXPECT_FALSE(constant_time_equal("secret", "secreT"));
    EXPECT_FALSE(constant_time_equal("secret", "secre"));
    EXPECT_FALSE(constant_time_equal("secret", "secrets"));
    EXPECT_FALSE(constant_time_equal("secret", ""));
}

}  // namespace
}  // namespace parley
