#include "base/base32.hpp"

#include <gtest/gtest.h>

namespace parley {
namespace {

// The vectors of RFC 4648, section 10, without their padding.
TEST(Base32, WritesTheVectorsOfTheStandard)
{
    EXPECT_EQ(base32(""), "");
    EXPECT_EQ(base32("f"), "MY");
    EXPECT_EQ(base32("fo"), "MZXQ");
    EXPECT_EQ(base32("foo"), "MZXW6");
    EXPECT_EQ(base32("foob"), "MZXW6YQ");
    EXPECT_EQ(base32("fooba"), "MZXW6YTB");
    EXPECT_EQ(base32("foobar"), "MZXW6YTBOI");
}

TEST(Base32, TakesAllBytes)
{
    EXPECT_EQ(base32(std::string(5, '\xff')), "77777777");
    EXPECT_EQ(base32(std::string(5, '\0')), "AAAAAAAA");
    EXPECT_EQ(base32(std::string(20, '\x80')).size(), 32U);
}

}  // namespace
}  // namespace parley
