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
    // 2: users, their tokens and logins. A login is a row among the tokens, without a hash, to
    // which
    // its tokens point: so one index gives the list of both in order. `ends_ms` is when a row is of
    // no use any more: when it expires, and for a login, when the last of its tokens does.
    R"sql(
        CREATE TABLE users (
            position      INTEGER PRIMARY KEY AUTOINCREMENT,
            id            TEXT NOT NULL UNIQUE,
            username      TEXT NOT NULL,
            name_key      TEXT NOT NULL UNIQUE,
            display_name  TEXT NOT NULL,
            role          TEXT NOT NULL CHECK (role IN ('member', 'operator')),
            disabled      INTEGER NOT NULL CHECK (disabled IN (0, 1)),
            created_ms    INTEGER NOT NULL,
            last_login_ms INTEGER,
            password_hash TEXT NOT NULL
        ) STRICT;
        CREATE INDEX active_operators ON users (role) WHERE role = 'operator' AND disabled = 0;

        CREATE TABLE tokens (
            position      INTEGER PRIMARY KEY AUTOINCREMENT,
            id            TEXT NOT NULL UNIQUE,
            hash          BLOB UNIQUE,
            kind          TEXT NOT NULL,
            user          TEXT REFERENCES users (id) ON DELETE CASCADE,
            login         TEXT REFERENCES tokens (id) ON DELETE CASCADE,
            name          TEXT NOT NULL,
            scopes        INTEGER NOT NULL,
            hint          TEXT NOT NULL,
            created_by    TEXT NOT NULL,
            created_ms    INTEGER NOT NULL,
            last_used_ms  INTEGER,
            expires_ms    INTEGER,
            ends_ms       INTEGER,
            first_used_ms INTEGER,
            CHECK ((hash IS NULL) = (kind = 'login'))
        ) STRICT;
        CREATE INDEX tokens_of_user ON tokens (user, login);
        CREATE INDEX tokens_of_login ON tokens (login) WHERE login IS NOT NULL;
        CREATE INDEX tokens_by_end ON tokens (ends_ms) WHERE ends_ms IS NOT NULL;
        CREATE INDEX client_tokens ON tokens (kind) WHERE kind = 'c';
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
