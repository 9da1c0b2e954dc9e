// Which URLs events may be sent to. Users choose them, so that they must not reach this machine or
// its network: the scheme and the port are checked here, the addresses when the URL is saved and at
// every attempt (http/client/address_rule.hpp).
//
// Threads: plain functions.
#pragma once

#include "base/error.hpp"
#include "http/client/url.hpp"

#include <string_view>

namespace parley::webhook {

inline constexpr std::size_t max_url_size = 2048;

// Fails with validation_failed, with the pointer #/url.
Result<http::client::Url> parse_target(std::string_view url, bool allow_http);

// The URL leads to an address that is not public.
Error address_refused();

}  // namespace parley::webhook
