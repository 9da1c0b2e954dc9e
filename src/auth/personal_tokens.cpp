#include "auth/personal_tokens.hpp"

#include "auth/roles.hpp"
#include "base/id.hpp"
#include "base/rfc3339.hpp"

#include <fmt/format.h>

namespace parley::auth {
namespace {

// The first requested scope that the caller does not have.
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
            .message = "A token can only grant scopes that it has: this one lacks " + name + ".",
            .extra = {{"required_scope", name}}};
}

bool makes_test_token(const Caller& caller, const NewToken& token)
{
    return token.test.value_or(caller.kind == TokenKind::test);
}

void check_mode(const Caller& caller, const NewToken& token, Faults& faults)
{
    if (caller.kind == TokenKind::test && !makes_test_token(caller, token))
        faults.push_back(
            {"#/test", "not_allowed", "must be true: a test token can only create test tokens"});
    if (makes_test_token(caller, token) && !test_scopes.has_all_of(token.scopes))
        faults.push_back(
            {"#/scopes", "not_allowed", "must not contain admin: test tokens never have it"});
}

// Other callers must not create tokens that their user would not hear of.
void check_command(const Caller& caller, const NewToken& token, Faults& faults)
{
    if (token.is_temporary && !caller.user.empty())
        faults.push_back({"#/temporary", "not_allowed",
                          "must be false: only commands on the server's machine use such tokens"});
}

// Scopes that the caller has, but the role of this user does not allow.
void check_role(const Caller& caller, const NewToken& token, Role role, Faults& faults)
{
    if (const auto missing = missing_scope(token.scopes & caller.scopes, scopes_of(role)))
        faults.push_back({"#/scopes", "not_allowed",
                          fmt::format("must not contain {}: the user's role does not allow it",
                                      name_of(*missing))});
}

// Tokens expire at the latest with the token that created them. A login has no such limit.
std::optional<TimePoint> latest_end(const Caller& caller)
{
    const bool is_bound = caller.kind == TokenKind::personal || caller.kind == TokenKind::test;
    return is_bound ? caller.expires_at : std::nullopt;
}

void check_end(const NewToken& token, std::optional<TimePoint> latest, TimePoint now,
               Faults& faults)
{
    if (token.expires_at && *token.expires_at <= now)
        faults.push_back({"#/expires_at", "in_the_past", "must be in the future"});
    if (latest && (token.never_expires || token.expires_at.value_or(*latest) > *latest))
        faults.push_back({"#/expires_at", "too_late",
                          "must not be after " + rfc3339(*latest) +
                              ", when the token that creates this one expires"});
}

// A null in `asked` stands for the user's limit; `callers` is the limit of the caller's token.
void check_limit(const std::optional<LimitsChange::Number>& asked, std::uint32_t users,
                 std::optional<std::uint32_t> callers, const char* where, Faults& faults)
{
    if (!asked) return;
    const std::uint32_t number = asked->value_or(users);
    const bool is_bound = callers && *callers < users;
    const std::uint32_t most = is_bound ? *callers : users;
    if (number <= most) return;
    faults.push_back({where, "out_of_range",
                      fmt::format("must be at most {}, the limit of {}", most,
                                  is_bound ? "the token that creates or changes it" : "its user")});
}

}  // namespace

void PersonalTokens::check_limits(const LimitsChange& asked, const store::User& owner,
                                  const OwnLimits& caller, Faults& faults) const
{
    const auto check = [&](std::optional<std::uint32_t> OwnLimits::* of,
                           const std::optional<LimitsChange::Number>& wanted, const char* where) {
        check_limit(wanted, (owner.limits.*of).value_or((server_.*of).value()), caller.*of, where,
                    faults);
    };
    check(&OwnLimits::chat, asked.chat, "#/limits/chat");
    check(&OwnLimits::general, asked.general, "#/limits/general");
    check(&OwnLimits::automation, asked.automation, "#/limits/automation");
}

Faults PersonalTokens::check(const Caller& caller, const store::User& owner,
                             const NewToken& token) const
{
    Faults faults;
    check_mode(caller, token, faults);
    check_command(caller, token, faults);
    check_role(caller, token, owner.role, faults);
    check_end(token, latest_end(caller), time_.now(), faults);
    check_limits(token.limits, owner, caller.token_limits, faults);
    return faults;
}

Task<Result<Faults>> PersonalTokens::faults_of(CallerRef caller, std::string user,
                                               NewToken token) const
{
    const auto owner = co_await store_.accounts().find_user(std::move(user));
    if (!owner) co_return owner.error();
    co_return check(*caller, *owner, token);
}

Task<Result<MadeToken>> PersonalTokens::make(CallerRef caller, std::string user, NewToken token,
                                             Origin origin, std::optional<store::OwnClaim> key)
{
    if (key) {
        auto made = co_await store_.tokens().find_made_token(*key);
        if (!made) co_return made.error();
        if (*made) co_return MadeToken{std::move(**made), Secret(), true};
    }
    const auto owner = co_await store_.accounts().find_user(std::move(user));
    if (!owner) co_return owner.error();
    if (Faults faults = check(*caller, *owner, token); !faults.empty())
        co_return validation_failed(std::move(faults));
    if (const auto missing = missing_scope(token.scopes, caller->scopes))
        co_return cannot_hand_out(*missing);

    const bool test = makes_test_token(*caller, token);
    co_return co_await keep(
        test ? TokenKind::test : TokenKind::personal,
        {.user = owner->id,
         .name = std::move(token.name),
         .scopes = token.scopes.bits(),
         .expires_at = token.expires_at ? token.expires_at : latest_end(*caller),
         .limits = token.limits.applied_to(caller->token_limits),
         .is_temporary = token.is_temporary},
        caller->actor, std::move(origin), std::move(key));
}

Task<Result<MadeToken>> PersonalTokens::make_client(std::string actor, std::string name,
                                                    Origin origin)
{
    return keep(TokenKind::client,
                {.name = std::move(name), .scopes = Scopes{Scope::auth_login}.bits()},
                std::move(actor), std::move(origin));
}

Task<Result<MadeToken>> PersonalTokens::keep(TokenKind kind, store::Token token, std::string actor,
                                             Origin origin, std::optional<store::OwnClaim> key)
{
    const TimePoint now = std::chrono::floor<std::chrono::milliseconds>(time_.now());
    Secret text = new_token(kind);
    token.id = new_id("tok", now);
    token.hash = hash_token(text.reveal());
    token.kind = static_cast<char>(kind);
    token.hint = token_hint(text.reveal());
    token.created_at = now;
    token.created_by = actor;
    auto event = audit_event(time_.wall(), std::move(actor), "token.created", token.id, origin);
    auto kept =
        co_await store_.tokens().add_token(std::move(token), std::move(event), std::move(key));
    if (!kept) co_return kept.error();
    if (kept->replayed) co_return MadeToken{std::move(kept->token), Secret(), true};
    co_return MadeToken{std::move(kept->token), std::move(text)};
}

Task<Result<store::Token>> PersonalTokens::find(std::string user, std::string id) const
{
    return store_.tokens().find_listed_token(std::move(user), std::move(id), time_.now());
}

Task<Result<Faults>> PersonalTokens::check_change(CallerRef caller, store::Token token,
                                                  LimitsChange limits) const
{
    Faults faults;
    if (limits.empty()) co_return faults;
    if (token.kind == static_cast<char>(TokenKind::access)) {
        faults.push_back(
            {"#/limits", "not_allowed", "must be absent: a login has no limits of its own"});
        co_return faults;
    }
    const auto owner = co_await store_.accounts().find_user(caller->user);
    if (!owner) co_return owner.error();
    check_limits(limits, *owner, caller->token_limits, faults);
    co_return faults;
}

Task<Result<Faults>> PersonalTokens::faults_of_change(CallerRef caller, std::string id,
                                                      LimitsChange limits) const
{
    auto token = co_await find(caller->user, std::move(id));
    if (!token) co_return token.error();
    co_return co_await check_change(std::move(caller), std::move(*token), limits);
}

Task<Result<store::Token>> PersonalTokens::change(CallerRef caller, std::string id,
                                                  ChangedToken change, Origin origin)
{
    const std::string& user = caller->user;
    const auto token = co_await find(user, id);
    if (!token) co_return token.error();
    store::TokenChange stored;
    std::vector<store::AuditEvent> events;
    const auto note = [&](const char* action) {
        events.push_back(audit_event(time_.wall(), caller->actor, action, id, origin));
    };
    if (change.name && *change.name != token->name) {
        stored.name = std::move(change.name);
        note("token.renamed");
    }
    if (!change.limits.empty()) {
        auto faults = co_await check_change(caller, *token, change.limits);
        if (!faults) co_return faults.error();
        if (!faults->empty()) co_return validation_failed(std::move(*faults));
        stored.limits = change.limits;
        note("token.limits_changed");
    }
    if (events.empty()) co_return *token;
    auto changed = co_await store_.tokens().change_token(user, std::move(id), std::move(stored),
                                                         time_.now(), std::move(events));
    authenticator_.forget_all(user);
    co_return changed;
}

Task<Result<>> PersonalTokens::revoke(std::string user, std::string id, std::string actor,
                                      Origin origin)
{
    auto event = audit_event(time_.wall(), std::move(actor), "token.revoked", id, origin);
    auto revoked = co_await store_.tokens().revoke(user, std::move(id), std::move(event));
    authenticator_.forget_all(user);
    co_return revoked;
}

}  // namespace parley::auth
