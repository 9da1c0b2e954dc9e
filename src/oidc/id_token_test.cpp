#include "oidc/id_token.hpp"

#include "oidc/signer_for_tests.hpp"

#include <gtest/gtest.h>

namespace parley::oidc {
namespace {

class IdTokenTest : public testing::Test {
protected:
    static constexpr std::int64_t now = 1'800'000'000;

    static boost::json::object claims()
    {
        return {{"iss", "https://id.example.org"},
                {"sub", "ana"},
                {"aud", "parley"},
                {"exp", now + 300},
                {"iat", now},
                {"nonce", "n-1"}};
    }
    static Result<> check(const boost::json::object& claims)
    {
        return check_claims(claims, {.issuer = "https://id.example.org",
                                     .client_id = "parley",
                                     .nonce = "n-1",
                                     .now = TimePoint(std::chrono::seconds(now))});
    }
    static bool accepts(std::string_view name, boost::json::value value)
    {
        auto changed = claims();
        changed[name] = std::move(value);
        return check(changed).has_value();
    }
    static bool accepts_without(std::string_view name)
    {
        auto changed = claims();
        changed.erase(name);
        return check(changed).has_value();
    }
    static std::string reason(const std::string& token)
    {
        const auto read = read_id_token(token);
        return read ? "" : read.error().detail;
    }

    static inline const Signer rsa = Signer::rsa("r");
    static inline const Signer p256 = Signer::p256("e");
};

TEST_F(IdTokenTest, AcceptsBothAlgorithms)
{
    for (const Signer* signer : {&rsa, &p256}) {
        const auto keys = read_keys(signer->key_set());
        ASSERT_TRUE(keys) << keys.error().detail;
        const auto token = read_id_token(signer->token(claims()));
        ASSERT_TRUE(token);
        EXPECT_TRUE(check_signature(*token, *keys));
        EXPECT_TRUE(check(token->claims));
    }
}

TEST_F(IdTokenTest, RefusesASignatureOfAnotherKeyOrText)
{
    for (const auto& [signer, other] :
         {std::pair(rsa, Signer::rsa("r")), std::pair(p256, Signer::p256("e"))}) {
        const auto keys = read_keys(signer.key_set()).value();
        const auto forged = read_id_token(other.token(claims())).value();
        EXPECT_EQ(check_signature(forged, keys).error().code, Errc::invalid_credentials);
        auto changed = read_id_token(signer.token(claims())).value();
        changed.signed_text += "A";
        EXPECT_FALSE(check_signature(changed, keys));
        for (const std::string& odd : {std::string(), std::string(1, 'x'), std::string(64, '\0'),
                                       std::string(256, '\0'), std::string(65, 'x')}) {
            auto token = read_id_token(signer.token(claims())).value();
            token.signature = odd;
            EXPECT_FALSE(check_signature(token, keys)) << odd.size();
        }
    }
}

TEST_F(IdTokenTest, RefusesOtherAlgorithms)
{
    for (const char* algorithm : {"none", "None", "HS256", "RS384", "PS256", "ES384", "EdDSA", ""})
        EXPECT_EQ(reason(rsa.token({{"alg", algorithm}, {"kid", "r"}}, claims())),
                  "alg is neither RS256 nor ES256");
    EXPECT_NE(reason(rsa.token({{"kid", "r"}}, claims())), "");
    EXPECT_NE(reason(rsa.token({{"alg", 1}}, claims())), "");
    EXPECT_NE(reason(rsa.token({{"alg", "RS256"}, {"crit", boost::json::array{"b64"}}}, claims())),
              "");
    // A key of one kind does not verify a token that names the other.
    const auto token = read_id_token(rsa.token({{"alg", "ES256"}, {"kid", "r"}}, claims())).value();
    EXPECT_FALSE(check_signature(token, read_keys(rsa.key_set()).value()));
}

TEST_F(IdTokenTest, FindsTheKeyByItsIdOrTriesAllWithoutOne)
{
    const Signer second = Signer::rsa("s");
    auto keys = read_keys(rsa.key_set()).value();
    const auto unknown = read_id_token(second.token(claims())).value();
    EXPECT_FALSE(has_key_for(unknown, keys));
    keys.push_back(read_keys(second.key_set())->front());
    EXPECT_TRUE(check_signature(unknown, keys));
    const auto without_id = read_id_token(second.token({{"alg", "RS256"}}, claims())).value();
    EXPECT_TRUE(check_signature(without_id, keys));
}

TEST_F(IdTokenTest, RefusesTextsThatAreNoTokens)
{
    const std::string good = rsa.token(claims());
    for (const std::string& text :
         {std::string(), std::string("."), std::string(".."), std::string("a.b"), good + ".",
          good + ".x", "x" + good, good + "=", std::string(70'000, 'a'),
          base64url("[]") + "." + base64url("{}") + ".", base64url("{\"alg\":\"RS256\"}") + ".x.y"})
        EXPECT_NE(reason(text), "") << text.substr(0, 80);
    const std::string twice =
        base64url(R"({"alg":"RS256"})") + "." + base64url(R"({"sub":"a","sub":"b"})") + ".";
    EXPECT_NE(reason(twice), "") << "a claim that occurs twice";
}

TEST_F(IdTokenTest, ChecksIssuerAudienceAndParty)
{
    EXPECT_TRUE(check(claims()));
    for (const char* issuer : {"https://id.example.org/", "https://ID.example.org", "http://other"})
        EXPECT_FALSE(accepts("iss", issuer));
    EXPECT_FALSE(accepts_without("iss"));
    EXPECT_FALSE(accepts("iss", boost::json::array{"https://id.example.org"}));
    EXPECT_TRUE(accepts("aud", boost::json::array{"parley"}));
    EXPECT_FALSE(accepts("aud", "other"));
    EXPECT_FALSE(accepts("aud", boost::json::array{}));
    EXPECT_FALSE(accepts("aud", nullptr));
    EXPECT_FALSE(accepts_without("aud"));
    EXPECT_FALSE(accepts("aud", boost::json::array{"parley", "other"})) << "no azp";
    EXPECT_TRUE(accepts("azp", "parley"));
    EXPECT_FALSE(accepts("azp", "other"));
    auto several = claims();
    several["aud"] = boost::json::array{"other", "parley"};
    several["azp"] = "parley";
    EXPECT_TRUE(check(several));
}

TEST_F(IdTokenTest, ChecksTimes)
{
    EXPECT_FALSE(accepts("exp", now - 61));
    EXPECT_TRUE(accepts("exp", now - 59)) << "clocks differ";
    EXPECT_TRUE(accepts("exp", 1.8e9 + 300.5));
    EXPECT_FALSE(accepts_without("exp"));
    EXPECT_FALSE(accepts("exp", "1900000000"));
    EXPECT_FALSE(accepts("exp", -1));
    EXPECT_FALSE(accepts("exp", 1e300));
    EXPECT_FALSE(accepts("iat", now + 61));
    EXPECT_TRUE(accepts("iat", now + 59));
    EXPECT_FALSE(accepts("iat", now - 3600)) << "a replay";
    EXPECT_FALSE(accepts_without("iat"));
    EXPECT_FALSE(accepts("nbf", now + 61));
    EXPECT_TRUE(accepts("nbf", now));
}

TEST_F(IdTokenTest, ChecksNonceAndSubject)
{
    EXPECT_FALSE(accepts("nonce", "n-2"));
    EXPECT_FALSE(accepts("nonce", ""));
    EXPECT_FALSE(accepts_without("nonce"));
    EXPECT_FALSE(accepts("sub", ""));
    EXPECT_FALSE(accepts("sub", 7));
    EXPECT_FALSE(accepts("sub", boost::json::string(std::string(256, 's'))));
    EXPECT_TRUE(accepts("sub", boost::json::string(std::string(255, 's'))));
    EXPECT_FALSE(accepts("sub", boost::json::string(std::string("a\0b", 3))));
    EXPECT_FALSE(accepts_without("sub"));
}

}  // namespace
}  // namespace parley::oidc
