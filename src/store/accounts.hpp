// Users in the store: names, role and the hash of the password. Times are stored to the
// millisecond.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/limits_change.hpp"
#include "domain/own_limits.hpp"
#include "domain/role.hpp"
#include "store/audit.hpp"
#include "store/idempotency.hpp"
#include "store/page.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

using CodeHash = std::array<unsigned char, 32>;  // SHA-256.

// A one-time code for a user who has no password yet, or has lost it.
struct Invitation {
    CodeHash code{};
    TimePoint expires_at;

    bool operator==(const Invitation&) const = default;
};

struct User {
    std::string id;        // usr_…
    std::string username;  // As entered, in NFC.
    std::string name_key;  // Used for comparison; unique.
    std::string display_name;
    Role role = Role::member;
    bool disabled = false;
    TimePoint created_at;
    std::optional<TimePoint> last_login_at = {};
    std::string password_hash = {};  // As libsodium writes it, with its parameters; empty: none.
    OwnLimits limits = {};
    std::optional<Invitation> invitation = {};

    bool operator==(const User&) const = default;
};

// Changes to a user; absent members do not change.
struct UserChange {
    std::optional<std::string> display_name = {};
    std::optional<Role> role = {};
    std::optional<bool> disabled = {};
    // Ends an invitation.
    std::optional<std::string> password_hash = {};
    LimitsChange limits = {};
    std::optional<Invitation> invitation = {};
    // A new password ends all logins of the user but this one (a login's id, or empty: all), and so
    // does disabling.
    std::string login_to_keep = {};
    // Also ends personal and test tokens.
    bool ends_tokens = false;
    // The change fails with conflict if the hash of the password is another one now.
    std::optional<std::string> expected_hash = {};
};

struct AddedUser {
    User user;
    bool replayed = false;  // The key was used before: this is its user.
};

// Every change takes its audit event, if there is one: both are stored or neither.
class Accounts {
public:
    virtual ~Accounts() = default;

    // Fails with conflict if the name is taken; with a key as idempotency.hpp says.
    virtual Task<Result<AddedUser>> add_user(User user, std::optional<AuditEvent> audit = {},
                                             std::optional<OwnClaim> key = {}) = 0;

    // The user that an earlier request with this key created; nothing if the key is free. Fails as
    // idempotency.hpp says.
    virtual Task<Result<std::optional<User>>> find_made_user(OwnClaim key) = 0;

    // The same for the first operator; sets the role. Fails with conflict if has_operator(), even
    // if two try at the same time.
    virtual Task<Result<>> add_first_operator(User user, std::optional<AuditEvent> audit = {}) = 0;

    // All fail with not_found; the last one also if the invitation has expired or the user is
    // disabled.
    virtual Task<Result<User>> find_user(std::string id) = 0;
    virtual Task<Result<User>> find_user_by_name(std::string name_key) = 0;
    virtual Task<Result<User>> find_invited_user(CodeHash code, TimePoint now) = 0;

    // Whether there is an operator who is not disabled.
    virtual Task<Result<bool>> has_operator() = 0;

    // Newest first; only those before `before`, if given. `part`: only users whose name or display
    // name contains it, ignoring case; it must be case-folded (base/normal_form.hpp).
    using Position = std::int64_t;
    virtual Task<Result<Page<User, Position>>> list_users(std::optional<Position> before,
                                                          std::size_t limit,
                                                          std::string part = {}) = 0;

    // Returns the changed user. Fails with not_found, and with conflict if no enabled operator
    // would be left (and there is one now).
    virtual Task<Result<User>> change_user(std::string id, UserChange change,
                                           std::vector<AuditEvent> audit = {}) = 0;

    // An invited user sets a password: as change_user, if the invitation is still valid. Fails with
    // not_found as find_invited_user does.
    virtual Task<Result<User>> accept_invitation(CodeHash code, TimePoint now,
                                                 std::string password_hash,
                                                 std::optional<AuditEvent> audit = {}) = 0;

    // Replaces a hash by a better one of the same password, if it has not changed: logins stay.
    // Otherwise nothing happens, which is not a failure.
    virtual Task<Result<>> replace_hash(std::string id, std::string old_hash,
                                        std::string new_hash) = 0;

    // Removes the user and all of their data. Fails as change_user does.
    virtual Task<Result<>> remove_user(std::string id, std::optional<AuditEvent> audit = {}) = 0;
};

}  // namespace parley::store
