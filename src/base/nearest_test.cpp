#include "base/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace parley {
namespace {

constexpr std::array<std::string_view, 4> known{"message", "max_output_tokens", "seed", "id"};

TEST(Nearest, ForgivesATypingError)
{
    EXPECT_EQ(nearest("mesage", known), "message");
    EXPECT_EQ(nearest("messagge", known), "message");
    EXPECT_EQ(nearest("massage", known), "message");
    EXPECT_EQ(nearest("emssage", known), "message");
    EXPECT_EQ(nearest("Message", known), "message");
    EXPECT_EQ(nearest("maxOutputTokens", known), "max_output_tokens");
    EXPECT_EQ(nearest("sede", known), "seed");
}

TEST(Nearest, DoesNotGuessWildly)
{
    EXPECT_EQ(nearest("temperature", known), std::nullopt);
    EXPECT_EQ(nearest("xy", known), std::nullopt);
    EXPECT_EQ(nearest("", known), std::nullopt);
    EXPECT_EQ(nearest("message", {}), std::nullopt);
    EXPECT_EQ(nearest(std::string(1000000, 'm'), known), std::nullopt);
}

}  // namespace
}  // namespace parley
