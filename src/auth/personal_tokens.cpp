#include "auth/personal_tokens.hpp"

#include "auth/refusal.hpp"
#include "auth/roles.hpp"
#include "base/id.hpp"

namespace parley::auth {
namespace {

// The first scope that is asked for and cannot be given.
std::optional<Scope> missing_scope(Scopes asked, Scopes had)
{
    for (const auto& [scope, name] : all_scopes)
        if (asked.has(scope) && !had.has(scope)) return scope;
    return std::nullopt;
}

Error cannot_hand_out(Scope scope)
{
    const std::string name(name_of(scope));
    return {.code = Errc::insufficient_scope,
            .message = "A token cannot be given the scope " + name +
                       ", which its maker's token or its user's role does not have.",
            .extra = {{"required_scope", name}}};
}

}  // namespace

Task<Result<MadeToken>> PersonalTokens::make(CallerRef caller, std::string user, NewToken token,
                                             Origin origin)
{
    const auto owner = co_await store_.accounts().find_user(std::move(user));
    if (!owner) co_return owner.error();
    if (const auto missing = missing_scope(token.scopes, caller->scopes & scopes_of(owner->role)))
        co_return cannot_hand_out(*missing);
    if (token.expires_at && *token.expires_at <= clock_.now())
        co_return refused({"in_the_past", "must be a time to come"}, "#/expires_at");
    co_return co_await keep(token.test ? TokenKind::test : TokenKind::personal,
                            {.user = owner->id,
                             .name = std::move(token.name),
                             .scopes = token.scopes.bits(),
                             .expires_at = token.expires_at},
                            caller->actor, std::move(origin));
}

Task<Result<MadeToken>> PersonalTokens::make_client(std::string actor, std::string name,
                                                    Origin origin)
{
    return keep(TokenKind::client,
                {.name = std::move(name), .scopes = Scopes{Scope::auth_login}.bits()},
                std::move(actor), std::move(origin));
}

Task<Result<MadeToken>> PersonalTokens::keep(TokenKind kind, store::Token token, std::string actor,
                                             Origin origin)
{
    const TimePoint now = std::chrono::floor<std::chrono::milliseconds>(clock_.now());
    Secret text = new_token(kind);
    token.id = new_id("tok", now);
    token.hash = hash_token(text.reveal());
    token.kind = static_cast<char>(kind);
    token.hint = token_hint(text.reveal());
    token.created_at = now;
    token.created_by = actor;
    auto kept = co_await store_.tokens().add_token(
        token, audit_event(clock_, std::move(actor), "token.created", token.id, origin));
    if (!kept) co_return kept.error();
    co_return MadeToken{std::move(token), std::move(text)};
}

Task<Result<>> PersonalTokens::revoke(std::string user, std::string id, std::string actor,
                                      Origin origin)
{
    auto event = audit_event(clock_, std::move(actor), "token.revoked", id, origin);
    auto revoked = co_await store_.tokens().revoke(user, std::move(id), std::move(event));
    gate_.forget_all(user);
    co_return revoked;
}

}  // namespace parley::auth
