#include "store/memory/tokens.hpp"

#include "store/login_rules.hpp"
#include "store/refusals.hpp"

#include <ranges>
#include <utility>

namespace parley::store {
namespace {

void remove_with_id(People& people, const std::string& id)
{
    people.remove_tokens([&](const KeptToken& each) { return each.token.id == id; });
}

bool add(People& people, Token token)
{
    round_down(token);
    const std::optional<TimePoint> end = token.expires_at;
    return people.add(KeptToken{.token = std::move(token), .ends_at = end});
}

// A login and its tokens, or none of them.
bool add(People& people, const Login& login, const Token& access, const Token& refresh)
{
    KeptToken row{
        .token = as_token(login), .is_login = true, .ends_at = end_of(login, access, refresh)};
    round_down(row.token);
    if (!people.add(std::move(row))) return false;
    if (add(people, access) && add(people, refresh)) return true;
    remove_with_id(people, login.id);
    return false;
}

void note_use(KeptToken& row, TimePoint at)
{
    row.token.last_used_at = std::max(row.token.last_used_at.value_or(at), at);
}

}  // namespace

Result<std::optional<Token>> MemoryTokens::made(const OwnClaim& key)
{
    const auto id = chats_.made_before(key.owner, key.claim, Keyed::token);
    if (!id) return id.error();
    if (!*id) return std::optional<Token>();
    const KeptToken* row = people_.find_token(**id);
    if (!row) return not_found("The token");
    return std::optional(row->token);
}

Task<Result<AddedToken>> MemoryTokens::add_token(Token token, std::optional<AuditEvent> audit,
                                                 std::optional<OwnClaim> key)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    if (key) {
        auto before = made(*key);
        if (!before) co_return before.error();
        if (*before) co_return AddedToken{std::move(**before), true};
    }
    if (!token.user.empty() && !people_.find_user(token.user)) co_return not_found("The user");
    token.login.clear();
    if (!add(people_, token)) co_return token_is_there();
    if (key) chats_.bind_key(key->owner, key->claim, Keyed::token, token.id);
    audit_.note(std::move(audit));
    co_return AddedToken{std::move(token), false};
}

Task<Result<std::optional<Token>>> MemoryTokens::find_made_token(OwnClaim key)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    co_return made(key);
}

Task<Result<TokenOwner>> MemoryTokens::find_token(TokenHash hash)
{
    const std::lock_guard lock(people_.mutex);
    const KeptToken* found = people_.find_token(hash);
    if (!found) co_return not_found("The token");
    TokenOwner owner{found->token, std::nullopt};
    if (const User* user = people_.find_user(found->token.user)) owner.user = *user;
    co_return owner;
}

Task<Result<>> MemoryTokens::begin_login(Login login, Token access, Token refresh,
                                         std::string checked_hash, std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    User* user = people_.find_user(login.user);
    if (!user || user->disabled) co_return not_found("The user");
    if (!checked_hash.empty() && checked_hash != user->password_hash)
        co_return password_was_changed();

    join(access, login);
    join(refresh, login);
    if (!add(people_, login, access, refresh)) co_return token_is_there();
    user->last_login_at = to_the_millisecond(login.created_at);
    audit_.note(std::move(audit));
    co_return Result<>();
}

Task<Result<Refreshed>> MemoryTokens::refresh_login(Refresh refresh)
{
    const std::lock_guard lock(people_.mutex);
    refresh.now = to_the_millisecond(refresh.now);
    KeptToken* used = people_.find_token(refresh.used);
    if (!used || used->token.kind != 'r' || has_expired(used->token.expires_at, refresh.now))
        co_return not_found("The refresh token");
    KeptToken* kept = people_.find_login(used->token.login);
    const User* user = people_.find_user(used->token.user);
    if (!kept || !user || user->disabled || has_expired(kept->token.expires_at, refresh.now))
        co_return not_found("The login");

    Login login = as_login(kept->token);
    if (used->first_used_at && !is_within_grace(*used->first_used_at, refresh)) {
        remove_with_id(people_, login.id);
        audit_.note(std::move(refresh.reuse));
        co_return refresh_token_was_used();
    }
    join(refresh.access, login);
    join(refresh.refresh, login);
    if (!add(people_, refresh.access)) co_return new_token_is_there();
    if (!add(people_, refresh.refresh)) {
        remove_with_id(people_, refresh.access.id);
        co_return new_token_is_there();
    }
    note_refresh(login, refresh);
    kept->token = as_token(login);
    const std::optional end = end_of(login, refresh.access, refresh.refresh);
    kept->ends_at = std::max(kept->ends_at, end);
    if (!used->first_used_at) used->first_used_at = refresh.now;
    co_return Refreshed{*user, std::move(login), std::move(refresh.access),
                        std::move(refresh.refresh)};
}

Task<Result<>> MemoryTokens::end_login(std::string login, std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    people_.remove_tokens(
        [&](const KeptToken& each) { return each.is_login && each.token.id == login; });
    audit_.note(std::move(audit));
    co_return Result<>();
}

Task<Result<Page<Token, Tokens::Position>>> MemoryTokens::list_tokens(
    std::string user, TimePoint now, std::optional<Position> before, std::size_t limit)
{
    const std::lock_guard lock(people_.mutex);
    now = to_the_millisecond(now);
    co_return page_of<Token>(
        people_.tokens(), before, limit,
        [&](const KeptToken& row) {
            return !user.empty() && row.token.user == user && row.token.login.empty() &&
                   !has_expired(row.ends_at, now);
        },
        [](const KeptToken& row) { return row.token; });
}

KeptToken* MemoryTokens::find_listed(const std::string& user, const std::string& id, TimePoint now)
{
    KeptToken* row = people_.find_token(id);
    const bool listed = row && !user.empty() && row->token.user == user &&
                        row->token.login.empty() &&
                        !has_expired(row->ends_at, to_the_millisecond(now));
    return listed ? row : nullptr;
}

Task<Result<Token>> MemoryTokens::find_listed_token(std::string user, std::string id, TimePoint now)
{
    const std::lock_guard lock(people_.mutex);
    const KeptToken* row = find_listed(user, id, now);
    if (!row) co_return not_found("The token");
    co_return row->token;
}

Task<Result<Token>> MemoryTokens::change_token(std::string user, std::string id, TokenChange change,
                                               TimePoint now, std::vector<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    KeptToken* row = find_listed(user, id, now);
    if (!row) co_return not_found("The token");
    if (change.name) row->token.name = std::move(*change.name);
    row->token.limits = change.limits.applied_to(row->token.limits);
    audit_.note(std::move(audit));
    co_return row->token;
}

Task<Result<std::vector<Token>>> MemoryTokens::list_client_tokens()
{
    const std::lock_guard lock(people_.mutex);
    std::vector<Token> tokens;
    for (const auto& [position, row] : std::views::reverse(people_.tokens()))
        if (row.token.kind == 'c') tokens.push_back(row.token);
    co_return tokens;
}

Task<Result<>> MemoryTokens::revoke(std::string user, std::string id,
                                    std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    const std::size_t removed = people_.remove_tokens([&](const KeptToken& each) {
        return each.token.id == id && each.token.user == user && each.token.login.empty();
    });
    if (removed == 0) co_return not_found("The token");
    audit_.note(std::move(audit));
    co_return Result<>();
}

Task<Result<>> MemoryTokens::note_uses(std::vector<Use> uses)
{
    const std::lock_guard lock(people_.mutex);
    for (const Use& use : uses) {
        KeptToken* used = people_.find_token(use.token);
        if (!used) continue;
        note_use(*used, to_the_millisecond(use.at));
        if (KeptToken* login = people_.find_login(used->token.login))
            note_use(*login, to_the_millisecond(use.at));
    }
    co_return Result<>();
}

Task<Result<std::size_t>> MemoryTokens::sweep(TimePoint now, std::size_t most)
{
    const std::lock_guard lock(people_.mutex);
    now = to_the_millisecond(now);
    // A login last: only then have its tokens, each of which counts, gone before it.
    std::size_t swept = people_.remove_tokens(
        [&](const KeptToken& each) { return !each.is_login && has_expired(each.ends_at, now); },
        most);
    swept += people_.remove_tokens(
        [&](const KeptToken& each) { return each.is_login && has_expired(each.ends_at, now); },
        most - swept);
    co_return swept;
}

}  // namespace parley::store
