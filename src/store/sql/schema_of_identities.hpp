// The step of the schema for logins at an OpenID provider. Steps never change.
#pragma once

namespace parley::store::sql {

inline constexpr const char* schema_step_of_identities = R"sql(
    CREATE TABLE identities (
        issuer     TEXT NOT NULL,
        subject    TEXT NOT NULL,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        created_ms INTEGER NOT NULL,
        PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identities_of_user ON identities (user);

    CREATE TABLE used_attempts (
        attempt    BLOB NOT NULL PRIMARY KEY,
        expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX used_attempts_by_expiry ON used_attempts (expires_ms);
)sql";

}  // namespace parley::store::sql
