#include "store/sqlite/idempotency.hpp"

#include "store/sqlite/people.hpp"
#include "store/sqlite/time.hpp"

#include <algorithm>

namespace parley::store::sqlite {

std::optional<BoundKey> find_key(Database& database, const Owner& owner, const KeyClaim& claim)
{
    Query select = database.query(
        "SELECT fingerprint, run, session FROM idempotency_keys"
        " WHERE user = ?1 AND test = ?2 AND key = ?3 AND expires_ms > ?4");
    if (!select.bind(owner.user, owner.test, claim.key, to_ms(claim.now)).next())
        return std::nullopt;
    BoundKey bound{.run = select.text(1), .session = select.text(2)};
    const std::string_view bytes = select.bytes(0);
    std::copy_n(bytes.begin(), std::min(bytes.size(), bound.fingerprint.size()),
                bound.fingerprint.begin());
    return bound;
}

void bind_key(Database& database, const Owner& owner, const KeyClaim& claim, const BoundKey& bound)
{
    Query insert = database.query(
        "INSERT OR REPLACE INTO idempotency_keys"
        " (user, test, key, fingerprint, run, session, expires_ms)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    insert.bind(owner.user, owner.test, claim.key, blob_of(bound.fingerprint),
                null_if_empty(bound.run), null_if_empty(bound.session), to_ms(claim.expires_at));
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
