#include "base/suggest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace parley {
namespace {

constexpr std::array<std::string_view, 4> known{"message", "max_output_tokens", "seed", "id"};

TEST(Nearest, ForgivesATypingError)
{
    EXPECT_EQ(suggest("mesage", known), "message");
    EXPECT_EQ(suggest("messagge", known), "message");
    EXPECT_EQ(suggest("massage", known), "message");
    EXPECT_EQ(suggest("emssage", known), "message");
    EXPECT_EQ(suggest("Message", known), "message");
    EXPECT_EQ(suggest("maxOutputTokens", known), "max_output_tokens");
    EXPECT_EQ(suggest("sede", known), "seed");
}

TEST(Nearest, DoesNotGuessWildly)
{
    EXPECT_EQ(suggest("temperature", known), std::nullopt);
    EXPECT_EQ(suggest("xy", known), std::nullopt);
    EXPECT_EQ(suggest("", known), std::nullopt);
    EXPECT_EQ(suggest("message", {}), std::nullopt);
    EXPECT_EQ(suggest(std::string(1000000, 'm'), known), std::nullopt);
}

}  // namespace
}  // namespace parley
