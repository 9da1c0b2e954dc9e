// The rules about users: how they are created, changed and removed, and how passwords change. A
// withdrawn right ends at once.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/passwords.hpp"
#include "auth/second_factors.hpp"
#include "auth/token_authenticator.hpp"
#include "base/trusted_time.hpp"
#include "domain/limits_change.hpp"
#include "store/store.hpp"

#include <optional>

namespace parley::auth {

struct NewUser {
    std::string username;
    std::optional<Secret> password = {};  // Nothing: the user is invited to set one.
    std::string display_name;
    Role role = Role::member;
};

// A one-time code for setting a password; shown only once.
struct InvitationCode {
    Secret text;
    TimePoint expires_at;
};

struct MadeUser {
    store::User user;
    std::optional<InvitationCode> invitation = {};
    bool replayed = false;
};

struct ChangedUser {
    std::optional<std::string> display_name = {};
    std::optional<Role> role = {};
    std::optional<bool> disabled = {};
    std::optional<Secret> password = {};
    bool keeps_tokens = false;  // When the password changes.
    LimitsChange limits = {};
    std::optional<std::optional<std::int64_t>> retention_days = {};
    std::optional<std::optional<std::int64_t>> output_tokens_per_day = {};
};

class Accounts {
public:
    // All of them must outlive it.
    Accounts(store::Store& store, PasswordHasher& hasher, TokenAuthenticator& authenticator,
             SecondFactors& factors, const TrustedTime& time)
        : store_(store),
          hasher_(hasher),
          authenticator_(authenticator),
          factors_(factors),
          time_(time)
    {
    }

    // Fails with validation_failed (a name or password that is not allowed) or conflict (a name
    // that is taken); with a key as store/idempotency.hpp says. `actor` is the acting user, for the
    // audit log.
    Task<Result<MadeUser>> add(NewUser user, std::string actor, Origin origin,
                               std::optional<store::OwnClaim> key = {});

    // The same for the first operator; fails with conflict if there is one.
    Task<Result<store::User>> add_first_operator(NewUser user, Origin origin);

    // Fails with not_found, validation_failed, or conflict for the last operator. A new password
    // ends the logins of the user, and their personal and test tokens unless they are kept;
    // disabling ends the logins.
    Task<Result<store::User>> change(std::string id, ChangedUser change, std::string actor,
                                     Origin origin);

    // Ends all logins of the caller except this one. Fails with validation_failed at
    // #/current_password if that is wrong.
    Task<Result<>> change_password(CallerRef caller, Secret current, Secret next, Origin origin);

    // Replaces an earlier invitation. Fails with not_found.
    Task<Result<MadeUser>> invite(std::string id, std::string actor, Origin origin);

    // Sets the password, which ends the user's logins. Fails with invalid_credentials, with
    // validation_failed at #/password, or with second_factor_required for every user who has one.
    Task<Result<store::User>> accept(Secret code, Secret password, Origin origin);

    // A link with which the user sets a new password, valid for 24 hours; replaces an earlier one.
    // Fails with not_found.
    Task<Result<InvitationCode>> make_reset_link(std::string id, std::string actor, Origin origin);

    // Sets the password, which ends the user's logins and tokens. `code` is of the second factor,
    // if the user has one. Fails with invalid_credentials, with validation_failed at #/password, or
    // as SecondFactors::check does; the link stays valid then.
    Task<Result<store::User>> reset(Secret reset_code, Secret password, std::string code,
                                    Origin origin);

    // Removes the user and all of their data. Fails as change() does.
    Task<Result<>> remove(std::string id, std::string actor, Origin origin);

private:
    Task<Result<store::User>> prepare(NewUser user);
    InvitationCode new_code(std::chrono::hours life) const;
    store::AuditEvent event(std::string actor, std::string action, std::string target,
                            const Origin& origin) const
    {
        return audit_event(time_.wall(), std::move(actor), std::move(action), std::move(target),
                           origin);
    }

    store::Store& store_;
    PasswordHasher& hasher_;
    TokenAuthenticator& authenticator_;
    SecondFactors& factors_;
    const TrustedTime& time_;
};

}  // namespace parley::auth
