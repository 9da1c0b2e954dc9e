#include "auth/setup_code.hpp"

#include <gtest/gtest.h>

namespace parley::auth {
namespace {

TEST(SetupCode, IsDifferentAtEachStart)
{
    const SetupCode first;
    EXPECT_EQ(first.text().reveal().size(), 24U);
    EXPECT_FALSE(first.is(SetupCode().text().reveal()));
}

TEST(SetupCode, IsTheSameForServersWithTheSameKey)
{
    const std::string key = "0123456789abcdefghijklmnopqrstuv";
    const SetupCode first{Secret(key)};
    EXPECT_EQ(first.text().reveal().size(), 24U);
    EXPECT_TRUE(first.is(SetupCode(Secret(key)).text().reveal()));
    EXPECT_FALSE(first.is(SetupCode(Secret("1" + key.substr(1))).text().reveal()));
}

}  // namespace
}  // namespace parley::auth
