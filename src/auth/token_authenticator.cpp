#include "auth/token_authenticator.hpp"

#include "auth/roles.hpp"
#include "base/log.hpp"
#include "base/timer.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include <chrono>

namespace parley::auth {
namespace {

// Half a minute, after which a token of which nothing is known counts as revoked.
constexpr std::chrono::milliseconds between_tries{250};
constexpr int most_tries = 120;

CallerRef caller_of(const store::TokenOwner& owner, const TokenHash& hash)
{
    const auto& [token, user] = owner;
    const Scopes asked = Scopes::from_bits(token.scopes);
    auto caller = std::make_shared<Caller>();
    caller->kind = static_cast<TokenKind>(token.kind);
    caller->token_id = token.id;
    caller->token = hash;
    caller->login = token.login;
    caller->expires_at = token.expires_at;
    caller->token_limits = token.limits;
    if (user) {
        caller->user = user->id;
        caller->actor = user->id;
        caller->name_key = user->name_key;
        // Uses the user's current role, not the one at the token's creation; a login has all of its
        // scopes.
        const bool is_login = caller->kind == TokenKind::access;
        caller->scopes = is_login ? scopes_of(user->role) : asked & scopes_of(user->role);
        // Also for tokens that are older than this rule.
        if (caller->kind == TokenKind::test) caller->scopes = caller->scopes & test_scopes;
        caller->user_limits = user->limits;
        caller->has_budget =
            user->output_tokens_per_day.has_value() && caller->kind != TokenKind::test;
    } else {
        caller->actor = token.id;
        caller->scopes = asked & Scopes{Scope::auth_login};
    }
    return caller;
}

bool is_good(const store::TokenOwner& owner, TimePoint now)
{
    const auto& [token, user] = owner;
    const bool expired = token.expires_at && *token.expires_at <= now;
    const bool needs_user = token.kind != static_cast<char>(TokenKind::client);
    return !expired && (user ? !user->disabled : !needs_user);
}

}  // namespace

Error invalid_token()
{
    return {Errc::invalid_token, "The token is malformed, unknown, expired or revoked."};
}

Ready<Result<CallerRef>> TokenAuthenticator::identify(std::string_view token)
{
    if (command_line_token_.equals(token)) return command_line_;
    const auto kind = token_kind(token);
    if (!kind || *kind == TokenKind::refresh || *kind == TokenKind::hook) return invalid_token();
    return find(hash_token(token));
}

Ready<Result<CallerRef>> TokenAuthenticator::identify_again(const CallerRef& caller)
{
    if (caller == command_line_) return command_line_;
    return find(caller->token);
}

Ready<Result<CallerRef>> TokenAuthenticator::find(const TokenHash& hash)
{
    if (CallerRef known = find_cached(hash)) return known;
    return look_up(hash);
}

CallerRef TokenAuthenticator::find_cached(const TokenHash& hash)
{
    if (is_fresh_ && !is_fresh_()) return nullptr;
    return known_.find(hash, clock_.now());
}

Task<Result<CallerRef>> TokenAuthenticator::look_up(TokenHash hash)
{
    const auto epoch = known_.epoch();
    const TimePoint now = clock_.now();
    const auto owner = co_await tokens_.find_token(hash);
    if (!owner && owner.error().code != Errc::not_found) co_return owner.error();
    if (!owner || !is_good(*owner, now)) co_return invalid_token();
    auto caller = caller_of(*owner, hash);
    known_.remember(hash, caller, owner->token.expires_at, epoch);

    if (known_.note_use(hash, now))
        boost::asio::co_spawn(co_await boost::asio::this_coro::executor, note_use(caller->token_id),
                              boost::asio::detached);
    co_return caller;
}

Ready<bool> TokenAuthenticator::is_revoked(const TokenHash& token)
{
    if (find_cached(token)) return false;
    return look_up_revocation(token);
}

// A look-up that fails is repeated: nothing else asks again, and the stream of a revoked token
// would stay open.
Task<bool> TokenAuthenticator::look_up_revocation(TokenHash token)
{
    Timer timer(co_await boost::asio::this_coro::executor);
    for (int tries = 0; tries < most_tries; ++tries) {
        if (find_cached(token)) co_return false;
        const auto owner = co_await tokens_.find_token(token);
        if (owner) co_return !owner->user || owner->user->disabled;
        if (owner.error().code == Errc::not_found) co_return true;
        timer.expires_after(between_tries);
        co_await timer.async_wait(awaiting);
    }
    co_return true;
}

Task<void> TokenAuthenticator::note_use(std::string token)
{
    std::vector<store::Tokens::Use> uses;
    uses.push_back({token, clock_.now()});
    const auto noted = co_await tokens_.note_uses(std::move(uses));
    if (!noted && noted.error().code != Errc::not_found)
        log::debug("cannot record the last use of a token", log::kv("token", token));
}

}  // namespace parley::auth
