// The header field Authorization, and the one that answers where it did not do.
#pragma once

#include "api/caller.hpp"
#include "base/error.hpp"
#include "http/message.hpp"

#include <string_view>

namespace parley::api {

// The token that a request carries. Fails with missing_token, or with invalid_request where there
// are two of them.
Result<std::string_view> bearer_token(const http::RequestHead& head);

// Fails with insufficient_scope where the caller's token is not good for this.
Result<> check_access(const Access& access, const auth::Caller& caller);

// Adds WWW-Authenticate to the response to an error that has to do with a token.
void add_challenge(const Error& error, http::Fields& fields);

}  // namespace parley::api
