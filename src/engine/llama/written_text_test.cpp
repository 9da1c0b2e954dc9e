#include "engine/llama/written_text.hpp"

#include <gtest/gtest.h>

namespace parley::engine::llama {
namespace {

TEST(WrittenText, IsShownAsItComes)
{
    WrittenText text;
    EXPECT_EQ(text.add("Hello"), "Hello");
    EXPECT_EQ(text.add(", world"), ", world");
    EXPECT_EQ(text.rest(), "");
}

TEST(WrittenText, WaitsForTheWholeOfACharacter)
{
    WrittenText text;
    EXPECT_EQ(text.add("a\xF0\x9F"), "a");
    EXPECT_EQ(text.add("\xA6"), "");
    EXPECT_EQ(text.add("\x80z"), "🦀z");
    EXPECT_EQ(text.add("\xC3"), "");
    EXPECT_EQ(text.add("\xA9"), "é");
}

TEST(WrittenText, MendsWhatIsNoCharacter)
{
    WrittenText text;
    EXPECT_EQ(text.add("a\xFF"), "a\uFFFD");
    EXPECT_EQ(text.add("\x80"), "\uFFFD");
    EXPECT_EQ(text.add("\xE2\x82"), "");
    EXPECT_EQ(text.add("b"),
              "\uFFFD\uFFFD"
              "b");
}

TEST(WrittenText, LeavesOutACharacterThatNeverEnds)
{
    WrittenText text;
    EXPECT_EQ(text.add("a\xF0\x9F"), "a");
    EXPECT_EQ(text.rest(), "");
}

TEST(WrittenText, EndsBeforeAStopSequence)
{
    WrittenText text({"STOP", "\n\n"});
    EXPECT_EQ(text.add("go on ST"), "go on ");
    EXPECT_EQ(text.add("OP and more"), "");
    EXPECT_TRUE(text.stopped());
    EXPECT_EQ(text.add("never"), "");
    EXPECT_EQ(text.rest(), "");
}

TEST(WrittenText, ShowsWhatWasOnlyLikeAStopSequence)
{
    WrittenText text({"STOP"});
    EXPECT_EQ(text.add("ST"), "");
    EXPECT_EQ(text.add("ST"), "ST");
    EXPECT_EQ(text.add("OR"), "STOR");
    EXPECT_EQ(text.add("S"), "");
    EXPECT_EQ(text.rest(), "S");
    EXPECT_FALSE(text.stopped());
}

TEST(WrittenText, StopsAtTheSequenceThatComesFirst)
{
    WrittenText text({"", "cd", "b"});
    EXPECT_EQ(text.add("abcd"), "a");
    EXPECT_TRUE(text.stopped());
}

TEST(WrittenText, FindsAStopSequenceThatBeginsAgainWithinItself)
{
    WrittenText text({"aab"});
    EXPECT_EQ(text.add("a"), "");
    EXPECT_EQ(text.add("a"), "");
    EXPECT_EQ(text.add("a"), "a");
    EXPECT_EQ(text.add("b"), "");
    EXPECT_TRUE(text.stopped());
}

}  // namespace
}  // namespace parley::engine::llama
