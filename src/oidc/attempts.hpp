// Attempts to log in, between the way to the provider and the way back. The browser holds an
// attempt as a sealed text, so that the server stores nothing for people who never come back, and
// any server of a cluster can take it. A browser without that text cannot use the state: a link
// with the code of another person begins no login.
//
// Threads: from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/sealer.hpp"
#include "base/secret.hpp"

#include <string>
#include <string_view>

namespace parley::oidc {

struct Attempt {
    std::string state;
    std::string nonce;
    std::string verifier;  // The code verifier of PKCE.
    TimePoint expires_at;  // To the second.

    // The code challenge of PKCE, by S256.
    std::string challenge() const;
};

class Attempts {
public:
    static constexpr std::chrono::minutes life{10};

    // `provider`: issuer and client; attempts at another one are refused.
    Attempts(const Secret& key, std::string provider)
        : sealer_(key, "parley oidc attempts"), provider_(std::move(provider))
    {
    }

    static Attempt make(TimePoint now);

    std::string seal(const Attempt& attempt) const;

    // Fails with invalid_credentials if it was not made here, has another state, or has expired.
    Result<Attempt> open(std::string_view sealed, std::string_view state, TimePoint now) const;

private:
    Sealer sealer_;
    std::string provider_;
};

}  // namespace parley::oidc
