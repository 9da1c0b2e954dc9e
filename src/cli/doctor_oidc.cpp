#include "cli/finding.hpp"
#include "http/client/blocking.hpp"
#include "oidc/keys.hpp"
#include "oidc/metadata.hpp"
#include "oidc/token_request.hpp"

namespace parley::cli {
namespace {

Result<std::string> fetched(http::client::BlockingClient& client, http::client::Url url)
{
    const std::string server = url.host_and_port();
    auto response = client.send(oidc::bounded_request(std::move(url)));
    if (!response)
        return Error{Errc::provider_error, "cannot be reached: " + response.error().message};
    if (response->status != 200)
        return Error{Errc::provider_error,
                     server + " answers with status " + std::to_string(response->status)};
    return std::move(response->body);
}

// The reason is in the detail, since the message is for people who log in.
std::string reason_of(const Error& error)
{
    return error.detail.empty() ? error.message : error.message + " (" + error.detail + ")";
}

Result<> check_issuer(const std::string& issuer)
{
    http::client::BlockingClient client;
    auto url = oidc::metadata_url(issuer);
    if (!url) return url.error();
    const auto text = fetched(client, std::move(*url));
    if (!text) return text.error();
    auto metadata = oidc::read_metadata(*text, issuer);
    if (!metadata) return metadata.error();
    const auto keys = fetched(client, std::move(metadata->keys));
    if (!keys) return keys.error();
    if (const auto read = oidc::read_keys(*keys); !read) return read.error();
    return {};
}

}  // namespace

std::vector<Finding> check_login_provider(const app::Settings& settings)
{
    if (settings.oidc.issuer.empty()) return {};
    const std::string provider = "login provider " + settings.oidc.issuer;
    const auto checked = check_issuer(settings.oidc.issuer);
    if (checked) return {{.check = "oidc", .finding = provider + " answers"}};
    return {{.check = "oidc",
             .verdict = Verdict::fail,
             .finding = provider + ": " + reason_of(checked.error()),
             .advice = "Check oidc.issuer and the network. Until then, users can log in only with "
                       "a password."}};
}

}  // namespace parley::cli
