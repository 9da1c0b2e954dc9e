#include "store/sql/identities.hpp"

#include "store/refusals.hpp"
#include "store/sql/accounts.hpp"
#include "store/sql/audit.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sql {
namespace {

Result<User> find_identified(Connection& connection, const Identity& identity)
{
    Query select = connection.query("SELECT " USER_COLUMNS
                                    " FROM identities JOIN users ON users.id = identities.user"
                                    " WHERE identities.issuer = ?1 AND identities.subject = ?2");
    if (!select.bind(identity.issuer, identity.subject).next())
        return not_found("A user of this identity");
    return user_of(select);
}

Result<> add_identified(Connection& connection, const User& user, const Identity& identity)
{
    if (auto inserted = insert_user(connection, user); !inserted) return inserted;
    Query insert = connection.query(
        "INSERT INTO identities (issuer, subject, \"user\", created_ms) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT DO NOTHING");
    insert.bind(identity.issuer, identity.subject, user.id, user.created_at);
    if (insert.run() == 0) return identity_is_taken();
    return {};
}

}  // namespace

Task<Result<User>> SqlIdentities::find_user(Identity identity)
{
    return reads_.run<User>([identity = std::move(identity)](Connection& connection) {
        return find_identified(connection, identity);
    });
}

Task<Result<>> SqlIdentities::add_user(User user, Identity identity,
                                       std::optional<AuditEvent> audit)
{
    return writes_.run<void>(
        audited(std::move(audit),
                [user = std::move(user), identity = std::move(identity)](Connection& connection) {
                    return add_identified(connection, user, identity);
                }));
}

Task<Result<>> SqlIdentities::use_attempt(CodeHash attempt, TimePoint expires_at, TimePoint now)
{
    return writes_.run<void>([attempt, expires_at, now](Connection& connection) -> Result<> {
        connection.query("DELETE FROM used_attempts WHERE expires_ms < ?1").bind(now).run();
        Query insert = connection.query(
            "INSERT INTO used_attempts (attempt, expires_ms) VALUES (?1, ?2)"
            " ON CONFLICT DO NOTHING");
        if (insert.bind(attempt, expires_at).run() == 0) return attempt_was_used();
        return {};
    });
}

}  // namespace parley::store::sql
