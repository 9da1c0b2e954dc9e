// The metadata of a provider (OpenID Connect Discovery 1.0): the URLs of its endpoints.
//
// Threads: plain functions, to be called from any thread.
#pragma once

#include "base/error.hpp"
#include "http/client/url.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace parley::oidc {

struct Metadata {
    std::string authorization_url;  // For browsers.
    http::client::Url token;
    http::client::Url keys;
    std::optional<http::client::Url> user_info = {};
    bool takes_secret_in_body = false;  // Only there, not in the field Authorization.
    bool names_itself = false;          // In what the browser brings back, as `iss` (RFC 9207).
};

// The URL of an issuer's metadata. Fails with invalid_request: an issuer is an https URL without
// query; http is allowed on this machine only.
Result<http::client::Url> metadata_url(std::string_view issuer);

// Fails with provider_error if the text is not the metadata of this issuer, if an endpoint is
// missing or is not https, or if the provider does not support code and S256.
Result<Metadata> read_metadata(std::string_view text, std::string_view issuer);

}  // namespace parley::oidc
