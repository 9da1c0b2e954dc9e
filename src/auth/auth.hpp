// Users and what they may do: accounts, passwords, logins, tokens and their scopes. A server makes
// one Services; its pipeline asks the gate who calls, and the endpoints of users, logins and tokens
// call the rest.
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
        : gate(store.tokens(), time),
          second_factors(store, hasher, gate, time),
          accounts(store, hasher, gate, second_factors, time),
          logins(store, hasher, gate, second_factors, time, times),
          identities(store, gate, logins, time),
          tokens(store, gate, time, limits)
    {
    }

    TokenAuthenticator gate;
    PasswordHasher hasher;
    SecondFactors second_factors;
    Accounts accounts;
    Logins logins;
    Identities identities;
    PersonalTokens tokens;
    SetupCode setup_code;
};

}  // namespace parley::auth
