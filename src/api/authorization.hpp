// The request header field Authorization, and the response field WWW-Authenticate.
#pragma once

#include "api/caller.hpp"
#include "base/error.hpp"
#include "http/message.hpp"

#include <string_view>

namespace parley::api {

// The token that a request carries. Fails with missing_token, or with invalid_request if there are
// two fields.
Result<std::string_view> bearer_token(const http::RequestHead& head);

// Fails with insufficient_scope if the caller's token does not grant this access.
Result<> check_access(const Access& access, const auth::Caller& caller);

// Adds WWW-Authenticate to the response to an error about a token.
void add_challenge(const Error& error, http::Fields& fields);

}  // namespace parley::api
