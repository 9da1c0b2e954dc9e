#include "search/search.hpp"

#include <gtest/gtest.h>

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace parley::search {
namespace {

using Terms = std::vector<Term>;

Terms terms_of(std::string_view text) { return Query::parse(text).terms(); }

bool finds(std::string_view query, std::string_view text)
{
    return !Query::parse(query).find_in(text).empty();
}

TEST(Query, HasWordsPhrasesAndBeginnings)
{
    EXPECT_EQ(terms_of("Hello World"), (Terms{{{"hello"}}, {{"world"}}}));
    EXPECT_EQ(terms_of("\"Hello World\" x"), (Terms{{{"hello", "world"}}, {{"x"}}}));
    EXPECT_EQ(terms_of("„Guten Tag“"), (Terms{{{"guten", "tag"}}}));
    EXPECT_EQ(terms_of("begin*"), (Terms{{{"begin"}, true}}));
    EXPECT_EQ(terms_of("\"to begin*\""), (Terms{{{"to", "begin"}, true}}));
    EXPECT_EQ(terms_of("foo-bar"), (Terms{{{"foo", "bar"}}}));
    EXPECT_EQ(terms_of("東京"), (Terms{{{"東", "京"}}}));
    EXPECT_EQ(terms_of("a a A"), (Terms{{{"a"}}}));
}

TEST(Query, TakesEverythingElseAsText)
{
    EXPECT_EQ(terms_of("NEAR( -x OR y"), (Terms{{{"near"}}, {{"x"}}, {{"or"}}, {{"y"}}}));
    EXPECT_EQ(terms_of("\" OR 1=1"), (Terms{{{"or", "1", "1"}}}));
    EXPECT_EQ(terms_of("* \"\" - *x"), (Terms{{{"x"}}}));
    EXPECT_EQ(terms_of("a*b"), (Terms{{{"a", "b"}}}));
    EXPECT_EQ(terms_of(""), Terms());
    EXPECT_FALSE(finds("***", "anything"));
}

TEST(Query, FindsTextsWithAllTerms)
{
    EXPECT_TRUE(finds("tag schoner", "Ein schöner Tag"));
    EXPECT_FALSE(finds("tag nacht", "Ein schöner Tag"));
    EXPECT_TRUE(finds("\"schöner tag\"", "Ein schöner, TAG!"));
    EXPECT_FALSE(finds("\"tag schöner\"", "Ein schöner Tag"));
    EXPECT_TRUE(finds("sch*", "Ein schöner Tag"));
    EXPECT_FALSE(finds("sch", "Ein schöner Tag"));
    EXPECT_TRUE(finds("京都", "東京都"));
    EXPECT_FALSE(finds("都京", "東京都"));
    EXPECT_TRUE(finds("👍", "gut 👍🏽"));
}

struct Shown {
    std::string text;
    std::vector<std::string> marked;
};

Shown shown(std::string_view text, std::string_view query)
{
    const auto snippet = snippet_of(text, Query::parse(query));
    if (!snippet) return {};
    Shown out{snippet->text, {}};
    for (const auto& [begin, end] : snippet->marks)
        out.marked.push_back(snippet->text.substr(begin, end - begin));
    return out;
}

TEST(Snippet, MarksWhatWasFound)
{
    const Shown one = shown("Ein schöner\nTag, schön", "schon* tag");
    EXPECT_EQ(one.text, "Ein schöner Tag, schön");
    EXPECT_THAT(one.marked, testing::ElementsAre("schöner", "Tag", "schön"));
    EXPECT_THAT(shown("x a, b. c", "\"a b\"").marked, testing::ElementsAre("a, b"));
    EXPECT_THAT(shown("東京都", "東京 京都").marked, testing::ElementsAre("東京都"));
    EXPECT_EQ(snippet_of("Ein Tag", Query::parse("nacht")), std::nullopt);
}

TEST(Snippet, IsThePartWithMostTerms)
{
    std::string text = "apple ";
    for (int i = 0; i < 100; ++i) text += "füllwort ";
    text += "apple and pear";
    for (int i = 0; i < 100; ++i) text += " füllwort";
    const Shown part = shown(text, "pear apple");
    EXPECT_TRUE(part.text.starts_with("…füllwort")) << part.text;
    EXPECT_TRUE(part.text.ends_with("…")) << part.text;
    EXPECT_LT(part.text.size(), 220U);
    EXPECT_THAT(part.marked, testing::ElementsAre("apple", "pear"));
}

TEST(Snippet, IsValidWhereverItIsCut)
{
    for (std::size_t before = 0; before < 300; ++before) {
        std::string text;
        for (std::size_t i = 0; i < before; ++i) text += i % 7 == 0 ? " " : "é";
        text += " wanted ";
        for (int i = 0; i < 200; ++i) text += "京";
        const Shown part = shown(text, "wanted");
        EXPECT_THAT(part.marked, testing::ElementsAre("wanted"));
        EXPECT_EQ(words_of(part.text).empty(), false);
        for (const char c : part.text) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
    }
}

}  // namespace
}  // namespace parley::search
