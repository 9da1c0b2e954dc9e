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
    // 3: chats. What points to a session, message or run inside of the same session does so by
    // position. Each order in which sessions are listed has an index; `activity` is a number of its
    // own from the counter, so that it never comes twice. A branch is a segment of the tree: it
    // begins at `first_depth` beneath a message of its parent branch and goes straight down.
    // `frames` are kept in chunks; `frames_kept` says whether they still are.
    R"sql(
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
    )sql",
    // 4: limits of a user's and a token's own, invitations, an index for each filter of the audit
    // log, and keys of requests that name an object of any kind.
    R"sql(
        ALTER TABLE users ADD COLUMN chat_limit INTEGER;
        ALTER TABLE users ADD COLUMN general_limit INTEGER;
        ALTER TABLE users ADD COLUMN invitation BLOB;
        ALTER TABLE users ADD COLUMN invitation_expires_ms INTEGER;
        CREATE UNIQUE INDEX invitations ON users (invitation) WHERE invitation IS NOT NULL;
        ALTER TABLE tokens ADD COLUMN chat_limit INTEGER;
        ALTER TABLE tokens ADD COLUMN general_limit INTEGER;

        CREATE INDEX audit_by_actor ON audit (actor);
        CREATE INDEX audit_by_action ON audit (action);
        CREATE INDEX audit_by_target ON audit (target);

        CREATE TABLE keys_of_any_kind (
            user        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            test        INTEGER NOT NULL CHECK (test IN (0, 1)),
            key         TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            kind        TEXT NOT NULL,
            object      TEXT NOT NULL,
            expires_ms  INTEGER NOT NULL,
            PRIMARY KEY (user, test, key)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO keys_of_any_kind
            SELECT user, test, key, fingerprint, iif(run IS NULL, 'session', 'run'),
                   coalesce(run, session), expires_ms FROM idempotency_keys;
        DROP TABLE idempotency_keys;
        ALTER TABLE keys_of_any_kind RENAME TO idempotency_keys;
        CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_ms);
    )sql",
    // 5: runs are listed by their owner, a number for a user and a mode: twice the user's position,
    // and 1 more for test mode. A run may free its key. `frames` has one row of number 0 for a run,
    // as store/sql/frames.hpp says.
    R"sql(
        ALTER TABLE runs ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE runs ADD COLUMN frees_key INTEGER NOT NULL DEFAULT 0
            CHECK (frees_key IN (0, 1));
        UPDATE runs SET owner = (SELECT 2 * users.position + sessions.test
            FROM sessions JOIN users ON users.id = sessions.user
            WHERE sessions.position = runs.session);
        CREATE INDEX runs_of_owner ON runs (owner);
        CREATE INDEX runs_of_owner_by_status ON runs (owner, status);
    )sql",
    // 6: since when events are kept, by the time that things expire by.
    R"sql(
        ALTER TABLE runs ADD COLUMN kept_since_ms INTEGER;
        UPDATE runs SET kept_since_ms = completed_ms WHERE frames_kept = 1;
        DROP INDEX runs_with_frames;
        CREATE INDEX runs_with_frames ON runs (kept_since_ms) WHERE frames_kept = 1;
    )sql",
    // 7: the event log. `owner` is as in runs. A head has the numbers of the oldest event that is
    // kept and of the newest one, and the time of the oldest one, if there is one.
    R"sql(
        ALTER TABLE runs ADD COLUMN request TEXT NOT NULL DEFAULT '';

        CREATE TABLE event_heads (
            owner        INTEGER PRIMARY KEY,
            first_number INTEGER NOT NULL,
            last_number  INTEGER NOT NULL,
            oldest_ms    INTEGER
        ) STRICT;
        CREATE INDEX event_heads_by_age ON event_heads (oldest_ms);

        CREATE TABLE events (
            owner   INTEGER NOT NULL,
            number  INTEGER NOT NULL,
            id      TEXT NOT NULL,
            at_ms   INTEGER NOT NULL,
            type    INTEGER NOT NULL,
            subject TEXT NOT NULL,
            session TEXT NOT NULL,
            request TEXT NOT NULL,
            PRIMARY KEY (owner, number)
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
        log::info("database schema updated", log::kv("version", version));
    }
}

}  // namespace parley::store::sqlite
