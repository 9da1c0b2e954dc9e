#include "store/memory/accounts.hpp"

#include "store/login_rules.hpp"
#include "store/refusals.hpp"

#include <utility>

namespace parley::store {
namespace {

// One who was invited and has no password yet cannot look after the server.
bool is_active_operator(const User& user)
{
    return user.role == Role::operator_ && !user.disabled && !user.password_hash.empty();
}

Result<> add(People& people, User user)
{
    user.created_at = to_the_millisecond(user.created_at);
    if (user.last_login_at) user.last_login_at = to_the_millisecond(*user.last_login_at);
    if (user.invitation)
        user.invitation->expires_at = to_the_millisecond(user.invitation->expires_at);
    if (!people.add(std::move(user))) return name_is_taken();
    return {};
}

const User* find_invited(const People& people, const CodeHash& code, TimePoint now)
{
    for (const auto& [position, user] : people.users())
        if (user.invitation && user.invitation->code == code && !user.disabled &&
            !has_expired(user.invitation->expires_at, to_the_millisecond(now)))
            return &user;
    return nullptr;
}

// Whether nobody else could look after the server.
bool is_last_operator(const People& people, const User& user)
{
    if (!is_active_operator(user)) return false;
    for (const auto& [position, other] : people.users())
        if (other.id != user.id && is_active_operator(other)) return false;
    return true;
}

}  // namespace

Result<std::optional<User>> MemoryAccounts::made(const OwnClaim& key)
{
    const auto id = chats_.made_before(key.owner, key.claim, Keyed::user);
    if (!id) return id.error();
    if (!*id) return std::optional<User>();
    const User* user = people_.find_user(**id);
    if (!user) return not_found("The user");
    return std::optional(*user);
}

Task<Result<AddedUser>> MemoryAccounts::add_user(User user, std::optional<AuditEvent> audit,
                                                 std::optional<OwnClaim> key)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    if (key) {
        auto before = made(*key);
        if (!before) co_return before.error();
        if (*before) co_return AddedUser{std::move(**before), true};
    }
    if (auto added = add(people_, user); !added) co_return added.error();
    if (key) chats_.bind_key(key->owner, key->claim, Keyed::user, user.id);
    audit_.note(std::move(audit));
    co_return AddedUser{std::move(user), false};
}

Task<Result<std::optional<User>>> MemoryAccounts::find_made_user(OwnClaim key)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    co_return made(key);
}

Task<Result<>> MemoryAccounts::add_first_operator(User user, std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    if (people_.has_operator()) co_return operator_is_there();
    user.role = Role::operator_;
    auto added = add(people_, std::move(user));
    if (added) audit_.note(std::move(audit));
    co_return added;
}

Task<Result<User>> MemoryAccounts::find_user(std::string id)
{
    const std::lock_guard lock(people_.mutex);
    const User* user = people_.find_user(id);
    if (!user) co_return not_found("The user");
    co_return *user;
}

Task<Result<User>> MemoryAccounts::find_user_by_name(std::string name_key)
{
    const std::lock_guard lock(people_.mutex);
    const User* user = people_.find_user_by_name(name_key);
    if (!user) co_return not_found("The user");
    co_return *user;
}

Task<Result<User>> MemoryAccounts::find_invited_user(CodeHash code, TimePoint now)
{
    const std::lock_guard lock(people_.mutex);
    const User* user = find_invited(people_, code, now);
    if (!user) co_return not_found("The invitation");
    co_return *user;
}

Task<Result<bool>> MemoryAccounts::has_operator()
{
    const std::lock_guard lock(people_.mutex);
    co_return people_.has_operator();
}

Task<Result<Page<User, Accounts::Position>>> MemoryAccounts::list_users(
    std::optional<Position> before, std::size_t limit, std::string part)
{
    const std::lock_guard lock(people_.mutex);
    co_return page_of<User>(
        people_.users(), before, limit, [&](const User& user) { return is_named(user, part); },
        [](const User& user) { return user; });
}

Task<Result<User>> MemoryAccounts::change_user(std::string id, UserChange wanted,
                                               std::vector<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    auto changed = change(id, wanted);
    if (changed) audit_.note(std::move(audit));
    co_return changed;
}

Task<Result<User>> MemoryAccounts::accept_invitation(CodeHash code, TimePoint now,
                                                     std::string password_hash,
                                                     std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    const User* user = find_invited(people_, code, now);
    if (!user) co_return not_found("The invitation");
    auto changed = change(user->id, {.password_hash = std::move(password_hash)});
    if (changed) audit_.note(std::move(audit));
    co_return changed;
}

Result<User> MemoryAccounts::change(const std::string& id, const UserChange& change)
{
    User* user = people_.find_user(id);
    if (!user) return not_found("The user");
    if (change.expected_hash && user->password_hash != *change.expected_hash)
        return password_was_changed();

    User changed = *user;
    apply(changed, change);
    if (is_last_operator(people_, *user) && !is_active_operator(changed)) return last_operator();

    *user = changed;
    people_.remove_tokens([&](const KeptToken& each) {
        if (each.token.user != id || !each.token.login.empty()) return false;
        return each.is_login ? ends_logins(change) && each.token.id != change.login_to_keep
                             : change.ends_tokens;
    });
    return changed;
}

Task<Result<>> MemoryAccounts::replace_hash(std::string id, std::string old_hash,
                                            std::string new_hash)
{
    const std::lock_guard lock(people_.mutex);
    User* user = people_.find_user(id);
    if (user && user->password_hash == old_hash) user->password_hash = std::move(new_hash);
    co_return Result<>();
}

Task<Result<>> MemoryAccounts::remove_user(std::string id, std::optional<AuditEvent> audit)
{
    const std::scoped_lock lock(people_.mutex, chats_.mutex);
    const User* user = people_.find_user(id);
    if (!user) co_return not_found("The user");
    if (is_last_operator(people_, *user)) co_return last_operator();
    people_.remove_user(id);
    chats_.remove_sessions_and_keys_of(id);
    audit_.note(std::move(audit));
    co_return Result<>();
}

}  // namespace parley::store
