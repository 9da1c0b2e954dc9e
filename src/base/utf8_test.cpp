#include "base/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace parley::utf8 {
namespace {

TEST(Utf8, ReadsCharactersOfEveryLength)
{
    EXPECT_EQ(first("a").code, U'a');
    EXPECT_EQ(first("ä").code, U'ä');
    EXPECT_EQ(first("€").code, U'€');
    EXPECT_EQ(first("😀").code, U'😀');
    EXPECT_EQ(first("😀").bytes, 4);
    EXPECT_EQ(first(std::string_view("\0", 1)).bytes, 1);
}

TEST(Utf8, RefusesWhatUnicodeRefuses)
{
    EXPECT_EQ(first("").bytes, 0);
    EXPECT_FALSE(valid("\x80"));              // A continuation alone.
    EXPECT_FALSE(valid("\xC0\x80"));          // Overlong NUL.
    EXPECT_FALSE(valid("\xC1\xBF"));          // Overlong.
    EXPECT_FALSE(valid("\xE0\x9F\xBF"));      // Overlong.
    EXPECT_FALSE(valid("\xF0\x8F\xBF\xBF"));  // Overlong.
    EXPECT_FALSE(valid("\xED\xA0\x80"));      // U+D800, half of a pair.
    EXPECT_FALSE(valid("\xF4\x90\x80\x80"));  // Above U+10FFFF.
    EXPECT_FALSE(valid("\xF5\x80\x80\x80"));
    EXPECT_FALSE(valid("\xFF"));
    EXPECT_FALSE(valid("a\xE2\x82"));  // Incomplete.
    EXPECT_FALSE(valid("\xE2\x28\xA1"));
    EXPECT_TRUE(valid("\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"));  // The last valid ones.
}

TEST(Utf8, LooksAtEveryByteOfLongTexts)
{
    for (std::size_t size = 1; size < 40; ++size)
        for (std::size_t at = 0; at < size; ++at) {
            std::string text(size, 'a');
            EXPECT_TRUE(valid(text));
            text[at] = '\x80';
            EXPECT_FALSE(valid(text)) << at << " of " << size;
        }
}

TEST(Utf8, CountsCharactersNotBytes) { EXPECT_EQ(count("aä€😀"), 4); }

TEST(Utf8, CutsBetweenCharacters)
{
    EXPECT_EQ(cut("aä€", 100), "aä€");
    EXPECT_EQ(cut("aä€", 6), "aä€");
    EXPECT_EQ(cut("aä€", 5), "aä");
    EXPECT_EQ(cut("aä€", 2), "a");
    EXPECT_EQ(cut("€", 2), "");
}

TEST(Utf8, RepairsByteByByte) { EXPECT_EQ(repaired("a\xFF\xE2\x82z€"), "a\uFFFD\uFFFD\uFFFDz€"); }

}  // namespace
}  // namespace parley::utf8
