// The rules about the tokens that users create for their programs, and about client tokens. A token
// never creates a more powerful one: it grants only scopes that it has itself, within its user's
// role; a test token creates only test tokens; a token that expires creates none that expires
// later; and a token with limits cannot set higher ones, also not for itself. Only the token of a
// login, which proves knowledge of the password, can create tokens without expiry, and has no
// limits of its own.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/token_authenticator.hpp"
#include "base/trusted_time.hpp"
#include "domain/limits_change.hpp"
#include "store/store.hpp"

#include <optional>

namespace parley::auth {

struct NewToken {
    std::string name;
    Scopes scopes{Scope::chat_read, Scope::chat_write};
    std::optional<TimePoint> expires_at = {};
    bool never_expires = false;     // Requested explicitly, by null.
    std::optional<bool> test = {};  // Nothing: like the creating token.
    LimitsChange limits = {};       // Absent: those of the creating token. Null: the user's.
    bool is_temporary = false;      // Only the command line may ask for this.
};

struct MadeToken {
    store::Token token;
    Secret text;  // Shown only once; empty for a replay.
    bool replayed = false;
};

// Changes to a token; absent members do not change. A limit of null is the user's.
struct ChangedToken {
    std::optional<std::string> name = {};
    LimitsChange limits = {};
};

class PersonalTokens {
public:
    // All of them must outlive it. `server`: all limits, for users who have none of their own.
    PersonalTokens(store::Store& store, TokenAuthenticator& authenticator, const TrustedTime& time,
                   const OwnLimits& server)
        : store_(store), authenticator_(authenticator), time_(time), server_(server)
    {
    }

    // For the caller, or by an operator for another user. Fails with insufficient_scope,
    // validation_failed (rights that the caller's token cannot grant, a time in the past, limits
    // above the user's), or not_found if there is no such user; with a key as store/idempotency.hpp
    // says.
    Task<Result<MadeToken>> make(CallerRef caller, std::string user, NewToken token, Origin origin,
                                 std::optional<store::OwnClaim> key = {});

    // Why make() would refuse the token: for a request that is refused anyway, so that all its
    // faults are reported at once. Fails as make() does if there is no such user.
    Task<Result<Faults>> faults_of(CallerRef caller, std::string user, NewToken token) const;

    // May only log in and refresh: public by design.
    Task<Result<MadeToken>> make_client(std::string actor, std::string name, Origin origin);

    // A token or a login of this user, or of the caller. Fails with not_found, and with
    // validation_failed for limits above those of the user or of the caller's token, and for a
    // login's.
    Task<Result<store::Token>> find(std::string user, std::string id) const;
    Task<Result<store::Token>> change(CallerRef caller, std::string id, ChangedToken change,
                                      Origin origin);
    // Why change() would refuse the limits, as faults_of() says.
    Task<Result<Faults>> faults_of_change(CallerRef caller, std::string id,
                                          LimitsChange limits) const;

    // A token or a login of this user, or a client token if `user` is empty. Fails with not_found.
    Task<Result<>> revoke(std::string user, std::string id, std::string actor, Origin origin);

private:
    Task<Result<MadeToken>> keep(TokenKind kind, store::Token token, std::string actor,
                                 Origin origin, std::optional<store::OwnClaim> key = {});
    Faults check(const Caller& caller, const store::User& owner, const NewToken& token) const;
    Task<Result<Faults>> check_change(CallerRef caller, store::Token token,
                                      LimitsChange limits) const;
    void check_limits(const LimitsChange& asked, const store::User& owner, const OwnLimits& caller,
                      Faults& faults) const;

    store::Store& store_;
    TokenAuthenticator& authenticator_;
    const TrustedTime& time_;
    const OwnLimits server_;
};

}  // namespace parley::auth
