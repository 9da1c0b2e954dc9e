// The step of the schema for accounts of a team: links to reset a password, and second factors.
#pragma once

namespace parley::store::sql {

inline constexpr const char* schema_step_of_accounts = R"sql(
    ALTER TABLE users ADD COLUMN reset_code BLOB;
    ALTER TABLE users ADD COLUMN reset_expires_ms INTEGER;
    CREATE UNIQUE INDEX reset_codes ON users (reset_code) WHERE reset_code IS NOT NULL;

    ALTER TABLE users ADD COLUMN totp_secret BLOB;
    ALTER TABLE users ADD COLUMN totp_pending BLOB;
    ALTER TABLE users ADD COLUMN totp_step INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE users ADD COLUMN totp_failures INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE users ADD COLUMN totp_failed_ms INTEGER;
    CREATE TABLE recovery_codes (
        user TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        code BLOB NOT NULL,
        PRIMARY KEY (user, code)
    ) STRICT, WITHOUT ROWID;
)sql";

}  // namespace parley::store::sql
