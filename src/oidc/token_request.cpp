#include "oidc/token_request.hpp"

#include "base/base64.hpp"
#include "base/json.hpp"
#include "oidc/text_member.hpp"

#include <algorithm>
#include <array>

namespace parley::oidc {
namespace {

using std::chrono::seconds;

constexpr std::size_t largest_response = std::size_t{512} * 1024;

bool is_unreserved(char each)
{
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
           (each >= '0' && each <= '9') || each == '-' || each == '.' || each == '_' || each == '~';
}

void append_encoded(std::string& out, std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (is_unreserved(each))
            out += each;
        else
            out.append({'%', digits[byte >> 4U], digits[byte & 0xfU]});
    }
}

// An error code of RFC 6749; providers may send anything.
std::string error_in(const boost::json::object& from)
{
    const auto error = text_member(from, "error").value_or("no error code");
    const bool is_plain = error.size() <= 64 && std::ranges::all_of(error, [](char each) {
                              return each == ' ' || is_unreserved(each);
                          });
    return is_plain ? std::string(error) : "an odd error code";
}

Error refused_by_provider(int status, const boost::json::object& from)
{
    const std::string error = error_in(from);
    if (error == "invalid_grant")
        return {Errc::invalid_credentials,
                "The login provider refused the code: it was used before, or has expired. Log in "
                "again.",
                "invalid_grant"};
    const bool is_client = error == "invalid_client" || error == "unauthorized_client";
    return {Errc::provider_error,
            is_client ? "The login provider does not accept this server as its client. Tell the "
                        "operator to check oidc.client_id and oidc.client_secret_file."
                      : "The login provider refused to exchange the code.",
            "token endpoint: status " + std::to_string(status) + ", " + error};
}

}  // namespace

http::client::ClientRequest bounded_request(http::client::Url url)
{
    return {.url = std::move(url),
            .fields = {{"Accept", "application/json"}},
            .deadlines = {.connect = seconds(5),
                          .first_byte = seconds(10),
                          .silence = seconds(10),
                          .total = seconds(15)},
            .max_body = largest_response};
}

std::string form_of(const std::vector<std::pair<std::string_view, std::string_view>>& values)
{
    std::string form;
    for (const auto& [name, value] : values) {
        if (!form.empty()) form += '&';
        form.append(name).append("=");
        append_encoded(form, value);
    }
    return form;
}

http::client::ClientRequest token_request(const Metadata& metadata, const Options& options,
                                          const Secret& client_secret, const Attempt& attempt,
                                          std::string_view code)
{
    auto request = bounded_request(metadata.token);
    request.method = "POST";
    request.fields.push_back({"Content-Type", "application/x-www-form-urlencoded"});
    std::vector<std::pair<std::string_view, std::string_view>> values{
        {"grant_type", "authorization_code"},
        {"code", code},
        {"redirect_uri", options.redirect_uri},
        {"code_verifier", attempt.verifier}};
    if (client_secret.empty() || metadata.takes_secret_in_body)
        values.emplace_back("client_id", options.client_id);
    if (!client_secret.empty() && metadata.takes_secret_in_body)
        values.emplace_back("client_secret", client_secret.reveal());
    if (!client_secret.empty() && !metadata.takes_secret_in_body) {
        std::string pair;
        append_encoded(pair, options.client_id);
        pair += ':';
        append_encoded(pair, client_secret.reveal());
        request.fields.push_back(
            {"Authorization",
             "Basic " +
                 base64({reinterpret_cast<const unsigned char*>(pair.data()), pair.size()})});
    }
    request.body = form_of(values);
    return request;
}

Result<TokenResponse> read_token_response(const http::client::ClientResponse& response)
{
    const auto parsed = json::parse(response.body);
    const auto* from = parsed ? parsed->if_object() : nullptr;
    if (!from)
        return Error{Errc::provider_error, "The login provider's response cannot be read.",
                     "token endpoint: status " + std::to_string(response.status) + ", no JSON"};
    if (response.status != 200) return refused_by_provider(response.status, *from);
    const auto id_token = text_member(*from, "id_token");
    if (!id_token)
        return Error{Errc::provider_error, "The login provider sent no ID token.",
                     "token endpoint: id_token is missing; oidc.scopes must contain openid"};
    return TokenResponse{std::string(*id_token),
                         Secret(text_member(*from, "access_token").value_or(""))};
}

}  // namespace parley::oidc
