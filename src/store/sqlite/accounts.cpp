#include "store/sqlite/accounts.hpp"

#include "base/field_write.hpp"
#include "store/login_rules.hpp"
#include "store/refusals.hpp"
#include "store/sqlite/audit.hpp"
#include "store/sqlite/idempotency.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <limits>

namespace parley::store::sqlite {
namespace {

bool is_there_an_operator(Database& database)
{
    Query select = database.query(
        "SELECT 1 FROM users WHERE role = 'operator' AND disabled = 0"
        " AND password_hash <> '' LIMIT 1");
    return select.next();
}

std::optional<Blob> code_of(const std::optional<Invitation>& invitation)
{
    if (!invitation) return std::nullopt;
    return blob_of(invitation->code);
}

std::optional<std::int64_t> end_of(const std::optional<Invitation>& invitation)
{
    if (!invitation) return std::nullopt;
    return to_ms(invitation->expires_at);
}

Result<> insert(Database& database, const User& user)
{
    Query insert = database.query(
        "INSERT INTO users (id, username, name_key, display_name, role, disabled, created_ms,"
        " last_login_ms, password_hash, chat_limit, general_limit, invitation,"
        " invitation_expires_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
    insert.bind(user.id, user.username, user.name_key, user.display_name, wire::name_of(user.role),
                user.disabled, to_ms(user.created_at), to_ms(user.last_login_at),
                user.password_hash, to_column(user.limits.chat), to_column(user.limits.general),
                code_of(user.invitation), end_of(user.invitation));
    if (!insert.run()) return name_is_taken();
    return {};
}

Result<User> find(Database& database, const std::string& id)
{
    auto user = find_user(database, id);
    if (!user) return not_found("The user");
    return std::move(*user);
}

Result<User> find_by_name(Database& database, const std::string& name_key)
{
    Query select = database.query("SELECT " USER_COLUMNS " FROM users WHERE name_key = ?1");
    if (!select.bind(name_key).next()) return not_found("The user");
    return user_of(select);
}

// The user that a request with this key has made; nothing if the key is free.
Result<std::optional<User>> find_made(Database& database, const OwnClaim& key)
{
    const auto made = made_before(database, key.owner, key.claim, Keyed::user);
    if (!made) return made.error();
    if (!*made) return std::optional<User>();
    auto user = find(database, **made);
    if (!user) return user.error();
    return std::optional(std::move(*user));
}

Result<AddedUser> add(Database& database, const User& user, const std::optional<OwnClaim>& key)
{
    if (key) {
        auto made = find_made(database, *key);
        if (!made) return made.error();
        if (*made) return AddedUser{std::move(**made), true};
    }
    if (auto inserted = insert(database, user); !inserted) return inserted.error();
    if (key) bind_key(database, key->owner, key->claim, Keyed::user, user.id);
    return AddedUser{user, false};
}

Result<User> find_invited(Database& database, const CodeHash& code, TimePoint now)
{
    Query select = database.query("SELECT " USER_COLUMNS
                                  " FROM users WHERE invitation = ?1"
                                  " AND invitation_expires_ms > ?2 AND disabled = 0");
    if (!select.bind(blob_of(code), to_ms(now)).next()) return not_found("The invitation");
    return user_of(select);
}

using UserPage = Page<User, Accounts::Position>;

Result<UserPage> page_before(Database& database, Accounts::Position before, std::size_t limit,
                             const std::string& part)
{
    Query select = database.query("SELECT " USER_COLUMNS
                                  " FROM users WHERE position < ?1 ORDER BY position DESC");
    select.bind(before);
    return page_of<User>(
        select, limit, [](const Query& row) { return user_of(row); },
        [&part](const User& user) { return is_named(user, part); });
}

// Does `work`, which gives how many users it touched. Where that leaves no operator it fails, and
// with that it is undone.
template <class Work>
Result<> but_for_the_last_operator(Database& database, Work work)
{
    const bool had_operator = is_there_an_operator(database);
    if (work() == 0) return not_found("The user");
    if (had_operator && !is_there_an_operator(database)) return last_operator();
    return {};
}

std::size_t update(Database& database, const std::string& id, const UserChange& change)
{
    auto user = find_user(database, id);
    if (!user) return 0;
    apply(*user, change);
    Query update = database.query(
        "UPDATE users SET display_name = ?2, role = ?3, disabled = ?4, password_hash = ?5,"
        " chat_limit = ?6, general_limit = ?7, invitation = ?8, invitation_expires_ms = ?9"
        " WHERE id = ?1");
    update
        .bind(id, user->display_name, wire::name_of(user->role), user->disabled,
              user->password_hash, to_column(user->limits.chat), to_column(user->limits.general),
              code_of(user->invitation), end_of(user->invitation))
        .run();
    return rows_changed(database);
}

void end_logins_but(Database& database, const std::string& user, const std::string& login_to_keep)
{
    Query remove = database.query(
        "DELETE FROM tokens WHERE user = ?1 AND login IS NULL AND kind = 'login' AND id <> ?2");
    remove.bind(user, login_to_keep).run();
}

void end_tokens(Database& database, const std::string& user)
{
    Query remove = database.query(
        "DELETE FROM tokens WHERE user = ?1 AND login IS NULL AND kind IN ('p', 't')");
    remove.bind(user).run();
}

Result<User> change(Database& database, const std::string& id, const UserChange& wanted)
{
    if (wanted.expected_hash) {
        const auto user = find_user(database, id);
        if (user && user->password_hash != *wanted.expected_hash) return password_was_changed();
    }
    const auto changed =
        but_for_the_last_operator(database, [&] { return update(database, id, wanted); });
    if (!changed) return changed.error();
    if (ends_logins(wanted)) end_logins_but(database, id, wanted.login_to_keep);
    if (wanted.ends_tokens) end_tokens(database, id);
    return find(database, id);
}

std::size_t remove(Database& database, const std::string& id)
{
    database.query("DELETE FROM users WHERE id = ?1").bind(id).run();
    return rows_changed(database);
}

}  // namespace

Task<Result<AddedUser>> SqliteAccounts::add_user(User user, std::optional<AuditEvent> audit,
                                                 std::optional<OwnClaim> key)
{
    return writer_.write<AddedUser>(audited(
        std::move(audit), [user = std::move(user), key = std::move(key)](Database& database) {
            return add(database, user, key);
        }));
}

Task<Result<std::optional<User>>> SqliteAccounts::find_made_user(OwnClaim key)
{
    return readers_.read<std::optional<User>>(
        [key = std::move(key)](Database& database) { return find_made(database, key); });
}

Task<Result<>> SqliteAccounts::add_first_operator(User user, std::optional<AuditEvent> audit)
{
    user.role = Role::operator_;
    return writer_.write<void>(
        audited(std::move(audit), [user = std::move(user)](Database& database) -> Result<> {
            if (is_there_an_operator(database)) return operator_is_there();
            return insert(database, user);
        }));
}

Task<Result<User>> SqliteAccounts::find_user(std::string id)
{
    return readers_.read<User>(
        [id = std::move(id)](Database& database) { return find(database, id); });
}

Task<Result<User>> SqliteAccounts::find_user_by_name(std::string name_key)
{
    return readers_.read<User>([name_key = std::move(name_key)](Database& database) {
        return find_by_name(database, name_key);
    });
}

Task<Result<User>> SqliteAccounts::find_invited_user(CodeHash code, TimePoint now)
{
    return readers_.read<User>(
        [code, now](Database& database) { return find_invited(database, code, now); });
}

Task<Result<bool>> SqliteAccounts::has_operator()
{
    return readers_.read<bool>(
        [](Database& database) -> Result<bool> { return is_there_an_operator(database); });
}

Task<Result<UserPage>> SqliteAccounts::list_users(std::optional<Position> before, std::size_t limit,
                                                  std::string part)
{
    const Position end = before.value_or(std::numeric_limits<Position>::max());
    return readers_.read<UserPage>([end, limit, part = std::move(part)](Database& database) {
        return page_before(database, end, limit, part);
    });
}

Task<Result<User>> SqliteAccounts::change_user(std::string id, UserChange wanted,
                                               std::vector<AuditEvent> audit)
{
    return writer_.write<User>(audited(
        std::move(audit), [id = std::move(id), wanted = std::move(wanted)](Database& database) {
            return change(database, id, wanted);
        }));
}

Task<Result<User>> SqliteAccounts::accept_invitation(CodeHash code, TimePoint now,
                                                     std::string password_hash,
                                                     std::optional<AuditEvent> audit)
{
    return writer_.write<User>(audited(
        std::move(audit),
        [code, now, password_hash = std::move(password_hash)](Database& database) -> Result<User> {
            const auto user = find_invited(database, code, now);
            if (!user) return user.error();
            return change(database, user->id, {.password_hash = password_hash});
        }));
}

Task<Result<>> SqliteAccounts::replace_hash(std::string id, std::string old_hash,
                                            std::string new_hash)
{
    return writer_.write<void>([id = std::move(id), old_hash = std::move(old_hash),
                                new_hash = std::move(new_hash)](Database& database) -> Result<> {
        Query update = database.query(
            "UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2");
        update.bind(id, old_hash, new_hash).run();
        return {};
    });
}

Task<Result<>> SqliteAccounts::remove_user(std::string id, std::optional<AuditEvent> audit)
{
    return writer_.write<void>(audited(std::move(audit), [id = std::move(id)](Database& database) {
        return but_for_the_last_operator(database, [&] { return remove(database, id); });
    }));
}

}  // namespace parley::store::sqlite
