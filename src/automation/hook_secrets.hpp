// The secrets of hooks: makes them, and tells whether a call has the right one. A token is stored
// as its SHA-256; a secret for signatures must be readable to check them, so it is stored sealed.
//
// Threads: from any thread.
#pragma once

#include "auth/hook_authenticator.hpp"
#include "base/clock.hpp"
#include "store/automations.hpp"
#include "webhook/sealer.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace parley::automation {

// A hook whose secret was just made.
struct NewHook {
    store::Hook hook;
    std::string secret;  // To be shown once.
};

// The time of a call by two clocks. Secrets expire by the trusted one (base/trusted_time.hpp); the
// timestamp of a signature is of the sender's wall clock, and is compared with ours.
struct CallTime {
    TimePoint trusted;
    TimePoint wall;
};

class HookSecrets {
public:
    // The sealer must outlive it.
    explicit HookSecrets(const webhook::Sealer& sealer) : sealer_(sealer) {}

    NewHook make(HookVerification verify, TimePoint now) const;

    // The same hook with a new secret; the old one works for `overlap`. Here and below, `now` is
    // the trusted time. Fails as webhook/rotation.hpp says.
    Result<NewHook> rotated(const store::Hook& hook, std::chrono::seconds overlap,
                            TimePoint now) const;

    static bool accepts_token(const store::Hook& hook, std::string_view token, TimePoint now);

    // Fails with internal if a secret was sealed with another key.
    Result<bool> accepts_signature(const store::Hook& hook, const auth::SignedCall& call,
                                   CallTime now) const;

    // Takes as long as the check of a call to a hook that exists.
    void pretend_to_check(const auth::SignedCall& call, CallTime now) const;

private:
    std::string set_secret(store::Hook& hook) const;

    const webhook::Sealer& sealer_;
};

}  // namespace parley::automation
