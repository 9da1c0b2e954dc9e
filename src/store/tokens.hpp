// Tokens and logins as the store keeps them. A token is found by its hash; the token itself is
// nowhere. A login is what one login made: an access token and a chain of refresh tokens, which end
// together. Times are kept to the millisecond; a token has expired from its `expires_at` on.
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
    std::string name = {};        // Given by people; a login's label.
    std::uint8_t scopes = 0;      // One bit per scope, as auth::Scopes has them.
    std::string hint = {};        // "plp_…a1B2"
    std::string created_by = {};  // usr_…, or who else made it.
    TimePoint created_at = {};
    std::optional<TimePoint> last_used_at = {};
    std::optional<TimePoint> expires_at = {};
    OwnLimits limits = {};

    bool operator==(const Token&) const = default;
};

// What is to become of a token or a login; what is absent stays.
struct TokenChange {
    std::optional<std::string> name = {};
    LimitsChange limits = {};
};

struct AddedToken {
    Token token;
    bool replayed = false;  // The key was bound already: this is the token it was bound to.
};

// A token with the user whose it is, as they are at this moment; no user for a client token.
struct TokenOwner {
    Token token;
    std::optional<User> user;
};

// A login, as it is begun: its access token and first refresh token carry its id. The id is that of
// a token, so that one list can hold logins and personal tokens.
struct Login {
    std::string id;  // tok_…
    std::string user;
    std::string label;
    TimePoint created_at;
    TimePoint expires_at;   // However often it is refreshed.
    std::string hint = {};  // Of its newest access token.
    std::uint8_t scopes = 0;
    std::optional<TimePoint> last_used_at = {};

    bool operator==(const Login&) const = default;
};

struct Refresh {
    TokenHash used{};  // The refresh token that was shown.
    Token access;      // What is to take its place: see begin_login. Hint and scopes of the access
    Token refresh;     // token become those of the login.
    TimePoint now;
    std::optional<AuditEvent> reuse = {};  // What to note where it turns out to be used twice.
    std::chrono::seconds grace{0};  // Until so long after its first use a token may be used again.
};

// What became of a refresh.
struct Refreshed {
    User user;
    Login login;
    Token access;
    Token refresh;
};

// As in accounts.hpp: what changes something takes the audit event that tells of it.
class Tokens {
public:
    virtual ~Tokens() = default;

    // A token that belongs to no login. Fails with not_found where its user is not there, with
    // conflict where its id or hash is there already, and with a key as idempotency.hpp says.
    virtual Task<Result<AddedToken>> add_token(Token token, std::optional<AuditEvent> audit = {},
                                               std::optional<OwnClaim> key = {}) = 0;

    // The token that an earlier request with this key has made; nothing if the key is free. Fails
    // as idempotency.hpp says.
    virtual Task<Result<std::optional<Token>>> find_made_token(OwnClaim key) = 0;

    // Fails with not_found for a token that never was, was revoked, or whose login has ended.
    // Expired tokens and tokens of disabled users are found: the rules look at that. So are refresh
    // tokens that were used.
    virtual Task<Result<TokenOwner>> find_token(TokenHash hash) = 0;

    // Stores a login with its two tokens, and that the user logged in when it was made. The tokens
    // get the login's user (as their maker too), id and label, and neither outlives it. Fails with
    // not_found where the user is gone or disabled; with conflict where an id or hash is there
    // already, or where `checked_hash` is given and no longer the hash of the user's password: it
    // was changed while somebody logged in with the old one.
    virtual Task<Result<>> begin_login(Login login, Token access, Token refresh,
                                       std::string checked_hash = {},
                                       std::optional<AuditEvent> audit = {}) = 0;

    // Fails with not_found where the token is no refresh token, unknown, expired, or its login has
    // ended or expired, or its user is disabled. A token that was used before: within the grace it
    // gives another successor; later the whole login is ended, and it fails with conflict.
    virtual Task<Result<Refreshed>> refresh_login(Refresh refresh) = 0;

    // Ends a login: its tokens are gone. Whether it was there or not.
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

    // Gives the entry as it is now. Fails as find_listed_token does.
    virtual Task<Result<Token>> change_token(std::string user, std::string id, TokenChange change,
                                             TimePoint now, std::vector<AuditEvent> audit = {}) = 0;

    // Client tokens, newest first.
    virtual Task<Result<std::vector<Token>>> list_client_tokens() = 0;

    // A token or a login of this user (of nobody: a client token). Fails with not_found, also for a
    // single token of a login.
    virtual Task<Result<>> revoke(std::string user, std::string id,
                                  std::optional<AuditEvent> audit = {}) = 0;

    // When tokens were last used, and with them their logins; a use before the last one changes
    // nothing. Unknown ones are ignored.
    struct Use {
        std::string token;
        TimePoint at;
    };
    virtual Task<Result<>> note_uses(std::vector<Use> uses) = 0;

    // Forgets what has expired, `most` tokens and logins at most; gives how many there were. Fewer
    // than `most`: there are no more.
    virtual Task<Result<std::size_t>> sweep(TimePoint now, std::size_t most) = 0;
};

}  // namespace parley::store
