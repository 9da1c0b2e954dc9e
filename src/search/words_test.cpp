#include "search/words.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace parley::search {
namespace {

using Keys = std::vector<std::string>;

Keys keys_of(std::string_view text)
{
    Keys keys;
    for (const Word& word : words_of(text)) keys.push_back(word.key);
    return keys;
}

TEST(Words, AreWithoutCaseAndPunctuation)
{
    EXPECT_EQ(keys_of("Hello, World! It's 20:15."),
              (Keys{"hello", "world", "it", "s", "20", "15"}));
    EXPECT_EQ(keys_of(""), Keys());
    EXPECT_EQ(keys_of(" ,.-!?\"*()"), Keys());
}

TEST(Words, AreWithoutAccentsInEveryForm)
{
    EXPECT_EQ(keys_of("Café"), Keys{"cafe"});
    EXPECT_EQ(keys_of("Cafe\u0301"), Keys{"cafe"});
    EXPECT_EQ(keys_of("ÀÉÎõü Ångström Łódź Æther smørrebrød"),
              (Keys{"aeiou", "angstrom", "lodz", "aether", "smorrebrod"}));
    EXPECT_EQ(keys_of("Straße STRASSE"), (Keys{"strasse", "strasse"}));
    EXPECT_EQ(keys_of("ﬁne ＡＢＣ"), (Keys{"fine", "abc"}));
    EXPECT_EQ(keys_of("Ёлка"), keys_of("елка"));
    EXPECT_EQ(keys_of("ΆΝΝΑ"), keys_of("αννα"));
}

TEST(Words, TakeTheTurkishLettersForOneLetter)
{
    EXPECT_EQ(keys_of("İstanbul ISPARTA ısparta"), (Keys{"istanbul", "isparta", "isparta"}));
}

TEST(Words, KeepMarksThatMakeAnotherLetter)
{
    EXPECT_NE(keys_of("कि"), keys_of("का"));
    EXPECT_NE(keys_of("が"), keys_of("か"));
    EXPECT_EQ(keys_of("が"), keys_of("か\u3099"));
    EXPECT_EQ(keys_of("ｶﾞ"), keys_of("ガ"));
    EXPECT_EQ(keys_of("한국어"), Keys{"한국어"});
}

TEST(Words, AreCharactersInScriptsWithoutSpaces)
{
    EXPECT_EQ(keys_of("東京へ行く"), (Keys{"東", "京", "へ", "行", "く"}));
    EXPECT_EQ(keys_of("東京Tower、2階"), (Keys{"東", "京", "tower", "2", "階"}));
    EXPECT_EQ(keys_of("กา").size(), 2U);
}

TEST(Words, AreSymbolsToo)
{
    EXPECT_EQ(keys_of("ok👍🏽!"), (Keys{"ok", "👍"}));
    EXPECT_EQ(keys_of("🙂🙂"), (Keys{"🙂", "🙂"}));
    EXPECT_EQ(keys_of("№ 5"), (Keys{"no", "5"}));
}

TEST(Words, IgnoreWhatIsInvisibleInside)
{
    EXPECT_EQ(keys_of("hy\u00adphen"), Keys{"hyphen"});
    const auto words = words_of("a\u200d b");
    ASSERT_EQ(words.size(), 2U);
    EXPECT_EQ(words[0], (Word{"a", 0, 1}));
    EXPECT_EQ(words[1], (Word{"b", 5, 6}));
}

TEST(Words, KnowWhereTheyAre)
{
    const std::string text = "Ein schöner Tag: 東京";
    const auto words = words_of(text);
    Keys parts;
    for (const Word& word : words) parts.push_back(text.substr(word.begin, word.end - word.begin));
    EXPECT_EQ(parts, (Keys{"Ein", "schöner", "Tag", "東", "京"}));
}

TEST(Words, AreCutAndCounted)
{
    const std::string letters(100'000, 'a');
    EXPECT_EQ(keys_of(letters), Keys{std::string(max_key_bytes, 'a')});
    std::string accents = "a";
    for (int i = 0; i < 100'000; ++i) accents += "\u0301";
    EXPECT_EQ(keys_of(accents + " b"), (Keys{"a", "b"}));
    std::string umlauts;
    for (int i = 0; i < 1000; ++i) umlauts += "ж";
    EXPECT_EQ(keys_of(umlauts).at(0).size(), max_key_bytes);
    std::string many;
    for (std::size_t i = 0; i < max_words + 10; ++i) many += "a ";
    EXPECT_EQ(words_of(many).size(), max_words);
}

TEST(Words, AreSeparatedByBytesThatAreNotUtf8)
{
    EXPECT_EQ(keys_of("a\xff"
                      "b\xc3"),
              (Keys{"a", "b"}));
    EXPECT_EQ(keys_of(std::string("a\0b", 3)), (Keys{"a", "b"}));
}

}  // namespace
}  // namespace parley::search
