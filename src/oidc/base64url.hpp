// Base64 for URLs, without padding (RFC 4648, section 5), as JSON Web Tokens have it.
//
// Threads: plain functions, to be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace parley::oidc {

std::string base64url(std::string_view bytes);

// Nothing if it is not the only valid text for some bytes.
std::optional<std::string> base64url_decoded(std::string_view text);

}  // namespace parley::oidc
