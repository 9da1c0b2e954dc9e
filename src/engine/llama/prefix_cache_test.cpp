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
    PrefixCache kept(1000);
    kept.keep({1, 2, 3}, State(10, 1), ana);
    kept.keep({1, 2, 3, 4, 5}, State(10, 2), ana);
    kept.keep({7}, State(10, 3), ana);
    const auto found = kept.longest(Tokens{1, 2, 3, 4, 9}, ana);
    EXPECT_EQ(found.common, 4U);
    EXPECT_EQ(*found.state, State(10, 2));
    EXPECT_EQ(kept.known(Tokens{1, 2, 8}, "usr_ana"), 2U);
    EXPECT_EQ(kept.longest(Tokens{8}, ana).state, nullptr);
}

TEST(PrefixCache, KeepNothingTwice)
{
    PrefixCache kept(1000);
    kept.keep({1, 2, 3}, State(10, 1), ana);
    kept.keep({1, 2, 3}, State(10, 1), ana);
    kept.keep({1, 2}, State(10, 1), ana);
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.bytes(), 10U);
}

TEST(PrefixCache, OfASessionGrowWithIt)
{
    PrefixCache kept(1000);
    kept.keep({1, 2}, State(10, 1), in_session("ses_a"));
    kept.keep({1, 2, 3}, State(12, 1), in_session("ses_a"));
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.bytes(), 12U);
    kept.keep({1, 2, 3, 4}, State(14, 1), in_session("ses_b"));
    EXPECT_EQ(kept.count(), 2U) << "what another session has stays";
}

TEST(PrefixCache, GoWithTheLastSessionThatHasThem)
{
    PrefixCache kept(1000);
    kept.keep({1, 2}, State(10, 1), in_session("ses_a"));
    EXPECT_EQ(kept.longest(Tokens{1, 2, 3}, in_session("ses_b")).common, 2U);
    kept.forget("ses_a");
    EXPECT_EQ(kept.count(), 1U);
    kept.forget("ses_b");
    EXPECT_EQ(kept.count(), 0U);
    EXPECT_EQ(kept.bytes(), 0U);
    kept.keep({1, 2}, State(10, 1), ana);
    kept.forget("");
    EXPECT_EQ(kept.count(), 1U) << "what is nobody's goes when there is need of room";
}

TEST(PrefixCache, GoEvenWhereAnotherSessionHasTheirBeginning)
{
    PrefixCache kept(1000);
    kept.keep({1, 2, 3, 4}, State(10, 1), in_session("ses_a"));
    kept.keep({1, 2}, State(10, 1), in_session("ses_b"));
    EXPECT_EQ(kept.longest(Tokens{1, 2, 9}, in_session("ses_c")).common, 2U);
    kept.forget("ses_a");
    EXPECT_EQ(kept.count(), 0U);
}

TEST(PrefixCache, GoWithTheUserToo)
{
    PrefixCache kept(1000);
    kept.keep({1, 2}, State(10, 1), {.owner = "usr_a", .session = "usr_a/ses_1"});
    kept.keep({3, 4}, State(10, 1), {.owner = "usr_a/test", .session = "usr_a/ses_2"});
    kept.keep({5, 6}, State(10, 1), {.owner = "usr_a"});
    kept.keep({7, 8}, State(10, 1), {.owner = "usr_ab", .session = "usr_ab/ses_3"});
    kept.forget("usr_a");
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.known(Tokens{7, 8}, "usr_ab"), 2U);
}

TEST(PrefixCache, ServeTheirOwnerAlone)
{
    PrefixCache kept(1000);
    kept.keep({1, 2, 3}, State(10, 1), ana);
    EXPECT_EQ(kept.known(Tokens{1, 2, 3}, "usr_bo"), 0U);
    EXPECT_EQ(kept.longest(Tokens{1, 2, 3}, bo).state, nullptr);
    EXPECT_EQ(kept.longest(Tokens{1, 2, 3}, {}).state, nullptr);
    kept.keep({1, 2, 3}, State(10, 2), bo);
    EXPECT_EQ(*kept.longest(Tokens{1, 2, 3}, ana).state, State(10, 1));
    EXPECT_EQ(*kept.longest(Tokens{1, 2, 3}, bo).state, State(10, 2));
    kept.keep({1, 2, 3, 4}, State(10, 3), {});
    EXPECT_EQ(kept.count(), 2U) << "what is nobody's is not kept";
}

TEST(PrefixCache, HaveALimit)
{
    PrefixCache kept(100);
    for (Token i = 0; i < 50; ++i) {
        kept.keep({i, 1, 2}, State(30, 1), ana);
        EXPECT_LE(kept.bytes(), 100U);
    }
    EXPECT_EQ(kept.count(), 3U);
    EXPECT_EQ(kept.known(Tokens{49}, "usr_ana"), 1U);
    kept.keep({99}, State(101, 1), ana);
    EXPECT_EQ(kept.known(Tokens{99}, "usr_ana"), 0U) << "one that is larger than all";
}

TEST(PrefixCache, LoseTheLeastValuableFirst)
{
    PrefixCache kept(100);
    kept.keep(Tokens(500, 1), State(40, 1), ana);
    kept.keep({2, 2}, State(40, 2), ana);
    kept.longest(Tokens{2, 2}, ana);
    kept.keep({3, 3}, State(40, 3), ana);
    EXPECT_EQ(kept.known(Tokens(500, 1), "usr_ana"), 500U) << "much work is saved by it";
    EXPECT_EQ(kept.known(Tokens{2, 2}, "usr_ana") + kept.known(Tokens{3, 3}, "usr_ana"), 2U);
}

TEST(PrefixCache, DoNotServeWhatWasDamaged)
{
    PrefixCache kept(1000);
    kept.keep({1, 2}, State(70, 1), ana);
    const auto found = kept.longest(Tokens{1, 2}, ana);
    const_cast<State&>(*found.state)[33] ^= 4;
    EXPECT_EQ(kept.longest(Tokens{1, 2}, ana).state, nullptr);
    EXPECT_EQ(kept.count(), 0U);
}

}  // namespace
}  // namespace parley::engine::llama
