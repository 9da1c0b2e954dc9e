#include "store/sql/accounts.hpp"

#include "fields/write.hpp"
#include "store/login_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/people.hpp"
#include "store/sql/user_changes.hpp"

#include <limits>

namespace parley::store::sql {
namespace {

Result<User> find(Connection& connection, const std::string& id)
{
    auto user = find_user(connection, id);
    if (!user) return not_found("The user");
    return std::move(*user);
}

Result<User> find_by_name(Connection& connection, const std::string& name_key)
{
    Query select = connection.query("SELECT " USER_COLUMNS " FROM users WHERE name_key = ?1");
    if (!select.bind(name_key).next()) return not_found("The user");
    return user_of(select);
}

// The user that a request with this key has made; nothing if the key is free.
Result<std::optional<User>> find_made(Connection& connection, const OwnClaim& key)
{
    const auto made = made_before(connection, key.owner, key.claim, Keyed::user);
    if (!made) return made.error();
    if (!*made) return std::optional<User>();
    auto user = find(connection, made->value());
    if (!user) return user.error();
    return std::optional(std::move(*user));
}

Result<AddedUser> add(Connection& connection, const User& user, const std::optional<OwnClaim>& key)
{
    if (key) {
        lock_key(connection, key->owner, key->claim);
        auto made = find_made(connection, *key);
        if (!made) return made.error();
        if (auto& known = *made; known) return AddedUser{std::move(*known), true};
    }
    if (auto inserted = insert_user(connection, user); !inserted) return inserted.error();
    if (key) bind_key(connection, key->owner, key->claim, Keyed::user, user.id);
    return AddedUser{user, false};
}

using UserPage = Page<User, Accounts::Position>;

Result<UserPage> page_before(Connection& connection, Accounts::Position before, std::size_t limit,
                             const std::string& part)
{
    Query select = connection.query("SELECT position AS page_position, " USER_COLUMNS
                                    " FROM users WHERE position < ?1"
                                    " ORDER BY position DESC LIMIT ?2");
    // A filter is applied to the rows here, so any number of them may be needed.
    const std::size_t rows = part.empty() ? limit + 1 : std::numeric_limits<std::int32_t>::max();
    select.bind(before, at_most(rows));
    return page_of<User>(
        select, limit, [](const Query& row) { return user_of(row); },
        [&part](const User& user) { return is_named(user, part); });
}

std::size_t remove(Connection& connection, const std::string& id)
{
    connection.lock(Lock::user, {id});
    forget_logs(connection, id);
    const std::size_t removed = connection.query("DELETE FROM users WHERE id = ?1").bind(id).run();
    connection.notify_replicas(Notice::rights, id);
    connection.notify_replicas(Notice::user, id);
    return removed;
}

}  // namespace

Result<> insert_user(Connection& connection, const User& user)
{
    Query insert = connection.query(
        "INSERT INTO users (id, username, name_key, display_name, role, disabled, created_ms,"
        " last_login_ms, password_hash, chat_limit, general_limit, invitation,"
        " invitation_expires_ms, automation_limit, retention_days, output_tokens_per_day)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
        " ON CONFLICT DO NOTHING");
    const auto code = code_of(user.invitation);
    insert.bind(user.id, user.username, user.name_key, user.display_name,
                fields::name_of(user.role), user.disabled, user.created_at, user.last_login_at,
                user.password_hash, user.limits.chat, user.limits.general, code,
                expiry_of(user.invitation), user.limits.automation, user.retention_days,
                user.output_tokens_per_day);
    if (insert.run() == 0) return name_is_taken();
    return {};
}

Task<Result<AddedUser>> SqlAccounts::add_user(User user, std::optional<AuditEvent> audit,
                                              std::optional<OwnClaim> key)
{
    return writes_.run<AddedUser>(audited(
        std::move(audit), [user = std::move(user), key = std::move(key)](Connection& connection) {
            return add(connection, user, key);
        }));
}

Task<Result<std::optional<User>>> SqlAccounts::find_made_user(OwnClaim key)
{
    return reads_.run<std::optional<User>>(
        [key = std::move(key)](Connection& connection) { return find_made(connection, key); });
}

Task<Result<>> SqlAccounts::add_first_operator(User user, std::optional<AuditEvent> audit)
{
    user.role = Role::operator_;
    return writes_.run<void>(
        audited(std::move(audit), [user = std::move(user)](Connection& connection) -> Result<> {
            connection.lock(Lock::operators, {});
            if (is_there_an_operator(connection)) return operator_is_there();
            return insert_user(connection, user);
        }));
}

Task<Result<User>> SqlAccounts::find_user(std::string id)
{
    return reads_.run<User>(
        [id = std::move(id)](Connection& connection) { return find(connection, id); });
}

Task<Result<User>> SqlAccounts::find_user_by_name(std::string name_key)
{
    return reads_.run<User>([name_key = std::move(name_key)](Connection& connection) {
        return find_by_name(connection, name_key);
    });
}

Task<Result<bool>> SqlAccounts::has_operator()
{
    return reads_.run<bool>(
        [](Connection& connection) -> Result<bool> { return is_there_an_operator(connection); });
}

Task<Result<UserPage>> SqlAccounts::list_users(std::optional<Position> before, std::size_t limit,
                                               std::string part)
{
    const Position end = before.value_or(std::numeric_limits<Position>::max());
    return reads_.run<UserPage>([end, limit, part = std::move(part)](Connection& connection) {
        return page_before(connection, end, limit, part);
    });
}

Task<Result<User>> SqlAccounts::change_user(std::string id, UserChange wanted,
                                            std::vector<AuditEvent> audit)
{
    auto occasion = audit.empty() ? std::nullopt : occasion_of(audit.front());
    return writes_.run<User>(
        audited(std::move(audit), [id = std::move(id), wanted = std::move(wanted),
                                   occasion = std::move(occasion)](Connection& connection) {
            return apply_change(connection, id, wanted, occasion);
        }));
}

Task<Result<>> SqlAccounts::replace_hash(std::string id, std::string old_hash, std::string new_hash)
{
    return writes_.run<void>([id = std::move(id), old_hash = std::move(old_hash),
                              new_hash = std::move(new_hash)](Connection& connection) -> Result<> {
        Query update = connection.query(
            "UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2");
        update.bind(id, old_hash, new_hash).run();
        return {};
    });
}

Task<Result<>> SqlAccounts::remove_user(std::string id, std::optional<AuditEvent> audit)
{
    return writes_.run<void>(
        audited(std::move(audit), [id = std::move(id)](Connection& connection) {
            connection.lock(Lock::operators, {});
            return but_for_the_last_operator(connection, [&] { return remove(connection, id); });
        }));
}

}  // namespace parley::store::sql
