#include "cli/terminal_text.hpp"

#include <gtest/gtest.h>

namespace parley::cli {
namespace {

TEST(TerminalText, KeepsTextAsItIs)
{
    for (const char* text :
         {"", "say \"C:\\temp\"\n\tthen", "Grüße 世界 🦀", "👩‍💻", "שלום\u200f!"})
        EXPECT_EQ(for_terminal(text), text);
    EXPECT_EQ(for_terminal("one\r\ntwo\n"), "one\ntwo\n");
}

TEST(TerminalText, EscapesWhatATerminalObeys)
{
    EXPECT_EQ(for_terminal("a\x1b]0;t\x07"), "a\\u001b]0;t\\u0007");
    EXPECT_EQ(for_terminal("\u009b31m\x7f\r\b"), "\\u009b31m\\u007f\\u000d\\u0008");
    EXPECT_EQ(for_terminal("\u202e\u2066"), "\\u202e\\u2066");
    EXPECT_EQ(for_terminal("\x9b\xff"), "\\ufffd\\ufffd") << "bytes that are no UTF-8";
    EXPECT_EQ(for_terminal(std::string_view("\0x", 2)), "\\u0000x");
}

}  // namespace
}  // namespace parley::cli
