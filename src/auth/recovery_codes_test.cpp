#include "auth/recovery_codes.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace parley::auth {
namespace {

TEST(RecoveryCodes, AreTenDifferentOnesThatCanBeTyped)
{
    std::set<store::CodeHash> hashes;
    for (const Secret& code : new_recovery_codes()) {
        const std::string text(code.reveal());
        EXPECT_TRUE(std::regex_match(text, std::regex("[a-z2-7]{4}(-[a-z2-7]{4}){5}"))) << text;
        hashes.insert(recovery_code_hash(text));
    }
    EXPECT_EQ(hashes.size(), 10U);
}

TEST(RecoveryCodes, AreTheSameHoweverTheyAreTyped)
{
    const auto hash = recovery_code_hash("abcd-efgh-ijkl-mnop-qrst-uvw2");
    EXPECT_EQ(recovery_code_hash("ABCD EFGH IJKL MNOP QRST UVW2"), hash);
    EXPECT_EQ(recovery_code_hash(" abcdefghijklmnopqrstuvw2 "), hash);
    EXPECT_NE(recovery_code_hash("abcd-efgh-ijkl-mnop-qrst-uvw3"), hash);
}

TEST(RecoveryCodes, AreReadLikeCodesOfAnApp)
{
    EXPECT_EQ(normal_code("123 456"), "123456");
    EXPECT_EQ(normal_code("123-456"), "123456");
    EXPECT_EQ(normal_code(""), "");
}

}  // namespace
}  // namespace parley::auth
