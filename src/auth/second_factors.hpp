// Second factors: codes of an authenticator app (TOTP), and recovery codes. The key of the app is
// stored encrypted. A code is accepted once. After several wrong codes in a row, users have to wait
// longer and longer: only a person who has the password can cause that.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/caller.hpp"
#include "auth/passwords.hpp"
#include "auth/token_authenticator.hpp"
#include "base/sealer.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::auth {

// Shown only once.
struct TotpEnrolment {
    Secret key;
    std::string username;
};

struct TotpState {
    bool enabled = false;
    std::int64_t recovery_codes_left = 0;
};

class SecondFactors {
public:
    // All of them must outlive it.
    SecondFactors(store::Store& store, PasswordHasher& hasher, TokenAuthenticator& authenticator,
                  const TrustedTime& time)
        : store_(store), hasher_(hasher), authenticator_(authenticator), time_(time)
    {
    }

    // The key with which secrets are encrypted. To be called before the first request; without it
    // only remove() and state() work, which is enough for commands without a server.
    void use_key(const Secret& key) { sealer_.emplace(key, "parley totp secrets"); }

    // Makes a key for the app, which counts when confirm() gets a code of it. Fails with
    // validation_failed at #/password, or conflict if there is a second factor.
    Task<Result<TotpEnrolment>> enrol(CallerRef caller, Secret password);

    // Returns the recovery codes; ends all other logins. Fails with validation_failed at #/code, or
    // conflict if there is nothing to confirm.
    Task<Result<std::vector<Secret>>> confirm(CallerRef caller, std::string code, Origin origin);

    // Both fail with validation_failed at #/password or #/code, rate_limited, or conflict if there
    // is no second factor. Disabling ends all other logins.
    Task<Result<std::vector<Secret>>> renew_recovery_codes(CallerRef caller, Secret password,
                                                           std::string code, Origin origin);
    Task<Result<>> disable(CallerRef caller, Secret password, std::string code, Origin origin);

    // For operators; ends all logins of the user. Fails with not_found.
    Task<Result<>> remove(std::string user, std::string actor, Origin origin);

    Task<Result<TotpState>> state(std::string user);

    // Checks the code of a user whose password or link was right; a user without a second factor
    // needs none. Fails with second_factor_required, invalid_credentials or rate_limited.
    Task<Result<store::SecondFactorUse>> check(store::User user, std::string code, Origin origin);

private:
    Task<Result<store::User>> check_password(CallerRef caller, Secret password);
    Task<Result<store::SecondFactorUse>> check_owner(store::User user, std::string code,
                                                     Origin origin);
    Result<store::CodeVerdict> judge(const std::string& user, const std::string& code,
                                     const std::optional<store::Totp>& totp, bool is_recovery_code,
                                     TimePoint now) const;
    Result<Secret> open(const std::string& user, const std::string& sealed) const;
    store::AuditEvent event(std::string actor, std::string action, std::string target,
                            const Origin& origin) const
    {
        return audit_event(time_.wall(), std::move(actor), std::move(action), std::move(target),
                           origin);
    }

    store::Store& store_;
    PasswordHasher& hasher_;
    TokenAuthenticator& authenticator_;
    const TrustedTime& time_;
    std::optional<Sealer> sealer_;
};

}  // namespace parley::auth
