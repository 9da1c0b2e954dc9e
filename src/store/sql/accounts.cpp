#include "store/sql/accounts.hpp"

#include "fields/write.hpp"
#include "store/login_rules.hpp"
#include "store/refusals.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/end_tokens.hpp"
#include "store/sql/event_log.hpp"
#include "store/sql/idempotency.hpp"
#include "store/sql/people.hpp"

#include <limits>

namespace parley::store::sql {
namespace {

bool is_there_an_operator(Connection& connection)
{
    Query select = connection.query(
        "SELECT 1 FROM users WHERE role = 'operator' AND disabled = 0"
        " AND password_hash <> '' LIMIT 1");
    return select.next();
}

std::optional<CodeHash> code_of(const std::optional<Invitation>& invitation)
{
    if (!invitation) return std::nullopt;
    return invitation->code;
}

std::optional<TimePoint> end_of(const std::optional<Invitation>& invitation)
{
    if (!invitation) return std::nullopt;
    return invitation->expires_at;
}

Result<> insert(Connection& connection, const User& user)
{
    Query insert = connection.query(
        "INSERT INTO users (id, username, name_key, display_name, role, disabled, created_ms,"
        " last_login_ms, password_hash, chat_limit, general_limit, invitation,"
        " invitation_expires_ms, automation_limit)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        " ON CONFLICT DO NOTHING");
    const auto code = code_of(user.invitation);
    insert.bind(user.id, user.username, user.name_key, user.display_name,
                fields::name_of(user.role), user.disabled, user.created_at, user.last_login_at,
                user.password_hash, user.limits.chat, user.limits.general, code,
                end_of(user.invitation), user.limits.automation);
    if (insert.run() == 0) return name_is_taken();
    return {};
}

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
    if (auto inserted = insert(connection, user); !inserted) return inserted.error();
    if (key) bind_key(connection, key->owner, key->claim, Keyed::user, user.id);
    return AddedUser{user, false};
}

Result<User> find_invited(Connection& connection, const CodeHash& code, TimePoint now)
{
    Query select = connection.query("SELECT " USER_COLUMNS
                                    " FROM users WHERE invitation = ?1"
                                    " AND invitation_expires_ms > ?2 AND disabled = 0");
    if (!select.bind(code, now).next()) return not_found("The invitation");
    return user_of(select);
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

// Does `work`, which gives how many users it touched. Where that leaves no operator it fails, and
// with that it is undone.
template <class Work>
Result<> but_for_the_last_operator(Connection& connection, Work work)
{
    const bool had_operator = is_there_an_operator(connection);
    if (work() == 0) return not_found("The user");
    if (had_operator && !is_there_an_operator(connection)) return last_operator();
    return {};
}

std::size_t update(Connection& connection, const std::string& id, const UserChange& change)
{
    auto user = find_user(connection, id);
    if (!user) return 0;
    apply(*user, change);
    Query update = connection.query(
        "UPDATE users SET display_name = ?2, role = ?3, disabled = ?4, password_hash = ?5,"
        " chat_limit = ?6, general_limit = ?7, invitation = ?8, invitation_expires_ms = ?9,"
        " automation_limit = ?10 WHERE id = ?1");
    const auto code = code_of(user->invitation);
    update.bind(id, user->display_name, fields::name_of(user->role), user->disabled,
                user->password_hash, user->limits.chat, user->limits.general, code,
                end_of(user->invitation), user->limits.automation);
    return update.run();
}

Result<User> change(Connection& connection, const std::string& id, const UserChange& wanted,
                    const std::optional<Occasion>& occasion)
{
    connection.lock(Lock::operators, {});
    connection.lock(Lock::user, {id});
    if (wanted.expected_hash) {
        const auto user = find_user(connection, id);
        if (user && user->password_hash != *wanted.expected_hash) return password_was_changed();
    }
    const auto changed =
        but_for_the_last_operator(connection, [&] { return update(connection, id, wanted); });
    if (!changed) return changed.error();
    end_tokens(connection, id, wanted, occasion);
    return find(connection, id);
}

std::size_t remove(Connection& connection, const std::string& id)
{
    connection.lock(Lock::user, {id});
    forget_logs(connection, id);
    return connection.query("DELETE FROM users WHERE id = ?1").bind(id).run();
}

}  // namespace

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
            return insert(connection, user);
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

Task<Result<User>> SqlAccounts::find_invited_user(CodeHash code, TimePoint now)
{
    return reads_.run<User>(
        [code, now](Connection& connection) { return find_invited(connection, code, now); });
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
        audited(std::move(audit),
                [id = std::move(id), wanted = std::move(wanted), occasion = std::move(occasion)](
                    Connection& connection) { return change(connection, id, wanted, occasion); }));
}

Task<Result<User>> SqlAccounts::accept_invitation(CodeHash code, TimePoint now,
                                                  std::string password_hash,
                                                  std::optional<AuditEvent> audit)
{
    auto occasion = occasion_of(audit);
    return writes_.run<User>(
        audited(std::move(audit),
                [code, now, password_hash = std::move(password_hash),
                 occasion = std::move(occasion)](Connection& connection) -> Result<User> {
                    connection.lock(Lock::operators, {});
                    const auto user = find_invited(connection, code, now);
                    if (!user) return user.error();
                    return change(connection, user->id,
                                  {.password_hash = password_hash, .ends_tokens = true}, occasion);
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
