// Users and what they may do: accounts, passwords, logins, tokens and their scopes. A server makes
// one Services; its pipeline asks the authenticator who calls, and the endpoints of users, logins
// and tokens call the rest.
#pragma once

#include "auth/accounts.hpp"
#include "auth/identities.hpp"
#include "auth/logins.hpp"
#include "auth/passwords.hpp"
#include "auth/personal_tokens.hpp"
#include "auth/second_factors.hpp"
#include "auth/setup_code.hpp"
#include "auth/token_authenticator.hpp"

namespace parley::auth {

// The rules about users, over one store. Threads: from any event loop.
struct Services {
    // Store and time must outlive it.
    Services(store::Store& store, const TrustedTime& time, const LoginTimes& times,
             const OwnLimits& limits)
        : authenticator(store.tokens(), time),
          second_factors(store, hasher, authenticator, time),
          accounts(store, hasher, authenticator, second_factors, time),
          logins(store, hasher, authenticator, second_factors, time, times),
          identities(store, authenticator, logins, time),
          tokens(store, authenticator, time, limits)
    {
    }

    TokenAuthenticator authenticator;
    PasswordHasher hasher;
    SecondFactors second_factors;
    Accounts accounts;
    Logins logins;
    Identities identities;
    PersonalTokens tokens;
    SetupCode setup_code;
};

}  // namespace parley::auth
