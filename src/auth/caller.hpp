// The caller of a request, as the token says.
#pragma once

#include "auth/scope.hpp"
#include "auth/token_text.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "domain/own_limits.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace parley::auth {

struct Caller {
    std::string user = {};      // usr_…; empty for a token that belongs to nobody.
    std::string actor = {};     // As the audit log names them.
    std::string name_key = {};  // Of the user: by which names are compared.
    std::string token_id = {};  // tok_…
    TokenHash token = {};
    std::string login = {};  // tok_… of the login that the token belongs to.
    TokenKind kind = TokenKind::personal;
    Scopes scopes = {};
    std::optional<TimePoint> expires_at = {};  // When the token does.
    OwnLimits user_limits = {};
    OwnLimits token_limits = {};  // Count inside those of the user.
    bool counted = true;          // The command line on the server's own machine has no limits.
};
using CallerRef = std::shared_ptr<const Caller>;

// Tells callers by their tokens. Every request under /v1 passes here.
//
// Threads: from any event loop.
class Authenticator {
public:
    virtual ~Authenticator() = default;

    // Without waiting, where the token was seen before and nothing has changed since; else null.
    virtual CallerRef recall(std::string_view token) = 0;

    // Fails with invalid_token, the same error for whatever is wrong with it.
    virtual Task<Result<CallerRef>> identify(std::string token) = 0;

    // Whether a token that was good has been taken away since: it was revoked, its login has ended,
    // or its user was disabled or removed. That it has expired is not that.
    virtual Task<bool> is_revoked(TokenHash token) = 0;
};

Error invalid_token();

}  // namespace parley::auth
