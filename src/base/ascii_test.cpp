#include "base/ascii.hpp"

#include <gtest/gtest.h>

namespace parley::ascii {
namespace {

TEST(Ascii, LowersLettersOnly) { EXPECT_EQ(lower("AbZ[@`é1"), "abz[@`é1"); }

TEST(Ascii, TrimsBothEnds)
{
    EXPECT_EQ(trimmed(" \ta b\t "), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed("\t "), "");
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed("\ra\r"), "\ra\r");
    EXPECT_EQ(trimmed("\ra \r", " \t\r"), "a");
}

}  // namespace
}  // namespace parley::ascii
