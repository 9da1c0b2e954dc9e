#include "base/hex.hpp"

#include <gtest/gtest.h>

#include <array>

namespace parley {
namespace {

TEST(Hex, ShowsEveryByteAndReadsItBack)
{
    EXPECT_EQ(to_hex({}), "");
    EXPECT_EQ(to_hex(std::array<unsigned char, 4>{0, 0x0f, 0xa0, 0xff}), "000fa0ff");
    std::array<unsigned char, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all.at(i) = static_cast<unsigned char>(i);
    EXPECT_EQ(from_hex(to_hex(all)), std::string(all.begin(), all.end()));
    EXPECT_EQ(from_hex(""), "");
    EXPECT_EQ(from_hex("fF0A"), "\xff\n");
}

TEST(Hex, RefusesOtherText)
{
    for (const char* text : {"f", "0g", "g0", "00 ", " 00", "0x00", "00\n", "é0"})
        EXPECT_EQ(from_hex(text), std::nullopt) << text;
}

}  // namespace
}  // namespace parley
