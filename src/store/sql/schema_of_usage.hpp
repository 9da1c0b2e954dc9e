// The step of the schema for usage and budgets. Steps never change.
#pragma once

namespace parley::store::sql {

// `day`: days since 1970-01-01, in UTC. A budget counts output tokens: those that are used, and
// those that unfinished answers may still write, which are reserved with a run, or in a table of
// their own for answers that are not stored.
inline constexpr const char* schema_step_of_usage = R"sql(
    CREATE TABLE token_usage (
        position            INTEGER PRIMARY KEY AUTOINCREMENT,
        user                TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test                INTEGER NOT NULL CHECK (test IN (0, 1)),
        day                 INTEGER NOT NULL,
        model               TEXT NOT NULL,
        requests            INTEGER NOT NULL,
        input_tokens        INTEGER NOT NULL,
        output_tokens       INTEGER NOT NULL,
        cached_input_tokens INTEGER NOT NULL,
        UNIQUE (user, test, day, model)
    ) STRICT;
    CREATE INDEX usage_of_user ON token_usage (user, test, day);
    CREATE INDEX usage_by_day ON token_usage (test, day);

    ALTER TABLE users ADD COLUMN output_tokens_per_day INTEGER;
    ALTER TABLE runs ADD COLUMN reserved_tokens INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE token_reservations (
        id         TEXT NOT NULL PRIMARY KEY,
        user       TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        tokens     INTEGER NOT NULL,
        expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reservations_of_user ON token_reservations (user);
)sql";

}  // namespace parley::store::sql
