// The steps of the schema up to version 0.1 of the program. Steps never change: each was run on
// data that people have.
#pragma once

namespace parley::store::sql {

// The audit log and the server's own keys.
inline constexpr const char* schema_step_1 = R"sql(
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
)sql";

// Users, their tokens and logins. A login is a row among the tokens, without a hash, to which its
// tokens point: so one index gives the list of both in order. `ends_ms` is when a row is of
// no use any more: when it expires, and for a login, when the last of its tokens does.
inline constexpr const char* schema_step_2 = R"sql(
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
)sql";

// Chats. What points to a session, message or run inside of the same session does so by
// position. Each order in which sessions are listed has an index; `activity` is a number of its
// own from the counter, so that it never comes twice. A branch is a segment of the tree: it
// begins at `first_depth` beneath a message of its parent branch and goes straight down.
// `frames` are kept in chunks; `frames_kept` says whether they still are.
inline constexpr const char* schema_step_3 = R"sql(
    CREATE TABLE counters (
        name  TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO counters VALUES ('activity', 0);

    CREATE TABLE sessions (
        position        INTEGER PRIMARY KEY AUTOINCREMENT,
        id              TEXT NOT NULL UNIQUE,
        user            TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test            INTEGER NOT NULL CHECK (test IN (0, 1)),
        archived        INTEGER NOT NULL CHECK (archived IN (0, 1)),
        activity        INTEGER NOT NULL,
        message_count   INTEGER NOT NULL,
        newest_message  TEXT,
        created_ms      INTEGER NOT NULL,
        updated_ms      INTEGER NOT NULL,
        last_message_ms INTEGER,
        revision        INTEGER NOT NULL,
        title           TEXT NOT NULL,
        title_key       TEXT NOT NULL,
        title_was_set   INTEGER NOT NULL CHECK (title_was_set IN (0, 1)),
        model           TEXT,
        metadata        TEXT NOT NULL,
        instructions    TEXT
    ) STRICT;
    CREATE INDEX sessions_by_creation ON sessions (user, test);
    CREATE INDEX sessions_by_activity ON sessions (user, test, activity);
    CREATE INDEX archived_sessions_by_creation ON sessions (user, test, archived);
    CREATE INDEX archived_sessions_by_activity ON sessions (user, test, archived, activity);

    CREATE TABLE branches (
        branch        INTEGER PRIMARY KEY,
        session       INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        parent_branch INTEGER,
        first_depth   INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX branches_of_session ON branches (session);

    CREATE TABLE messages (
        position    INTEGER PRIMARY KEY,
        id          TEXT NOT NULL UNIQUE,
        session     INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        parent      INTEGER,
        branch      INTEGER NOT NULL,
        depth       INTEGER NOT NULL,
        speaker     TEXT NOT NULL CHECK (speaker IN ('user', 'assistant')),
        created_ms  INTEGER NOT NULL,
        stop_reason TEXT,
        model       TEXT,
        run         TEXT,
        metadata    TEXT NOT NULL,
        parts       BLOB NOT NULL,
        UNIQUE (branch, depth)
    ) STRICT;
    CREATE INDEX siblings ON messages (session, parent);

    CREATE TABLE runs (
        position            INTEGER PRIMARY KEY,
        id                  TEXT NOT NULL UNIQUE,
        session             INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        question            INTEGER NOT NULL,
        answer              TEXT NOT NULL UNIQUE,
        model               TEXT NOT NULL,
        status              TEXT NOT NULL,
        created_ms          INTEGER NOT NULL,
        started_ms          INTEGER,
        completed_ms        INTEGER,
        input_tokens        INTEGER,
        output_tokens       INTEGER,
        cached_input_tokens INTEGER,
        history_from        INTEGER NOT NULL,
        last_number         INTEGER NOT NULL,
        frames_kept         INTEGER NOT NULL CHECK (frames_kept IN (0, 1)),
        error               TEXT NOT NULL,
        metadata            TEXT NOT NULL,
        parameters          TEXT NOT NULL,
        CHECK ((status IN ('queued', 'running')) = (completed_ms IS NULL))
    ) STRICT;
    CREATE INDEX runs_of_session ON runs (session);
    CREATE INDEX unfinished_runs ON runs (session) WHERE completed_ms IS NULL;
    CREATE INDEX runs_with_frames ON runs (completed_ms) WHERE frames_kept = 1;

    CREATE TABLE frames (
        run          INTEGER NOT NULL REFERENCES runs (position) ON DELETE CASCADE,
        first_number INTEGER NOT NULL,
        bytes        BLOB NOT NULL,
        PRIMARY KEY (run, first_number)
    ) STRICT;

    CREATE TABLE idempotency_keys (
        user        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test        INTEGER NOT NULL CHECK (test IN (0, 1)),
        key         TEXT NOT NULL,
        fingerprint BLOB NOT NULL,
        run         TEXT,
        session     TEXT,
        expires_ms  INTEGER NOT NULL,
        PRIMARY KEY (user, test, key),
        CHECK ((run IS NULL) <> (session IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_ms);
)sql";

}  // namespace parley::store::sql
