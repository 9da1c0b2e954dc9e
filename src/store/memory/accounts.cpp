#include "store/memory/accounts.hpp"

#include "store/login_rules.hpp"
#include "store/refusals.hpp"

#include <utility>

namespace parley::store {
namespace {

bool is_active_operator(const User& user) { return user.role == Role::operator_ && !user.disabled; }

Result<> add(People& people, User user)
{
    user.created_at = to_the_millisecond(user.created_at);
    if (user.last_login_at) user.last_login_at = to_the_millisecond(*user.last_login_at);
    if (!people.add(std::move(user))) return name_is_taken();
    return {};
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

Task<Result<>> MemoryAccounts::add_user(User user, std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    auto added = add(people_, std::move(user));
    if (added) audit_.note(std::move(audit));
    co_return added;
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

Task<Result<bool>> MemoryAccounts::has_operator()
{
    const std::lock_guard lock(people_.mutex);
    co_return people_.has_operator();
}

Task<Result<Page<User, Accounts::Position>>> MemoryAccounts::list_users(
    std::optional<Position> before, std::size_t limit)
{
    const std::lock_guard lock(people_.mutex);
    co_return page_of<User>(
        people_.users(), before, limit, [](const User&) { return true; },
        [](const User& user) { return user; });
}

Task<Result<User>> MemoryAccounts::change_user(std::string id, UserChange change,
                                               std::optional<AuditEvent> audit)
{
    const std::lock_guard lock(people_.mutex);
    User* user = people_.find_user(id);
    if (!user) co_return not_found("The user");

    User changed = *user;
    if (change.display_name) changed.display_name = std::move(*change.display_name);
    changed.role = change.role.value_or(changed.role);
    changed.disabled = change.disabled.value_or(changed.disabled);
    if (change.password_hash) changed.password_hash = std::move(*change.password_hash);
    if (is_last_operator(people_, *user) && !is_active_operator(changed)) co_return last_operator();

    *user = changed;
    if (change.password_hash)
        people_.remove_tokens([&](const KeptToken& each) {
            return each.is_login && each.token.user == id && each.token.id != change.login_to_keep;
        });
    audit_.note(std::move(audit));
    co_return changed;
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
