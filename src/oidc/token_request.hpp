// The request that exchanges a code for tokens (RFC 6749, section 4.1.3), and its response.
//
// Threads: plain functions, to be called from any thread.
#pragma once

#include "base/secret.hpp"
#include "http/client/client.hpp"
#include "oidc/attempts.hpp"
#include "oidc/metadata.hpp"
#include "oidc/options.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parley::oidc {

// Every provider must answer within these.
http::client::ClientRequest bounded_request(http::client::Url url);

// name=value&…, percent-encoded.
std::string form_of(const std::vector<std::pair<std::string_view, std::string_view>>& values);

http::client::ClientRequest token_request(const Metadata& metadata, const Options& options,
                                          const Secret& client_secret, const Attempt& attempt,
                                          std::string_view code);

struct TokenResponse {
    std::string id_token;
    Secret access_token;  // May be empty.
};

// Fails with invalid_credentials if the provider refuses the code, else with provider_error.
Result<TokenResponse> read_token_response(const http::client::ClientResponse& response);

}  // namespace parley::oidc
