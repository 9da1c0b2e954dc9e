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
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

using CodeHash = std::array<unsigned char, 32>;  // SHA-256.

// A one-time code for a user who has no password yet, or has lost it. Only its hash is stored.
struct Invitation {
    CodeHash code{};
    TimePoint expires_at;

    bool operator==(const Invitation&) const = default;
};

// A second factor: codes of an authenticator app.
struct Totp {
    std::string secret;                       // Encrypted by the caller.
    std::int64_t last_step = 0;               // The step of the newest code that was accepted.
    std::int64_t failures = 0;                // Wrong codes since then.
    std::optional<TimePoint> failed_at = {};  // The last of them.

    bool operator==(const Totp&) const = default;
};

// A second factor as it was checked. It is used up by the change that it is needed for.
struct SecondFactorUse {
    std::string secret = {};                     // Totp's secret, unchanged; empty: there is none.
    std::optional<std::int64_t> step = {};       // The step of the code.
    std::optional<CodeHash> recovery_code = {};  // Instead of a code.
};

// What the caller makes of a code.
struct CodeVerdict {
    std::optional<SecondFactorUse> use = {};  // It is right, or none is needed.
    bool counts = false;                      // Otherwise: it is a wrong guess.
};

// Decides by the second factor as it is now, if there is one, and by whether the code is a recovery
// code. Called in a transaction, perhaps more than once: it must not wait.
using JudgeCode =
    std::function<Result<CodeVerdict>(const std::optional<Totp>& totp, bool is_recovery_code)>;

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
    std::optional<std::int64_t> retention_days = {};  // For idle sessions. Nothing: all are kept.
    std::optional<Invitation> reset_link = {};
    std::optional<Totp> totp = {};
    std::string totp_pending = {};  // An encrypted secret that no code has confirmed yet.
    std::optional<std::int64_t> output_tokens_per_day = {};  // The budget. Nothing: no limit.

    bool operator==(const User&) const = default;
};

// The pending secret becomes the second factor: a code of this step has confirmed it.
struct ConfirmedTotp {
    std::string pending;
    std::int64_t step = 0;
};

// Changes to a user; absent members do not change.
struct UserChange {
    std::optional<std::string> display_name = {};
    std::optional<Role> role = {};
    std::optional<bool> disabled = {};
    // Ends an invitation and a reset link.
    std::optional<std::string> password_hash = {};
    LimitsChange limits = {};
    std::optional<std::optional<std::int64_t>> retention_days = {};
    std::optional<std::optional<std::int64_t>> output_tokens_per_day = {};
    std::optional<Invitation> invitation = {};
    std::optional<Invitation> reset_link = {};
    std::optional<std::string> totp_pending = {};
    // Fails with conflict if another secret is pending now, or if there is a second factor.
    std::optional<ConfirmedTotp> confirmed_totp = {};
    bool removes_totp = false;                                 // With the recovery codes.
    std::optional<std::vector<CodeHash>> recovery_codes = {};  // Replace the earlier ones.
    // Fails with conflict if it is no longer valid.
    std::optional<SecondFactorUse> second_factor = {};
    // A new password ends all logins of the user but this one (a login's id, or empty: all), and so
    // do disabling and a change of the second factor.
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

// Every change takes its audit event, if there is one: both are stored or neither. It fails with
// invalid_token if the token of the caller, which the event names, has ended (audit.hpp).
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

    // All fail with not_found; the last two also if the code has expired or the user is disabled.
    virtual Task<Result<User>> find_user(std::string id) = 0;
    virtual Task<Result<User>> find_user_by_name(std::string name_key) = 0;
    virtual Task<Result<User>> find_invited_user(CodeHash code, TimePoint now) = 0;
    virtual Task<Result<User>> find_user_to_reset(CodeHash code, TimePoint now) = 0;

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
    // not_found as find_invited_user does, and with conflict if the user has a second factor.
    virtual Task<Result<User>> accept_invitation(CodeHash code, TimePoint now,
                                                 std::string password_hash,
                                                 std::optional<AuditEvent> audit = {}) = 0;

    // The same with a reset link, as find_user_to_reset finds it. Fails with conflict if the second
    // factor is no longer valid.
    virtual Task<Result<User>> reset_password(CodeHash code, TimePoint now,
                                              std::string password_hash,
                                              std::optional<SecondFactorUse> second_factor = {},
                                              std::optional<AuditEvent> audit = {}) = 0;

    // Recovery codes that have not been used; none for an unknown user.
    virtual Task<Result<std::int64_t>> count_recovery_codes(std::string id) = 0;

    // Lets `judge` look at a code, which may be a recovery code. Attempts at the same time are
    // looked at one after the other, so that each sees the failures of those before. Returns
    // nothing if the code is refused: then `refused` is noted, and the code is counted if it
    // counts. The next one that is used ends the count. Fails with not_found, and with errors of
    // `judge`.
    virtual Task<Result<std::optional<SecondFactorUse>>> try_code(std::string id,
                                                                  CodeHash recovery_code,
                                                                  JudgeCode judge, TimePoint now,
                                                                  AuditEvent refused) = 0;

    // Replaces a hash by a better one of the same password, if it has not changed: logins stay.
    // Otherwise nothing happens, which is not a failure.
    virtual Task<Result<>> replace_hash(std::string id, std::string old_hash,
                                        std::string new_hash) = 0;

    // Removes the user and all of their data. Fails as change_user does.
    virtual Task<Result<>> remove_user(std::string id, std::optional<AuditEvent> audit = {}) = 0;
};

}  // namespace parley::store
