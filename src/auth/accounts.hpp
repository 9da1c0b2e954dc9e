// The rules about users: who may be made, changed and removed, and how passwords change. Whatever
// takes a right away works at once.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/passwords.hpp"
#include "auth/token_gate.hpp"
#include "store/store.hpp"

#include <optional>

namespace parley::auth {

struct NewUser {
    std::string username;
    Secret password;
    std::string display_name;
    Role role = Role::member;
};

struct ChangedUser {
    std::optional<std::string> display_name = {};
    std::optional<Role> role = {};
    std::optional<bool> disabled = {};
    std::optional<Secret> password = {};
};

class Accounts {
public:
    // All of them must outlive it.
    Accounts(store::Store& store, PasswordHasher& hasher, TokenGate& gate, const Clock& clock)
        : store_(store), hasher_(hasher), gate_(gate), clock_(clock)
    {
    }

    // Fails with validation_failed (a name or password that will not do) or conflict (a name that
    // is taken). `actor` is who does it, for the audit log.
    Task<Result<store::User>> add(NewUser user, std::string actor, Origin origin);

    // The same for the first operator; fails with conflict where there is one.
    Task<Result<store::User>> add_first_operator(NewUser user, Origin origin);

    // Fails with not_found, validation_failed, or conflict for the last operator.
    Task<Result<store::User>> change(std::string id, ChangedUser change, std::string actor,
                                     Origin origin);

    // Ends all logins of the caller but this one. Fails with validation_failed at
    // #/current_password where that is wrong.
    Task<Result<>> change_password(CallerRef caller, Secret current, Secret next, Origin origin);

    // With all that is theirs. Fails as change() does.
    Task<Result<>> remove(std::string id, std::string actor, Origin origin);

private:
    Task<Result<store::User>> prepare(NewUser user);

    store::Store& store_;
    PasswordHasher& hasher_;
    TokenGate& gate_;
    const Clock& clock_;
};

}  // namespace parley::auth
