#include "engine/llama/kept_prefixes.hpp"

#include <gtest/gtest.h>

namespace parley::engine {
namespace {

using State = KeptPrefixes::State;

TEST(KeptPrefixes, FindTheLongestBeginning)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2, 3}, State(10, 1), "");
    kept.keep({1, 2, 3, 4, 5}, State(10, 2), "");
    kept.keep({7}, State(10, 3), "");
    const auto found = kept.longest(Tokens{1, 2, 3, 4, 9}, "");
    EXPECT_EQ(found.common, 4U);
    EXPECT_EQ(*found.state, State(10, 2));
    EXPECT_EQ(kept.known(Tokens{1, 2, 8}), 2U);
    EXPECT_EQ(kept.longest(Tokens{8}, "").state, nullptr);
}

TEST(KeptPrefixes, KeepNothingTwice)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2, 3}, State(10, 1), "");
    kept.keep({1, 2, 3}, State(10, 1), "");
    kept.keep({1, 2}, State(10, 1), "");
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.bytes(), 10U);
}

TEST(KeptPrefixes, OfASessionGrowWithIt)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2}, State(10, 1), "ses_a");
    kept.keep({1, 2, 3}, State(12, 1), "ses_a");
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.bytes(), 12U);
    kept.keep({1, 2, 3, 4}, State(14, 1), "ses_b");
    EXPECT_EQ(kept.count(), 2U) << "what another session has stays";
}

TEST(KeptPrefixes, GoWithTheLastSessionThatHasThem)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2}, State(10, 1), "ses_a");
    EXPECT_EQ(kept.longest(Tokens{1, 2, 3}, "ses_b").common, 2U);
    kept.forget("ses_a");
    EXPECT_EQ(kept.count(), 1U);
    kept.forget("ses_b");
    EXPECT_EQ(kept.count(), 0U);
    EXPECT_EQ(kept.bytes(), 0U);
    kept.keep({1, 2}, State(10, 1), "");
    kept.forget("");
    EXPECT_EQ(kept.count(), 1U) << "what is nobody's goes when there is need of room";
}

TEST(KeptPrefixes, GoEvenWhereAnotherSessionHasTheirBeginning)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2, 3, 4}, State(10, 1), "ses_a");
    kept.keep({1, 2}, State(10, 1), "ses_b");
    EXPECT_EQ(kept.longest(Tokens{1, 2, 9}, "ses_c").common, 2U);
    kept.forget("ses_a");
    EXPECT_EQ(kept.count(), 0U);
}

TEST(KeptPrefixes, GoWithTheUserToo)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2}, State(10, 1), "usr_a/ses_1");
    kept.keep({3, 4}, State(10, 1), "usr_a/ses_2");
    kept.keep({5, 6}, State(10, 1), "usr_ab/ses_3");
    kept.keep({7, 8}, State(10, 1), "usr_a/ses_1");
    kept.longest(Tokens{7, 8}, "usr_ab/ses_3");
    kept.forget("usr_a");
    EXPECT_EQ(kept.known(Tokens{1, 2}) + kept.known(Tokens{3, 4}), 0U);
    EXPECT_EQ(kept.known(Tokens{5, 6}) + kept.known(Tokens{7, 8}), 4U);
}

TEST(KeptPrefixes, HaveALimit)
{
    KeptPrefixes kept(100);
    for (Token i = 0; i < 50; ++i) {
        kept.keep({i, 1, 2}, State(30, 1), "");
        EXPECT_LE(kept.bytes(), 100U);
    }
    EXPECT_EQ(kept.count(), 3U);
    EXPECT_EQ(kept.known(Tokens{49}), 1U);
    kept.keep({99}, State(101, 1), "");
    EXPECT_EQ(kept.known(Tokens{99}), 0U) << "one that is larger than all";
}

TEST(KeptPrefixes, LoseTheLeastValuableFirst)
{
    KeptPrefixes kept(100);
    kept.keep(Tokens(500, 1), State(40, 1), "");
    kept.keep({2, 2}, State(40, 2), "");
    kept.longest(Tokens{2, 2}, "");
    kept.keep({3, 3}, State(40, 3), "");
    EXPECT_EQ(kept.known(Tokens(500, 1)), 500U) << "much work is saved by it";
    EXPECT_EQ(kept.known(Tokens{2, 2}) + kept.known(Tokens{3, 3}), 2U);
}

TEST(KeptPrefixes, DoNotServeWhatWasDamaged)
{
    KeptPrefixes kept(1000);
    kept.keep({1, 2}, State(70, 1), "");
    const auto found = kept.longest(Tokens{1, 2}, "");
    const_cast<State&>(*found.state)[33] ^= 4;
    EXPECT_EQ(kept.longest(Tokens{1, 2}, "").state, nullptr);
    EXPECT_EQ(kept.count(), 0U);
}

}  // namespace
}  // namespace parley::engine
