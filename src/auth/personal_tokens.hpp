// The rules about the tokens that people make for their programs, and about client tokens. A token
// hands out only scopes that it has itself, and no more than its user's role may do.
//
// Threads: from any event loop.
#pragma once

#include "auth/audit.hpp"
#include "auth/token_gate.hpp"
#include "store/store.hpp"

#include <optional>

namespace parley::auth {

struct NewToken {
    std::string name;
    Scopes scopes{Scope::chat_read, Scope::chat_write};
    std::optional<TimePoint> expires_at = {};
    bool test = false;
};

struct MadeToken {
    store::Token token;
    Secret text;  // Shown this once.
};

class PersonalTokens {
public:
    // All of them must outlive it.
    PersonalTokens(store::Store& store, TokenGate& gate, const Clock& clock)
        : store_(store), gate_(gate), clock_(clock)
    {
    }

    // For the caller, or by an operator for somebody else. Fails with insufficient_scope,
    // validation_failed (a time that has passed), or not_found where there is no such user.
    Task<Result<MadeToken>> make(CallerRef caller, std::string user, NewToken token, Origin origin);

    // May only log in and refresh: public by design.
    Task<Result<MadeToken>> make_client(std::string actor, std::string name, Origin origin);

    // A token or a login of this user, or a client token where `user` is empty. Fails with
    // not_found.
    Task<Result<>> revoke(std::string user, std::string id, std::string actor, Origin origin);

private:
    Task<Result<MadeToken>> keep(TokenKind kind, store::Token token, std::string actor,
                                 Origin origin);

    store::Store& store_;
    TokenGate& gate_;
    const Clock& clock_;
};

}  // namespace parley::auth
