#include "cli/wide_text.hpp"

#include <gtest/gtest.h>

namespace parley::cli {
namespace {

TEST(WideText, IsTheSameTextAsInUtf8)
{
    for (const char* text : {"", "a\x7f", "\u0080\u07ff", "\u0800\uffff", "\U00010000\U0010ffff"})
        EXPECT_EQ(to_utf8(to_wide(text)), text);
    EXPECT_EQ(to_wide("Gr\u00fc\U0001f980"), L"Gr\u00fc\U0001f980");
    EXPECT_EQ(to_wide("\xff\xc3"), L"\ufffd\ufffd");
}

TEST(WideText, HasLineFeedsForLineBreaks)
{
    EXPECT_EQ(with_line_feeds(L"one\rtwo\r\nthree\n\r"), L"one\ntwo\nthree\n\n");
}

}  // namespace
}  // namespace parley::cli
