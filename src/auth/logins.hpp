// Logging in, staying logged in, and logging out. Unknown user, wrong password and disabled user
// are one error, after the same work. A refresh token is valid once; if it is used again later, it
// may have been stolen, and the whole login ends.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/login_times.hpp"
#include "auth/passwords.hpp"
#include "auth/second_factors.hpp"
#include "auth/token_authenticator.hpp"
#include "base/trusted_time.hpp"
#include "store/store.hpp"

namespace parley::auth {

// The result of a login; the two secrets are shown only once.
struct LoggedIn {
    store::User user;
    Scopes scopes;
    Secret access;
    Secret refresh;
    std::chrono::seconds access_lives{0};
    TimePoint access_expires_at;
    std::chrono::seconds refresh_lives{0};
};

class Logins {
public:
    // All of them must outlive it.
    Logins(store::Store& store, PasswordHasher& hasher, TokenAuthenticator& authenticator,
           SecondFactors& factors, const TrustedTime& time, LoginTimes times = {})
        : store_(store),
          hasher_(hasher),
          authenticator_(authenticator),
          factors_(factors),
          time_(time),
          times_(times)
    {
    }

    // Fails with invalid_credentials, as SecondFactors::check does, or with overloaded if too many
    // users log in at once.
    Task<Result<LoggedIn>> log_in(std::string username, Secret password, std::string label,
                                  Origin origin, std::string code = {});

    // A login without a password, for a user who has just set one. Setting the password was
    // recorded in the audit log, so the login is not.
    Task<Result<LoggedIn>> begin(store::User user, std::string label, Origin origin);

    // The same for a user whom an OpenID provider has identified; recorded as login.by_oidc. A
    // second factor is the provider's matter.
    Task<Result<LoggedIn>> begin_identified(store::User user, std::string label, Origin origin);

    // The caller has a client token, or a token of the same user. Fails with invalid_credentials.
    Task<Result<LoggedIn>> refresh(CallerRef caller, Secret token, Origin origin);

    // Fails with insufficient_scope if the caller's token belongs to no login.
    Task<Result<>> log_out(CallerRef caller, Origin origin);

private:
    struct Pair;  // The two tokens of a login, and how they are stored.

    Pair make_pair(const store::User& user) const;
    LoggedIn shown(store::User user, Pair pair) const;
    Task<Result<store::User>> check(std::string name_key, Secret password);
    Task<Result<LoggedIn>> begin_checked(store::User user, std::string label, Origin origin,
                                         store::LoginCheck check,
                                         std::string action);  // For the audit log; empty: none.
    Task<void> sweep_some();
    Task<void> note_refusal(std::string username, Origin origin);

    store::Store& store_;
    PasswordHasher& hasher_;
    TokenAuthenticator& authenticator_;
    SecondFactors& factors_;
    const TrustedTime& time_;
    LoginTimes times_;
};

Error invalid_credentials();

}  // namespace parley::auth
