// ID tokens (OpenID Connect Core 1.0, sections 2 and 3.1.3.7): a signed statement of the provider
// who has logged in, for whom and when.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "oidc/keys.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace parley::oidc {

// As it was sent; nothing of it is true before both checks.
struct IdToken {
    Algorithm algorithm = Algorithm::rs256;
    std::string key_id;       // May be empty.
    std::string signed_text;  // Header and claims.
    std::string signature;
    boost::json::object claims;
};

// The values that the claims must have.
struct Expected {
    std::string issuer;
    std::string client_id;
    std::string nonce;
    TimePoint now;
};

// All fail with invalid_credentials; the detail, for the log, says why.

// Also fails for other algorithms than RS256 and ES256, and for headers with `crit`.
Result<IdToken> read_id_token(std::string_view text);

// Whether one of the keys may have signed it.
bool has_key_for(const IdToken& token, const Keys& keys);

Result<> check_signature(const IdToken& token, const Keys& keys);

// Issuer, audience, authorized party, times, nonce and subject.
Result<> check_claims(const boost::json::object& claims, const Expected& expected);

}  // namespace parley::oidc
