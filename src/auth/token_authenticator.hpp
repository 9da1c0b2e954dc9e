// Identifies callers by the tokens in the store, and the command line by the token in the data
// directory.
//
// Threads: from any event loop.
#pragma once

#include "auth/caller.hpp"
#include "auth/caller_cache.hpp"
#include "base/clock.hpp"
#include "store/tokens.hpp"

#include <functional>
#include <string>

namespace parley::auth {

class TokenAuthenticator final : public Authenticator {
public:
    // Store and clock must outlive it. The clock decides about expiry: see base/trusted_time.hpp.
    TokenAuthenticator(store::Tokens& tokens, const Clock& clock) : tokens_(tokens), clock_(clock)
    {
    }

    Ready<Result<CallerRef>> identify(std::string_view token) override;
    Ready<Result<CallerRef>> identify_again(const CallerRef& caller) override;
    Ready<bool> is_revoked(const TokenHash& token) override;

    // After this call, everything that was revoked in the store before it is refused. `user`: the
    // user whose rights have changed; empty for a token without a user.
    void forget_all(const std::string& user)
    {
        known_.forget_all();
        if (rights_changed_) rights_changed_(user);
    }
    // Called after forget_all(), from any thread; to be set before the first request.
    void when_rights_change(std::function<void(const std::string& user)> callback)
    {
        rights_changed_ = std::move(callback);
    }

    // If several servers share the store: whether this one has heard of all revocations. Otherwise
    // no cached caller is believed. To be set before the first request; null: always.
    void trust_cache_while(std::function<bool()> is_fresh) { is_fresh_ = std::move(is_fresh); }

    // The token of the command line, new at each start, only in memory; its one copy is a file that
    // only the operator can read.
    const Secret& command_line_token() const { return command_line_token_; }

private:
    Ready<Result<CallerRef>> find(const TokenHash& hash);
    CallerRef find_cached(const TokenHash& hash);
    Task<Result<CallerRef>> look_up(TokenHash hash);
    Task<bool> look_up_revocation(TokenHash token);

    // Records the use of a token in the background; requests do not wait for it.
    Task<void> note_use(std::string token);

    store::Tokens& tokens_;
    const Clock& clock_;
    CallerCache known_;
    std::function<void(const std::string&)> rights_changed_;
    std::function<bool()> is_fresh_;
    Secret command_line_token_ = new_token(TokenKind::personal);
    CallerRef command_line_ = std::make_shared<Caller>(
        Caller{.actor = "command line",
               .token = hash_token(command_line_token_.reveal()),
               .scopes = {Scope::auth_login, Scope::chat_read, Scope::chat_write, Scope::account,
                          Scope::admin, Scope::automation_read, Scope::automation_write},
               .counted = false});
};

}  // namespace parley::auth
