#include "engine/scripted/deltas.hpp"

#include "base/utf8.hpp"

#include <gmock/gmock.h>

namespace parley::engine::scripted {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using Parts = std::vector<std::string>;

Parts rest_of(Deltas& deltas)
{
    Parts parts;
    while (deltas.more()) parts.push_back(deltas.take());
    return parts;
}

Parts parts_of(const std::string& text, Parts stop = {})
{
    Deltas deltas(text, {}, std::move(stop));
    return rest_of(deltas);
}

std::string joined(const Parts& parts)
{
    std::string text;
    for (const std::string& part : parts) text += part;
    return text;
}

TEST(Deltas, AreAWordAndTheSpaceBeforeIt)
{
    EXPECT_THAT(parts_of("Hello brave new world"),
                ElementsAre("Hello", " brave", " new", " world"));
    EXPECT_THAT(parts_of("one"), ElementsAre("one"));
    EXPECT_THAT(parts_of(""), IsEmpty());
}

TEST(Deltas, LoseNoWhiteSpace)
{
    EXPECT_THAT(parts_of("  a\n\nb\t c \r\n"), ElementsAre("  a", "\n\nb", "\t c \r\n"));
    EXPECT_THAT(parts_of(" \n "), ElementsAre(" \n "));
    EXPECT_THAT(parts_of("a "), ElementsAre("a "));
    EXPECT_THAT(parts_of("a" + std::string(10'000, ' ')), testing::SizeIs(1));
}

TEST(Deltas, DoNotSplitACharacter)
{
    const std::string text = "你好 世界 caf\u00e9\u00a0ol\u00e9\u3000a\0 \0b 😀"s;
    const Parts parts = parts_of(text);
    EXPECT_EQ(parts.size(), 5U);
    EXPECT_EQ(joined(parts), text);
    for (const std::string& part : parts) EXPECT_TRUE(utf8::valid(part));
}

TEST(Deltas, AreAsManyAsTheWordsThatAreCounted)
{
    for (const std::string& text : {""s, " "s, "a"s, " a "s, "a b"s, "a\n b\t"s, "\0 \0"s})
        EXPECT_EQ(count_words(text), static_cast<std::int64_t>(parts_of(text).size())) << text;
    EXPECT_EQ(count_words("one two  three\n"), 3);
}

TEST(Deltas, CanBeMadeOfNumberedWords)
{
    Deltas deltas("not said", 12, {});
    EXPECT_EQ(joined(rest_of(deltas)), "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12");
    EXPECT_EQ(deltas.taken(), 12);
    Deltas none("not said", 0, {});
    EXPECT_FALSE(none.more());
}

TEST(Deltas, NumberAsManyWordsAsThereMayBe)
{
    Deltas deltas("", 100'000, {});
    for (int i = 1; i <= 100'000; ++i)
        ASSERT_EQ(deltas.take(), (i == 1 ? "w" : " w") + std::to_string(i));
    EXPECT_FALSE(deltas.more());
    EXPECT_FALSE(deltas.cut());
}

TEST(Deltas, EndBeforeAStopSequence)
{
    EXPECT_THAT(parts_of("Hello world", {"or"}), ElementsAre("Hello", " w"));
    EXPECT_THAT(parts_of("Hello world", {"Hello"}), IsEmpty());
    EXPECT_THAT(parts_of("Hello world", {" "}), ElementsAre("Hello"));
    EXPECT_THAT(parts_of("Hello world", {"lo wo"}), ElementsAre("Hel"));
    EXPECT_THAT(parts_of("Hello world", {"d"}), ElementsAre("Hello", " worl"));
    EXPECT_THAT(parts_of("a\n\nb", {"\n"}), ElementsAre("a"));
    EXPECT_THAT(parts_of("你好 世界", {"界"}), ElementsAre("你好", " 世"));
}

TEST(Deltas, EndAtTheFirstOfSeveralStopSequences)
{
    EXPECT_THAT(parts_of("a b c d", {"d", "b c", "c"}), ElementsAre("a", " "));
    EXPECT_THAT(parts_of("abcd", {"d", "cd", "bcd"}), ElementsAre("a"));
}

TEST(Deltas, GoOnWhereNoStopSequenceStands)
{
    Deltas deltas("Hello world", {}, {"Hello  world", "worlds", ""});
    EXPECT_EQ(joined(rest_of(deltas)), "Hello world");
    EXPECT_FALSE(deltas.cut());
}

TEST(Deltas, FindAStopSequenceAcrossManyNumberedWords)
{
    Deltas deltas("", 100'000, {"w99999 w100000", "w100001"});
    std::string last;
    while (deltas.more()) last = deltas.take();
    EXPECT_TRUE(deltas.cut());
    EXPECT_EQ(deltas.taken(), 99'999);
    EXPECT_EQ(last, " ");
}

TEST(Deltas, SkipWhatWasSaid)
{
    const std::string text = " a  bc \ndéf ";
    const Parts parts = parts_of(text);
    std::string said;
    for (std::size_t i = 0; i <= parts.size(); ++i) {
        Deltas deltas(text, {}, {});
        deltas.skip(said.size());
        EXPECT_EQ(deltas.taken(), static_cast<std::int64_t>(i));
        EXPECT_EQ(said + joined(rest_of(deltas)), text);
        if (i < parts.size()) said += parts[i];
    }
}

TEST(Deltas, SkipNoFurtherThanTheirEnd)
{
    Deltas deltas("a b", {}, {});
    deltas.skip(1'000'000);
    EXPECT_FALSE(deltas.more());
    EXPECT_EQ(deltas.taken(), 2);
    Deltas midway("abc def", {}, {});
    midway.skip(2);
    EXPECT_EQ(midway.take(), " def");
}

}  // namespace
}  // namespace parley::engine::scripted
