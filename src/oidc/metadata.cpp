#include "oidc/metadata.hpp"

#include "base/json.hpp"
#include "oidc/text_member.hpp"

#include <algorithm>

namespace parley::oidc {
namespace {

using http::client::Url;

bool is_this_machine(const Url& url)
{
    return url.host() == "127.0.0.1" || url.host() == "::1" || url.host() == "localhost";
}

// Passwords, codes and secrets go to these URLs.
bool is_private_on_the_way(const Url& url) { return url.secure() || is_this_machine(url); }

Error bad_metadata(std::string why)
{
    return {Errc::provider_error, "The login provider's metadata cannot be used.", std::move(why)};
}

Result<Url> endpoint(const boost::json::object& from, std::string_view name)
{
    const auto text = text_member(from, name);
    if (!text) return bad_metadata(std::string(name) + " is missing");
    auto url = Url::parse(*text);
    if (!url) return bad_metadata(std::string(name) + ": " + url.error().message);
    if (!is_private_on_the_way(*url)) return bad_metadata(std::string(name) + " is not https");
    return url;
}

// A list that is absent has its default of the standard.
bool lists(const boost::json::object& from, std::string_view name, std::string_view wanted,
           bool if_absent)
{
    const auto* list = from.if_contains(name);
    if (!list) return if_absent;
    return list->is_array() &&
           std::ranges::any_of(list->get_array(), [&](const boost::json::value& each) {
               return each.is_string() && std::string_view(each.get_string()) == wanted;
           });
}

}  // namespace

Result<Url> metadata_url(std::string_view issuer)
{
    const auto url = Url::parse(issuer);
    if (!url) return url.error();
    if (issuer.find('?') != issuer.npos) return invalid_request("An issuer has no query.");
    if (!is_private_on_the_way(*url))
        return invalid_request("An issuer must be https; http is only for this machine.");
    std::string target = url->target();
    while (target.ends_with('/')) target.pop_back();
    return url->with_target(target + "/.well-known/openid-configuration");
}

Result<Metadata> read_metadata(std::string_view text, std::string_view issuer)
{
    const auto parsed = json::parse(text);
    if (!parsed) return bad_metadata(parsed.error().message);
    const auto* from = parsed->if_object();
    if (!from) return bad_metadata("it is not an object");
    if (text_member(*from, "issuer") != issuer) return bad_metadata("issuer is not oidc.issuer");
    if (!lists(*from, "response_types_supported", "code", true))
        return bad_metadata("it does not support the response type code");
    if (!lists(*from, "code_challenge_methods_supported", "S256", true))
        return bad_metadata("it does not support PKCE with S256");
    const auto authorization = endpoint(*from, "authorization_endpoint");
    if (!authorization) return authorization.error();
    auto token = endpoint(*from, "token_endpoint");
    if (!token) return token.error();
    auto keys = endpoint(*from, "jwks_uri");
    if (!keys) return keys.error();
    Metadata metadata{
        .authorization_url = std::string(*text_member(*from, "authorization_endpoint")),
        .token = std::move(*token),
        .keys = std::move(*keys)};
    if (from->contains("userinfo_endpoint")) {
        auto user_info = endpoint(*from, "userinfo_endpoint");
        if (!user_info) return user_info.error();
        metadata.user_info = std::move(*user_info);
    }
    constexpr std::string_view methods = "token_endpoint_auth_methods_supported";
    metadata.takes_secret_in_body = !lists(*from, methods, "client_secret_basic", true) &&
                                    lists(*from, methods, "client_secret_post", false);
    const auto* names_itself = from->if_contains("authorization_response_iss_parameter_supported");
    metadata.names_itself = names_itself && names_itself->is_bool() && names_itself->get_bool();
    return metadata;
}

}  // namespace parley::oidc
