// Identifies the callers of hooks by the secrets in the store. Nothing is cached: a rotated secret,
// a removed automation and a disabled user count at once, on every server.
//
// Threads: from any event loop.
#pragma once

#include "auth/hook_authenticator.hpp"
#include "automation/hook_secrets.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

namespace parley::automation {

class HookCallers final : public auth::HookAuthenticator {
public:
    // All must outlive it.
    HookCallers(store::Store& store, const HookSecrets& secrets, const TrustedTime& time)
        : store_(store), secrets_(secrets), time_(time)
    {
    }

    Task<Result<auth::CallerRef>> by_token(std::string hook, std::string token) override;
    Task<Result<auth::CallerRef>> by_signature(auth::SignedCall call) override;

private:
    // Nothing: it does not exist, or its owner is disabled.
    Task<Result<std::optional<store::Automation>>> find(std::string hook);

    store::Store& store_;
    const HookSecrets& secrets_;
    const TrustedTime& time_;
};

}  // namespace parley::automation
