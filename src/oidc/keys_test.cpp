#include "oidc/keys.hpp"

#include "oidc/signer_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::oidc {
namespace {

std::string set_of(boost::json::array keys)
{
    return boost::json::serialize(boost::json::object{{"keys", std::move(keys)}});
}

boost::json::object with(boost::json::object key, std::string_view name, boost::json::value value)
{
    key[name] = std::move(value);
    return key;
}

TEST(Keys, LeaveOutThoseThatCannotBeUsed)
{
    const auto rsa = Signer::rsa("r").key();
    const auto p256 = Signer::p256("e").key();
    const auto read =
        read_keys(set_of({rsa, p256, with(rsa, "use", "enc"), with(rsa, "alg", "PS256"),
                          with(p256, "crv", "P-384"), with(rsa, "kty", "oct"), 7}));
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2U);
    EXPECT_EQ(read->at(0).id, "r");
    EXPECT_EQ(read->at(1).algorithm, Algorithm::es256);
    auto bare = rsa;
    for (const char* name : {"use", "alg", "kid"}) bare.erase(name);
    EXPECT_EQ(read_keys(set_of({bare}))->front().id, "");
}

TEST(Keys, RefuseWeakAndBrokenOnes)
{
    const auto rsa = Signer::rsa("r").key();
    const auto p256 = Signer::p256("e").key();
    const std::vector<boost::json::object> broken{
        Signer::rsa("r", 1024).key(),
        with(rsa, "n", ""),
        with(rsa, "n", "!"),
        with(rsa, "n", boost::json::string(std::string(4000, 'A'))),
        with(rsa, "e", "AQ"),  // 1
        with(rsa, "e", "Ag"),  // 2
        with(rsa, "e", nullptr),
        with(p256, "x",
             boost::json::string(base64url(std::string(32, '\1')))),  // Not on the curve.
        with(p256, "x", boost::json::string(base64url(std::string(31, '\1')))),
        with(p256, "y", 5),
    };
    for (const auto& key : broken)
        EXPECT_EQ(read_keys(set_of({key})).error().code, Errc::provider_error)
            << boost::json::serialize(key);
}

TEST(Keys, RefuseOtherTexts)
{
    for (const char* text : {"", "{}", "[]", "{\"keys\":{}}", "{\"keys\":[]}", "{\"keys\":[{}]}",
                             "{\"keys\":[],\"keys\":[]}", "<html>"})
        EXPECT_EQ(read_keys(text).error().code, Errc::provider_error) << text;
}

TEST(Base64Url, HasOneTextForSomeBytes)
{
    EXPECT_EQ(base64url("\xfb\xff"), "-_8");
    EXPECT_EQ(base64url_decoded("-_8"), "\xfb\xff");
    EXPECT_EQ(base64url_decoded(""), "");
    for (const char* text : {"-_9", "-_8=", "+/8", "A", "-_8 ", " -_8", "-_\n8"})
        EXPECT_EQ(base64url_decoded(text), std::nullopt) << text;
}

}  // namespace
}  // namespace parley::oidc
