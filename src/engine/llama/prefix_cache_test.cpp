#include "engine/llama/prefix_cache.hpp"

#include <gtest/gtest.h>

namespace parley::engine::llama {
namespace {

using State = PrefixCache::State;

const Whose ana{.owner = "usr_ana"};
const Whose bo{.owner = "usr_bo"};

Whose in_session(std::string session)
{
    return {.owner = "usr_ana", .session = std::move(session)};
}

TEST(PrefixCache, FindTheLongestBeginning)
{
    PrefixCache cache(1000);
    cache.keep({1, 2, 3}, State(10, 1), ana);
    cache.keep({1, 2, 3, 4, 5}, State(10, 2), ana);
    cache.keep({7}, State(10, 3), ana);
    const auto found = cache.longest(Tokens{1, 2, 3, 4, 9}, ana);
    EXPECT_EQ(found.common, 4U);
    EXPECT_EQ(*found.state, State(10, 2));
    EXPECT_EQ(cache.known(Tokens{1, 2, 8}, "usr_ana"), 2U);
    EXPECT_EQ(cache.longest(Tokens{8}, ana).state, nullptr);
}

TEST(PrefixCache, KeepNothingTwice)
{
    PrefixCache cache(1000);
    cache.keep({1, 2, 3}, State(10, 1), ana);
    cache.keep({1, 2, 3}, State(10, 1), ana);
    cache.keep({1, 2}, State(10, 1), ana);
    EXPECT_EQ(cache.count(), 1U);
    EXPECT_EQ(cache.bytes(), 10U);
}

TEST(PrefixCache, OfASessionGrowWithIt)
{
    PrefixCache cache(1000);
    cache.keep({1, 2}, State(10, 1), in_session("ses_a"));
    cache.keep({1, 2, 3}, State(12, 1), in_session("ses_a"));
    EXPECT_EQ(cache.count(), 1U);
    EXPECT_EQ(cache.bytes(), 12U);
    cache.keep({1, 2, 3, 4}, State(14, 1), in_session("ses_b"));
    EXPECT_EQ(cache.count(), 2U) << "what another session has stays";
}

TEST(PrefixCache, GoWithTheLastSessionThatHasThem)
{
    PrefixCache cache(1000);
    cache.keep({1, 2}, State(10, 1), in_session("ses_a"));
    EXPECT_EQ(cache.longest(Tokens{1, 2, 3}, in_session("ses_b")).common, 2U);
    cache.forget("ses_a");
    EXPECT_EQ(cache.count(), 1U);
    cache.forget("ses_b");
    EXPECT_EQ(cache.count(), 0U);
    EXPECT_EQ(cache.bytes(), 0U);
    cache.keep({1, 2}, State(10, 1), ana);
    cache.forget("");
    EXPECT_EQ(cache.count(), 1U) << "what is nobody's goes when there is need of room";
}

TEST(PrefixCache, GoEvenWhereAnotherSessionHasTheirBeginning)
{
    PrefixCache cache(1000);
    cache.keep({1, 2, 3, 4}, State(10, 1), in_session("ses_a"));
    cache.keep({1, 2}, State(10, 1), in_session("ses_b"));
    EXPECT_EQ(cache.longest(Tokens{1, 2, 9}, in_session("ses_c")).common, 2U);
    cache.forget("ses_a");
    EXPECT_EQ(cache.count(), 0U);
}

TEST(PrefixCache, GoWithTheUserToo)
{
    PrefixCache cache(1000);
    cache.keep({1, 2}, State(10, 1), {.owner = "usr_a", .session = "usr_a/ses_1"});
    cache.keep({3, 4}, State(10, 1), {.owner = "usr_a/test", .session = "usr_a/ses_2"});
    cache.keep({5, 6}, State(10, 1), {.owner = "usr_a"});
    cache.keep({7, 8}, State(10, 1), {.owner = "usr_ab", .session = "usr_ab/ses_3"});
    cache.forget("usr_a");
    EXPECT_EQ(cache.count(), 1U);
    EXPECT_EQ(cache.known(Tokens{7, 8}, "usr_ab"), 2U);
}

TEST(PrefixCache, ServeTheirOwnerAlone)
{
    PrefixCache cache(1000);
    cache.keep({1, 2, 3}, State(10, 1), ana);
    EXPECT_EQ(cache.known(Tokens{1, 2, 3}, "usr_bo"), 0U);
    EXPECT_EQ(cache.longest(Tokens{1, 2, 3}, bo).state, nullptr);
    EXPECT_EQ(cache.longest(Tokens{1, 2, 3}, {}).state, nullptr);
    cache.keep({1, 2, 3}, State(10, 2), bo);
    EXPECT_EQ(*cache.longest(Tokens{1, 2, 3}, ana).state, State(10, 1));
    EXPECT_EQ(*cache.longest(Tokens{1, 2, 3}, bo).state, State(10, 2));
    cache.keep({1, 2, 3, 4}, State(10, 3), {});
    EXPECT_EQ(cache.count(), 2U) << "what is nobody's is not kept";
}

TEST(PrefixCache, HaveALimit)
{
    PrefixCache cache(100);
    for (Token i = 0; i < 50; ++i) {
        cache.keep({i, 1, 2}, State(30, 1), ana);
        EXPECT_LE(cache.bytes(), 100U);
    }
    EXPECT_EQ(cache.count(), 3U);
    EXPECT_EQ(cache.known(Tokens{49}, "usr_ana"), 1U);
    cache.keep({99}, State(101, 1), ana);
    EXPECT_EQ(cache.known(Tokens{99}, "usr_ana"), 0U) << "one that is larger than all";
}

TEST(PrefixCache, LoseTheLeastValuableFirst)
{
    PrefixCache cache(100);
    cache.keep(Tokens(500, 1), State(40, 1), ana);
    cache.keep({2, 2}, State(40, 2), ana);
    cache.longest(Tokens{2, 2}, ana);
    cache.keep({3, 3}, State(40, 3), ana);
    EXPECT_EQ(cache.known(Tokens(500, 1), "usr_ana"), 500U) << "much work is saved by it";
    EXPECT_EQ(cache.known(Tokens{2, 2}, "usr_ana") + cache.known(Tokens{3, 3}, "usr_ana"), 2U);
}

TEST(PrefixCache, DoNotServeWhatWasDamaged)
{
    PrefixCache cache(1000);
    cache.keep({1, 2}, State(70, 1), ana);
    const auto found = cache.longest(Tokens{1, 2}, ana);
    const_cast<State&>(*found.state)[33] ^= 4;
    EXPECT_EQ(cache.longest(Tokens{1, 2}, ana).state, nullptr);
    EXPECT_EQ(cache.count(), 0U);
}

}  // namespace
}  // namespace parley::engine::llama
