#include "store/sqlite/schema.hpp"

#include "base/log.hpp"

#include <array>
#include <string>

namespace parley::store::sqlite {
namespace {

constexpr std::array steps = std::to_array<const char*>({
    // 1: the audit log and the server's own keys.
    R"sql(
        PRAGMA application_id = 0x5061726c;

        CREATE TABLE audit (
            position   INTEGER PRIMARY KEY AUTOINCREMENT,
            id         TEXT NOT NULL UNIQUE,
            at_ms      INTEGER NOT NULL,
            actor      TEXT NOT NULL,
            action     TEXT NOT NULL,
            target     TEXT NOT NULL,
            address    TEXT NOT NULL,
            request_id TEXT NOT NULL
        ) STRICT;

        CREATE TABLE keys (
            purpose TEXT PRIMARY KEY,
            bytes   BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
    )sql",
});

}  // namespace

std::span<const char* const> migrations() { return steps; }

void migrate(Database& database)
{
    for (auto version = database.integer("PRAGMA user_version"); version < newest_version();) {
        const char* step = steps.at(static_cast<std::size_t>(version++));
        database.execute("BEGIN IMMEDIATE");
        database.execute(step);
        database.execute(("PRAGMA user_version = " + std::to_string(version)).c_str());
        database.execute("COMMIT");
        log::info("the store was brought to a newer version", log::kv("version", version));
    }
}

}  // namespace parley::store::sqlite
