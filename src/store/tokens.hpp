// Tokens and logins in the store. A token is found by its hash; the token itself is not stored. A
// login has an access token and a chain of refresh tokens, which end together. Times are stored to
// the millisecond; a token has expired from its `expires_at` on.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "store/accounts.hpp"
#include "store/page.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::store {

using TokenHash = std::array<unsigned char, 32>;  // SHA-256.

struct Token {
    std::string id = {};  // tok_…
    TokenHash hash{};
    char kind = 'p';              // The letter in its text: p s r c t.
    std::string user = {};        // usr_…; empty for a client token.
    std::string login = {};       // tok_… of the login that it belongs to; empty for others.
    std::string name = {};        // Chosen by the user; a login's label.
    std::uint8_t scopes = 0;      // One bit per scope, as auth::Scopes has them.
    std::string hint = {};        // "plp_…a1B2"
    std::string created_by = {};  // usr_…, or another creator.
    TimePoint created_at = {};
    std::optional<TimePoint> last_used_at = {};
    std::optional<TimePoint> expires_at = {};
    OwnLimits limits = {};
    bool is_temporary = false;  // Made for a command while it runs: its events are not in the log.

    bool operator==(const Token&) const = default;
};

// Changes to a token or a login; absent members do not change.
struct TokenChange {
    std::optional<std::string> name = {};
    LimitsChange limits = {};
};

struct AddedToken {
    Token token;
    bool replayed = false;  // The key was used before: this is its token.
};

// A token with its user, both as they are now; no user for a client token.
struct TokenOwner {
    Token token;
    std::optional<User> user;
};

// A new login: its access token and first refresh token have its id. The id has the form of a token
// id, so that one list can hold logins and personal tokens.
struct Login {
    std::string id;  // tok_…
    std::string user;
    std::string label;
    TimePoint created_at;
    TimePoint expires_at;   // However often it is refreshed.
    std::string hint = {};  // The hint of its newest access token.
    std::uint8_t scopes = 0;
    std::optional<TimePoint> last_used_at = {};

    bool operator==(const Login&) const = default;
};

// The data that a login has checked, and that must be the same when it begins.
struct LoginCheck {
    std::string password_hash = {};  // Empty: not checked.
    std::optional<SecondFactorUse> second_factor = {};
};

struct Refresh {
    TokenHash used{};  // The refresh token in the request.
    Token access;      // The new tokens: see begin_login. Hint and scopes of the access
    Token refresh;     // token become those of the login.
    TimePoint now;
    std::optional<AuditEvent> reuse = {};  // Audit event if it was used before.
    std::chrono::seconds grace{0};  // How long after its first use a token may be used again.
};

// The result of a refresh.
struct Refreshed {
    User user;
    Login login;
    Token access;
    Token refresh;
};

// As in accounts.hpp, every change takes its audit event.
class Tokens {
public:
    virtual ~Tokens() = default;

    // Adds a token that belongs to no login. Fails with not_found if its user does not exist, with
    // conflict if its id or hash already exists, and with a key as idempotency.hpp says.
    virtual Task<Result<AddedToken>> add_token(Token token, std::optional<AuditEvent> audit = {},
                                               std::optional<OwnClaim> key = {}) = 0;

    // The token that an earlier request with this key created; nothing if the key is free. Fails as
    // idempotency.hpp says.
    virtual Task<Result<std::optional<Token>>> find_made_token(OwnClaim key) = 0;

    // Fails with not_found for a token that does not exist, was revoked, or whose login has ended.
    // Expired tokens, tokens of disabled users and used refresh tokens are found: the caller checks
    // for these.
    virtual Task<Result<TokenOwner>> find_token(TokenHash hash) = 0;

    // Stores a login with its two tokens, and the time of the login for the user. The tokens get
    // the login's user (also as creator), id and label, and neither outlives it. Fails with
    // not_found if the user was removed or disabled; with conflict if an id or hash already exists,
    // or if what was checked is no longer valid: it was changed during the login, or the code was
    // used by another one.
    virtual Task<Result<>> begin_login(Login login, Token access, Token refresh,
                                       LoginCheck check = {},
                                       std::optional<AuditEvent> audit = {}) = 0;

    // Fails with not_found if the token is not a refresh token, is unknown or expired, if its login
    // has ended or expired, or if its user is disabled. A token that was used before gives another
    // pair within the grace period; later the whole login is ended, and it fails with conflict.
    virtual Task<Result<Refreshed>> refresh_login(Refresh refresh) = 0;

    // Ends a login and removes its tokens. Succeeds also if the login does not exist.
    virtual Task<Result<>> end_login(std::string login, std::optional<AuditEvent> audit = {}) = 0;

    // Personal and test tokens and logins of a user, newest first, as tokens; a login has the kind
    // s. Those that have expired are left out, and logins whose tokens have all expired.
    using Position = std::int64_t;
    virtual Task<Result<Page<Token, Position>>> list_tokens(std::string user, TimePoint now,
                                                            std::optional<Position> before,
                                                            std::size_t limit) = 0;

    // One entry of that list. Fails with not_found, also for a single token of a login.
    virtual Task<Result<Token>> find_listed_token(std::string user, std::string id,
                                                  TimePoint now) = 0;

    // Returns the changed entry. Fails as find_listed_token does.
    virtual Task<Result<Token>> change_token(std::string user, std::string id, TokenChange change,
                                             TimePoint now, std::vector<AuditEvent> audit = {}) = 0;

    // Client tokens, newest first.
    virtual Task<Result<std::vector<Token>>> list_client_tokens() = 0;

    // Revokes a token or a login of this user (empty: a client token). Fails with not_found, also
    // for a single token of a login.
    virtual Task<Result<>> revoke(std::string user, std::string id,
                                  std::optional<AuditEvent> audit = {}) = 0;

    // Records the last use of tokens and of their logins; an earlier use than the stored one
    // changes nothing. Unknown tokens are ignored.
    struct Use {
        std::string token;
        TimePoint at;
    };
    virtual Task<Result<>> note_uses(std::vector<Use> uses) = 0;

    // Removes expired tokens and logins, `most` at most; returns their number. Fewer than `most`:
    // there are no more.
    virtual Task<Result<std::size_t>> sweep(TimePoint now, std::size_t most) = 0;
};

}  // namespace parley::store
