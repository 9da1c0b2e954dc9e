// The caller of a request, identified by its token.
#pragma once

#include "auth/scope.hpp"
#include "auth/token_text.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ready.hpp"
#include "base/task.hpp"
#include "domain/own_limits.hpp"
#include "store/audit.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::auth {

struct Caller {
    std::string user = {};      // usr_…; empty for a token without a user.
    std::string actor = {};     // Name in the audit log.
    std::string name_key = {};  // Normalised name of the user.
    std::string token_id = {};  // tok_…
    TokenHash token = {};
    std::string login = {};      // tok_… of the login that the token belongs to.
    std::string hook = {};       // hok_…, if this is a call to a hook; `user` is its owner.
    std::string signed_id = {};  // Its webhook-id, if the signature covers that.
    TokenKind kind = TokenKind::personal;
    Scopes scopes = {};
    std::optional<TimePoint> expires_at = {};  // When the token does.
    OwnLimits user_limits = {};
    OwnLimits token_limits = {};  // In addition to those of the user.
    bool has_budget = false;      // The user has one, and the token is not for test mode.
    bool counted = true;          // The command line on the server's own machine has no limits.
};
using CallerRef = std::shared_ptr<const Caller>;

// Identifies callers by their tokens. Called for every request under /v1.
//
// Threads: from any event loop.
class Authenticator {
public:
    virtual ~Authenticator() = default;

    // At once if the token is cached and still valid. Fails with invalid_token, the same error for
    // every fault of the token, which must be valid text only during the call.
    virtual Ready<Result<CallerRef>> identify(std::string_view token) = 0;

    // The same for a caller that was identified before, without hashing its token again.
    virtual Ready<Result<CallerRef>> identify_again(const CallerRef& caller) = 0;

    // Whether a token that was valid has been revoked, its login has ended, or its user was
    // disabled or removed. Expiry does not count. At once if the token is cached and still valid.
    virtual Ready<bool> is_revoked(const TokenHash& token) = 0;
};

Error invalid_token();

// For the audit event of a change that this caller makes; nothing for a request without a caller.
inline store::CallersToken callers_token(const CallerRef& caller)
{
    if (!caller) return {};
    return {.id = caller->token_id, .acts_as_operator = caller->scopes.has(Scope::admin)};
}

}  // namespace parley::auth
