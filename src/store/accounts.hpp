// Users as the store keeps them: who they are, what they may be, and the hash of their password.
// Times are kept to the millisecond.
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

// The way in for a user who has no password yet, or has lost it: a code that is good once.
struct Invitation {
    CodeHash code{};
    TimePoint expires_at;

    bool operator==(const Invitation&) const = default;
};

struct User {
    std::string id;        // usr_…
    std::string username;  // As it was given, in NFC.
    std::string name_key;  // By which it is compared: no two users have the same.
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

// What is to become of a user; what is absent stays.
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
    // Together with the logins, personal and test tokens.
    bool ends_tokens = false;
    // The change fails with conflict if the password has another hash by now.
    std::optional<std::string> expected_hash = {};
};

struct AddedUser {
    User user;
    bool replayed = false;  // The key was bound already: this is the user it was bound to.
};

// Whatever changes something takes the audit event that tells of it, where there is one to tell:
// both are stored or neither.
class Accounts {
public:
    virtual ~Accounts() = default;

    // Fails with conflict where the name is taken; with a key as idempotency.hpp says.
    virtual Task<Result<AddedUser>> add_user(User user, std::optional<AuditEvent> audit = {},
                                             std::optional<OwnClaim> key = {}) = 0;

    // The user that an earlier request with this key has made; nothing if the key is free. Fails as
    // idempotency.hpp says.
    virtual Task<Result<std::optional<User>>> find_made_user(OwnClaim key) = 0;

    // The same for the first operator, which is what the user becomes: fails with conflict where
    // has_operator(), even if two try at the same time.
    virtual Task<Result<>> add_first_operator(User user, std::optional<AuditEvent> audit = {}) = 0;

    // All fail with not_found; the last one also if the invitation has expired or the user is
    // disabled.
    virtual Task<Result<User>> find_user(std::string id) = 0;
    virtual Task<Result<User>> find_user_by_name(std::string name_key) = 0;
    virtual Task<Result<User>> find_invited_user(CodeHash code, TimePoint now) = 0;

    // Whether there is an operator who is not disabled.
    virtual Task<Result<bool>> has_operator() = 0;

    // In the order in which they were stored, newest first; older than `before`, where that is
    // given. `part`: only users whose name or display name contains it, without case; it is
    // case-folded (base/normal_form.hpp).
    using Position = std::int64_t;
    virtual Task<Result<Page<User, Position>>> list_users(std::optional<Position> before,
                                                          std::size_t limit,
                                                          std::string part = {}) = 0;

    // Gives the user as it is now. Fails with not_found, and with conflict where no operator that
    // is not disabled would be left (and there is one now).
    virtual Task<Result<User>> change_user(std::string id, UserChange change,
                                           std::vector<AuditEvent> audit = {}) = 0;

    // A user who was invited sets a password: as change_user, if the invitation is still good.
    // Fails with not_found as find_invited_user does.
    virtual Task<Result<User>> accept_invitation(CodeHash code, TimePoint now,
                                                 std::string password_hash,
                                                 std::optional<AuditEvent> audit = {}) = 0;

    // Replaces a hash by a better one of the same password, if it is still that one: logins stay.
    // Otherwise nothing happens, which is no failure.
    virtual Task<Result<>> replace_hash(std::string id, std::string old_hash,
                                        std::string new_hash) = 0;

    // With all that is theirs. Fails as change_user does.
    virtual Task<Result<>> remove_user(std::string id, std::optional<AuditEvent> audit = {}) = 0;
};

}  // namespace parley::store
