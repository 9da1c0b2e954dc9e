#include "app/oidc_settings.hpp"

#include "api/public_url.hpp"
#include "app/setting_kinds.hpp"
#include "base/secret_file.hpp"
#include "oidc/metadata.hpp"

#include <algorithm>

namespace parley::app {
namespace {

using setting_kinds::at;
using Texts = std::vector<std::string>;

constexpr std::size_t longest_secret = 1024;

setting_kinds::Fault fault_of_issuer(const std::string& issuer)
{
    if (issuer.empty()) return {};
    const auto url = oidc::metadata_url(issuer);
    if (url) return {};
    return url.error().message;
}

setting_kinds::Fault fault_of_scopes(const Texts& scopes)
{
    if (std::ranges::find(scopes, "openid") == scopes.end()) return "It must contain openid.";
    return {};
}

// The file may end in a line break, which editors add.
Result<Secret> client_secret(const std::string& file)
{
    if (file.empty()) return Secret();
    const auto read = read_secret_file(file, longest_secret, Privacy::group);
    if (!read) return invalid_request("oidc.client_secret_file: " + read.error().message);
    std::string_view text = read->reveal();
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) return invalid_request("oidc.client_secret_file has no secret.");
    return Secret(text);
}

}  // namespace

Setting oidc_issuer_setting()
{
    return setting_kinds::plain<std::string>(
        "oidc.issuer", at(&Settings::oidc, &oidc::Options::issuer), "text",
        "Issuer of an OpenID provider at which users can log in, e.g. "
        "https://id.example.org/realms/team. Empty: no such logins.",
        fault_of_issuer);
}

Setting oidc_client_id_setting()
{
    return setting_kinds::text("oidc.client_id", at(&Settings::oidc, &oidc::Options::client_id),
                               "The provider's name for this server.");
}

Setting oidc_client_secret_file_setting()
{
    return setting_kinds::text("oidc.client_secret_file", at(&Settings::oidc_client_secret_file),
                               "File with the client secret; other users must not be able to read "
                               "it. Empty: a public client.");
}

Setting oidc_name_setting()
{
    return setting_kinds::text("oidc.name", at(&Settings::oidc, &oidc::Options::name),
                               "Name of the provider on the login page.");
}

Setting oidc_scopes_setting()
{
    return setting_kinds::plain<Texts>(
        "oidc.scopes", at(&Settings::oidc, &oidc::Options::scopes), "a list of scopes",
        "Scopes to request from the provider; some have one for groups.", fault_of_scopes);
}

Setting oidc_groups_claim_setting()
{
    return setting_kinds::text("oidc.groups_claim",
                               at(&Settings::oidc, &oidc::Options::groups_claim),
                               "Claim with the groups of a user.");
}

Setting oidc_operator_groups_setting()
{
    return setting_kinds::plain<Texts>(
        "oidc.operator_groups", at(&Settings::oidc, &oidc::Options::operator_groups),
        "a list of groups",
        "Groups whose members are operators; others become members at their next login. Empty: "
        "logins change no role.");
}

Setting oidc_allowed_groups_setting()
{
    return setting_kinds::plain<Texts>(
        "oidc.allowed_groups", at(&Settings::oidc, &oidc::Options::allowed_groups),
        "a list of groups",
        "Groups whose members may log in, besides operators. Empty: all users of the provider.");
}

Result<> check_oidc(const Settings& settings)
{
    if (settings.oidc.issuer.empty()) return {};
    if (settings.oidc.client_id.empty())
        return invalid_request(
            "oidc.issuer needs oidc.client_id, the provider's name for this "
            "server.");
    if (settings.oidc.name.empty())
        return invalid_request("oidc.name must not be empty: the login page shows it.");
    if (settings.pipeline.public_url.empty())
        return invalid_request(
            "oidc.issuer needs server.public_url: the provider sends browsers "
            "back to that address.");
    return {};
}

Result<std::unique_ptr<oidc::Provider>> open_provider(const Settings& settings, const Secret& key,
                                                      http::client::Clients& clients,
                                                      const TrustedTime& time)
{
    auto secret = client_secret(settings.oidc_client_secret_file);
    if (!secret) return secret.error();
    oidc::Options options = settings.oidc;
    options.redirect_uri = api::without_slash_at_end(settings.pipeline.public_url) + "/";
    return std::make_unique<oidc::Provider>(std::move(options), std::move(*secret), key, clients,
                                            time);
}

}  // namespace parley::app
