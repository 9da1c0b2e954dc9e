// Logins of people whom an OpenID provider has identified. A person is found by the provider's
// issuer and subject; the first login makes a user, who has no password. A user name is only a
// wish: an existing user is never taken over by name.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/logins.hpp"
#include "auth/token_authenticator.hpp"
#include "base/trusted_time.hpp"
#include "domain/role.hpp"
#include "store/store.hpp"

#include <optional>
#include <string>
#include <vector>

namespace parley::auth {

// A person, as the provider describes them.
struct IdentifiedPerson {
    store::Identity identity;
    std::vector<std::string> names = {};  // Wanted user names, the best first; need not be valid.
    std::string display_name = {};        // Need not be valid.
    std::optional<Role> role = {};        // Nothing: the role in the store stays.
};

class Identities {
public:
    // All of them must outlive it.
    Identities(store::Store& store, TokenAuthenticator& authenticator, Logins& logins,
               const TrustedTime& time)
        : store_(store), authenticator_(authenticator), logins_(logins), time_(time)
    {
    }

    // Uses up an attempt: see store::Identities. Fails with invalid_credentials if it was used.
    Task<Result<>> use_attempt(store::CodeHash attempt, TimePoint expires_at);

    // Makes or updates the user, and begins a login. Fails with invalid_credentials if the user is
    // disabled.
    Task<Result<LoggedIn>> log_in(IdentifiedPerson person, std::string label, Origin origin);

    // Records a refused login in the audit log. `target`: a user's id, or empty if unknown.
    Task<void> note_refusal(std::string target, Origin origin);

private:
    Task<Result<store::User>> find_or_add(IdentifiedPerson person, Origin origin);
    Task<Result<store::User>> change_role(store::User user, Role role, Origin origin);

    store::Store& store_;
    TokenAuthenticator& authenticator_;
    Logins& logins_;
    const TrustedTime& time_;
};

}  // namespace parley::auth
