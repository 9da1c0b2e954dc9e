#include "store/sqlite/idempotency.hpp"

#include "base/field_write.hpp"
#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <algorithm>

namespace parley::store::sqlite {
namespace {

Keyed kind_of(std::string_view name)
{
    for (const auto& each : names_of(Keyed{}))
        if (each.name == name) return each.value;
    return Keyed::run;
}

}  // namespace

std::optional<BoundKey> find_key(Database& database, const Owner& owner, const KeyClaim& claim)
{
    Query select = database.query(
        "SELECT fingerprint, kind, object FROM idempotency_keys"
        " WHERE user = ?1 AND test = ?2 AND key = ?3 AND expires_ms > ?4 AND NOT EXISTS"
        " (SELECT 1 FROM runs WHERE kind = 'run' AND runs.id = object AND runs.frees_key = 1)");
    if (!select.bind(owner.user, owner.test, claim.key, to_ms(claim.now)).next())
        return std::nullopt;
    BoundKey bound{.kind = kind_of(select.bytes(1)), .id = select.text(2)};
    const std::string_view bytes = select.bytes(0);
    std::copy_n(bytes.begin(), std::min(bytes.size(), bound.fingerprint.size()),
                bound.fingerprint.begin());
    return bound;
}

Result<std::optional<std::string>> made_before(Database& database, const Owner& owner,
                                               const KeyClaim& claim, Keyed kind)
{
    return store::made_before(find_key(database, owner, claim), claim, kind);
}

std::optional<std::string> find_freed_run(Database& database, const Owner& owner,
                                          const KeyClaim& claim)
{
    Query select = database.query(
        "SELECT runs.id FROM idempotency_keys AS keys CROSS JOIN runs ON runs.id = keys.object"
        " WHERE keys.user = ?1 AND keys.test = ?2 AND keys.key = ?3 AND keys.expires_ms > ?4"
        " AND keys.kind = 'run' AND keys.fingerprint = ?5 AND runs.frees_key = 1");
    select.bind(owner.user, owner.test, claim.key, to_ms(claim.now), blob_of(claim.fingerprint));
    if (!select.next()) return std::nullopt;
    return select.text(0);
}

void bind_key(Database& database, const Owner& owner, const KeyClaim& claim, Keyed kind,
              const std::string& id)
{
    Query insert = database.query(
        "INSERT OR REPLACE INTO idempotency_keys"
        " (user, test, key, fingerprint, kind, object, expires_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    insert.bind(owner.user, owner.test, claim.key, blob_of(claim.fingerprint), wire::name_of(kind),
                id, to_ms(claim.expires_at));
    insert.run();
}

std::size_t forget_keys(Database& database, TimePoint now, std::size_t most)
{
    Query remove = database.query(
        "DELETE FROM idempotency_keys WHERE (user, test, key) IN"
        " (SELECT user, test, key FROM idempotency_keys WHERE expires_ms <= ?1 LIMIT ?2)");
    remove.bind(to_ms(now), at_most(most)).run();
    return rows_changed(database);
}

}  // namespace parley::store::sqlite
