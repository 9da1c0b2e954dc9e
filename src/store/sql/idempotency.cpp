#include "store/sql/idempotency.hpp"

#include "fields/write.hpp"
#include "store/sql/people.hpp"

namespace parley::store::sql {
namespace {

Keyed kind_of(std::string_view name)
{
    for (const auto& each : names_of(Keyed{}))
        if (each.name == name) return each.value;
    return Keyed::run;
}

struct KeyColumns {
    const Statement* in;
    Column<Fingerprint> fingerprint{*in, "fingerprint"};
    Column<std::string_view> kind{*in, "kind"};
    Column<std::string> object{*in, "object"};
};

}  // namespace

void lock_key(Connection& connection, const Owner& owner, const KeyClaim& claim)
{
    connection.lock(Lock::key, {owner.user, claim.key});
}

std::optional<BoundKey> find_key(Connection& connection, const Owner& owner, const KeyClaim& claim)
{
    // The plus prevents the use of the index by expiry, which has the keys of all users.
    Query select = connection.query(
        "SELECT fingerprint, kind, object FROM idempotency_keys"
        " WHERE idempotency_keys.user = ?1 AND test = ?2 AND key = ?3 AND +expires_ms > ?4"
        " AND NOT EXISTS (SELECT 1 FROM runs"
        " WHERE kind = 'run' AND runs.id = object AND runs.frees_key = 1)");
    if (!select.bind(owner.user, owner.test, claim.key, claim.now).next()) return std::nullopt;
    const auto& at = select.columns<KeyColumns>();
    return BoundKey{.fingerprint = select[at.fingerprint],
                    .kind = kind_of(select[at.kind]),
                    .id = select[at.object]};
}

Result<std::optional<std::string>> made_before(Connection& connection, const Owner& owner,
                                               const KeyClaim& claim, Keyed kind)
{
    return store::made_before(find_key(connection, owner, claim), claim, kind);
}

std::optional<std::string> find_freed_run(Connection& connection, const Owner& owner,
                                          const KeyClaim& claim)
{
    Query select = connection.query(
        "SELECT runs.id FROM idempotency_keys AS keys CROSS JOIN runs ON runs.id = keys.object"
        " WHERE keys.user = ?1 AND keys.test = ?2 AND keys.key = ?3 AND +keys.expires_ms > ?4"
        " AND keys.kind = 'run' AND keys.fingerprint = ?5 AND runs.frees_key = 1");
    select.bind(owner.user, owner.test, claim.key, claim.now, claim.fingerprint);
    if (!select.next()) return std::nullopt;
    return select.only<std::string>();
}

void bind_key(Connection& connection, const Owner& owner, const KeyClaim& claim, Keyed kind,
              const std::string& id)
{
    Query insert = connection.query(
        "INSERT INTO idempotency_keys (\"user\", test, key, fingerprint, kind, object, expires_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (\"user\", test, key) DO UPDATE SET"
        " fingerprint = excluded.fingerprint, kind = excluded.kind, object = excluded.object,"
        " expires_ms = excluded.expires_ms");
    insert.bind(owner.user, owner.test, claim.key, claim.fingerprint, fields::name_of(kind), id,
                claim.expires_at);
    insert.send();
}

std::size_t forget_keys(Connection& connection, TimePoint now, std::size_t most)
{
    // Twice: a key may be bound again while this waits for its row.
    Query remove = connection.query(
        "DELETE FROM idempotency_keys WHERE (\"user\", test, key) IN"
        " (SELECT \"user\", test, key FROM idempotency_keys WHERE expires_ms <= ?1 LIMIT ?2)"
        " AND expires_ms <= ?1");
    return remove.bind(now, at_most(most)).run();
}

}  // namespace parley::store::sql
