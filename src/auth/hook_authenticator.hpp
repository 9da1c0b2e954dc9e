// Identifies the callers of hooks: by the token of the hook, or by a signature of the body.
#pragma once

#include "auth/caller.hpp"

#include <string>
#include <string_view>

namespace parley::auth {

// A call to a hook whose body is signed. A header field that was not sent exactly once is empty.
struct SignedCall {
    std::string hook;  // hok_…, as the caller spells it.
    std::string_view webhook_id;
    std::string_view webhook_timestamp;
    std::string_view webhook_signature;
    std::string_view github_signature;  // X-Hub-Signature-256.
    std::string_view body;

    // Whether there is something to be checked at all.
    bool has_signature() const
    {
        return !github_signature.empty() ||
               (!webhook_id.empty() && !webhook_timestamp.empty() && !webhook_signature.empty());
    }
};

// For every fault of a signed call, and for a hook that does not exist.
inline Error wrong_signature()
{
    return {Errc::invalid_credentials,
            "The signature is missing, wrong or too old, or there is no such hook."};
}

// Threads: from any event loop.
class HookAuthenticator {
public:
    virtual ~HookAuthenticator() = default;

    // Fails with invalid_token: the same error for a wrong token and for a hook that does not
    // exist, takes signatures, or whose owner is disabled.
    virtual Task<Result<CallerRef>> by_token(std::string hook, std::string token) = 0;

    // Fails with invalid_credentials in the same way. The views must be valid until the end.
    virtual Task<Result<CallerRef>> by_signature(SignedCall call) = 0;
};

}  // namespace parley::auth
