#include "oidc/metadata.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace parley::oidc {
namespace {

constexpr const char* issuer = "https://id.example.org/realms/team";

boost::json::object document()
{
    return {{"issuer", issuer},
            {"authorization_endpoint", "https://id.example.org/authorize?realm=team"},
            {"token_endpoint", "https://id.example.org/token"},
            {"jwks_uri", "https://keys.example.org/team"},
            {"response_types_supported", boost::json::array{"code", "id_token"}},
            {"code_challenge_methods_supported", boost::json::array{"plain", "S256"}}};
}

Result<Metadata> read(const boost::json::object& from)
{
    return read_metadata(boost::json::serialize(from), issuer);
}

std::string refusal(std::string_view name, boost::json::value value)
{
    auto changed = document();
    if (value.is_null())
        changed.erase(name);
    else
        changed[name] = std::move(value);
    const auto metadata = read(changed);
    if (metadata) return "";
    EXPECT_EQ(metadata.error().code, Errc::provider_error);
    return metadata.error().detail;
}

TEST(Metadata, IsWhereTheIssuerSays)
{
    EXPECT_EQ(metadata_url(issuer)->target(), "/realms/team/.well-known/openid-configuration");
    EXPECT_EQ(metadata_url("https://a.example/")->target(), "/.well-known/openid-configuration");
    EXPECT_EQ(metadata_url("https://a.example")->target(), "/.well-known/openid-configuration");
    EXPECT_TRUE(metadata_url("http://127.0.0.1:9000"));
    for (const char* wrong : {"", "id.example.org", "http://id.example.org", "ftp://a.example",
                              "https://a.example?x=1", "https://u:p@a.example"})
        EXPECT_FALSE(metadata_url(wrong)) << wrong;
}

TEST(Metadata, NamesTheEndpoints)
{
    auto metadata = read(document());
    ASSERT_TRUE(metadata);
    EXPECT_EQ(metadata->authorization_url, "https://id.example.org/authorize?realm=team");
    EXPECT_EQ(metadata->token.target(), "/token");
    EXPECT_EQ(metadata->keys.host(), "keys.example.org");
    EXPECT_FALSE(metadata->user_info);
    EXPECT_FALSE(metadata->takes_secret_in_body);
    auto more = document();
    more["userinfo_endpoint"] = "https://id.example.org/me";
    more["token_endpoint_auth_methods_supported"] = boost::json::array{"client_secret_post"};
    metadata = read(more);
    EXPECT_EQ(metadata->user_info->target(), "/me");
    EXPECT_TRUE(metadata->takes_secret_in_body);
    more["token_endpoint_auth_methods_supported"] =
        boost::json::array{"client_secret_post", "client_secret_basic"};
    EXPECT_FALSE(read(more)->takes_secret_in_body);
}

TEST(Metadata, PromisesThatTheProviderNamesItself)
{
    EXPECT_FALSE(read(document())->names_itself);
    auto more = document();
    more["authorization_response_iss_parameter_supported"] = true;
    EXPECT_TRUE(read(more)->names_itself);
    for (const boost::json::value& other :
         {boost::json::value(false), boost::json::value("true")}) {
        more["authorization_response_iss_parameter_supported"] = other;
        EXPECT_FALSE(read(more)->names_itself);
    }
}

TEST(Metadata, IsRefusedIfItCannotBeTrusted)
{
    EXPECT_NE(refusal("issuer", "https://id.example.org"), "");
    EXPECT_NE(refusal("issuer", nullptr), "");
    for (const char* name : {"authorization_endpoint", "token_endpoint", "jwks_uri"}) {
        EXPECT_EQ(refusal(name, nullptr), std::string(name) + " is missing");
        EXPECT_EQ(refusal(name, "http://id.example.org/x"), std::string(name) + " is not https");
        EXPECT_NE(refusal(name, "javascript:alert(1)"), "");
        EXPECT_NE(refusal(name, 7), "");
    }
    EXPECT_NE(refusal("userinfo_endpoint", "http://id.example.org/x"), "");
    EXPECT_NE(refusal("response_types_supported", boost::json::array{"id_token"}), "");
    EXPECT_NE(refusal("code_challenge_methods_supported", boost::json::array{"plain"}), "");
    EXPECT_EQ(refusal("code_challenge_methods_supported", nullptr), "") << "many do not say it";
    for (const char* text : {"", "[]", "<html>", "{\"issuer\":1,\"issuer\":2}"})
        EXPECT_EQ(read_metadata(text, issuer).error().code, Errc::provider_error);
}

}  // namespace
}  // namespace parley::oidc
