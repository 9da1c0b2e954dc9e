#include "engine/compact_text.hpp"

#include <gtest/gtest.h>

namespace parley::engine {
namespace {

// The same, however the text is cut into pieces.
std::string compacted(std::string_view text)
{
    CompactText whole;
    std::string expected = whole.add(text);
    for (std::size_t size = 1; size < text.size(); ++size) {
        CompactText cut;
        std::string out;
        for (std::size_t i = 0; i < text.size(); i += size) out += cut.add(text.substr(i, size));
        EXPECT_EQ(out, expected) << size;
    }
    return expected;
}

TEST(CompactText, LeavesOutSpaceBetweenThePartsOfJson)
{
    EXPECT_EQ(
        compacted(" {\r\n\t\"a b\" : [ 1 , { } , \" \\\" \\\\\" ] ,\n \"\\u00e4 ä\": null } \n"),
        "{\"a b\":[1,{},\" \\\" \\\\\"],\"\\u00e4 ä\":null}");
    EXPECT_EQ(compacted("\n[ [ ], [ 2 ] ]"), "[[],[2]]");
    EXPECT_EQ(compacted(""), "");
}

TEST(CompactText, LeavesOutSpaceAroundOtherValues)
{
    EXPECT_EQ(compacted("\n\"so good\""), "\"so good\"");
    EXPECT_EQ(compacted("\"so good\" \n"), "\"so good\"");
    EXPECT_EQ(compacted(" 12 "), "12");
    EXPECT_EQ(compacted("\t-1.5E+3\r\n"), "-1.5E+3");
    EXPECT_EQ(compacted("\n true"), "true");
    EXPECT_EQ(compacted(" null "), "null");
}

TEST(CompactText, DoesNotTurnOtherTextIntoJson)
{
    for (const std::string_view text :
         {"[1 2]", "{\"a\":1 000}", "- 1", "tr ue", "[\"a\" \"b\"]", "{\"a\" 1}", "[1, ]", "{} {}",
          "[] ,", "{1 }", "1 \"a\"", "[- 5]", "{\"a\":1 . 5}", "[1\n2]"})
        EXPECT_EQ(compacted(text), text);
    EXPECT_EQ(compacted("{\"price\": 1 000 }"), "{\"price\":1 000 }");
}

TEST(CompactText, LeavesOtherTextAlone)
{
    for (const std::string_view text :
         {" Sure, here it is: { \"a\": 1 }", "```json\n{ \"a\": 1 }\n```", "true story",
          "[ Note that ]", "[I cannot answer that]", "{ I said: no , thanks }", "1. Buy milk ",
          "\n# Title\n", " Größe: 1 m ", "{ ] } }"})
        EXPECT_EQ(compacted(text), text);
    EXPECT_EQ(compacted("{ } \n Does it help? [ ] "), "{} \n Does it help? [ ] ");
    EXPECT_EQ(compacted("[ 1, 2 apples , 3 ]"), "[1,2 apples , 3 ]");
    EXPECT_EQ(compacted("\"Yes\" , he said. "), "\"Yes\" , he said. ");
    // It begins as JSON may begin.
    EXPECT_EQ(compacted("\nnot in the list "), "not in the list ");
}

TEST(CompactText, LeavesTextThatIsCut)
{
    EXPECT_EQ(compacted("[ \"open "), "[\"open ");
    EXPECT_EQ(compacted("{ \"a\" : tr"), "{\"a\":tr");
    EXPECT_EQ(compacted("[ \"\\"), "[\"\\");
}

}  // namespace
}  // namespace parley::engine
