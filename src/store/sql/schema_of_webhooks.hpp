// The steps of the schema for webhooks and hooks: calls that this server makes, and calls that it
// gets. Steps never change: each was run on data that people have.
#pragma once

namespace parley::store::sql {

// Webhooks and their deliveries. A delivery contains its event, which may expire before it.
// `due_ms` of one that was never tried is 0: those come first, in the order of the log.
inline constexpr const char* schema_step_12 = R"sql(
    CREATE TABLE webhooks (
        position         INTEGER PRIMARY KEY AUTOINCREMENT,
        id               TEXT NOT NULL UNIQUE,
        user             TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test             INTEGER NOT NULL CHECK (test IN (0, 1)),
        url              TEXT NOT NULL,
        event_types      TEXT NOT NULL,
        scopes           INTEGER NOT NULL,
        payload          TEXT NOT NULL,
        ordered          INTEGER NOT NULL CHECK (ordered IN (0, 1)),
        description      TEXT NOT NULL,
        metadata         TEXT NOT NULL,
        state            TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
        disabled_reason  TEXT,
        secret           BLOB NOT NULL,
        secret_hint      TEXT NOT NULL,
        old_secret       BLOB,
        old_until_ms     INTEGER,
        created_ms       INTEGER NOT NULL,
        updated_ms       INTEGER NOT NULL,
        revision         INTEGER NOT NULL,
        event_cursor     INTEGER NOT NULL,
        last_success_ms  INTEGER,
        last_failure_ms  INTEGER,
        failing_since_ms INTEGER
    ) STRICT;
    CREATE INDEX webhooks_of_user ON webhooks (user, test);
    CREATE INDEX active_webhooks ON webhooks (position) WHERE state = 'active';

    CREATE TABLE deliveries (
        position    INTEGER PRIMARY KEY AUTOINCREMENT,
        id          TEXT NOT NULL UNIQUE,
        webhook     INTEGER NOT NULL REFERENCES webhooks (position) ON DELETE CASCADE,
        event       TEXT NOT NULL,
        event_type  TEXT NOT NULL,
        number      INTEGER NOT NULL,
        body        TEXT NOT NULL,
        subject     TEXT NOT NULL,
        parent      TEXT NOT NULL,
        status      TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
        tries       INTEGER NOT NULL,
        due_ms      INTEGER,
        created_ms  INTEGER NOT NULL,
        ended_ms    INTEGER,
        UNIQUE (webhook, event)
    ) STRICT;
    CREATE INDEX deliveries_of_webhook ON deliveries (webhook);
    CREATE INDEX deliveries_by_status ON deliveries (webhook, status);
    CREATE INDEX deliveries_by_number ON deliveries (webhook, number);
    CREATE INDEX due_deliveries ON deliveries (webhook, due_ms, number)
        WHERE status = 'pending';
    CREATE INDEX pending_deliveries ON deliveries (webhook, number) WHERE status = 'pending';
    CREATE INDEX ended_deliveries ON deliveries (ended_ms) WHERE ended_ms IS NOT NULL;

    CREATE TABLE delivery_attempts (
        delivery    INTEGER NOT NULL REFERENCES deliveries (position) ON DELETE CASCADE,
        number      INTEGER NOT NULL,
        at_ms       INTEGER NOT NULL,
        status      INTEGER,
        duration_ms INTEGER NOT NULL,
        error       TEXT,
        response    TEXT,
        PRIMARY KEY (delivery, number)
    ) STRICT, WITHOUT ROWID;
)sql";

// Hooks of automations. `secret` is the SHA-256 of a token, or a sealed secret for signatures.
inline constexpr const char* schema_step_13 = R"sql(
    CREATE TABLE hooks (
        id           TEXT NOT NULL PRIMARY KEY,
        automation   INTEGER NOT NULL UNIQUE REFERENCES automations (position) ON DELETE CASCADE,
        verify       TEXT NOT NULL,
        secret       BLOB NOT NULL,
        secret_hint  TEXT NOT NULL,
        old_secret   BLOB,
        old_until_ms INTEGER,
        created_ms   INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
)sql";

}  // namespace parley::store::sql
