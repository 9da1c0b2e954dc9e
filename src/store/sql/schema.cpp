#include "store/sql/schema.hpp"

#include "store/sql/schema_of_0_1.hpp"
#include "store/sql/schema_of_accounts.hpp"
#include "store/sql/schema_of_identities.hpp"
#include "store/sql/schema_of_images.hpp"
#include "store/sql/schema_of_replicas.hpp"
#include "store/sql/schema_of_search.hpp"
#include "store/sql/schema_of_usage.hpp"
#include "store/sql/schema_of_webhooks.hpp"

#include <array>

namespace parley::store::sql {
namespace {

constexpr std::array steps = std::to_array<const char*>({
    schema_step_1,
    schema_step_2,
    schema_step_3,
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
    // 8: automations and their ledger. `owner` is as in runs. What was configured is kept for each
    // revision that has rows, so that a row does not repeat it. A row that has not ended holds up
    // those behind it, unless they may overlap or are of the same batch; `attempts` outlive their
    // runs, which go with their session.
    R"sql(
        ALTER TABLE sessions ADD COLUMN automation TEXT;
        CREATE INDEX sessions_of_automation ON sessions (automation) WHERE automation IS NOT NULL;
        ALTER TABLE runs ADD COLUMN automation_run TEXT NOT NULL DEFAULT '';
        ALTER TABLE events ADD COLUMN automation TEXT NOT NULL DEFAULT '';
        ALTER TABLE events ADD COLUMN automation_run TEXT NOT NULL DEFAULT '';
        ALTER TABLE events ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;

        CREATE TABLE automations (
            position              INTEGER PRIMARY KEY AUTOINCREMENT,
            id                    TEXT NOT NULL UNIQUE,
            user                  TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            test                  INTEGER NOT NULL CHECK (test IN (0, 1)),
            name                  TEXT NOT NULL,
            name_key              TEXT NOT NULL,
            overlap               TEXT NOT NULL,
            pause_after_failures  INTEGER,
            output_tokens_per_day INTEGER,
            state                 TEXT NOT NULL CHECK (state IN ('active', 'paused', 'ended')),
            pause_reason          TEXT,
            session               TEXT,
            evaluated_ms          INTEGER NOT NULL,
            next_ms               INTEGER,
            listens               INTEGER NOT NULL CHECK (listens IN (0, 1)),
            heard_number          INTEGER NOT NULL,
            created_ms            INTEGER NOT NULL,
            updated_ms            INTEGER NOT NULL,
            revision              INTEGER NOT NULL,
            failures              INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX automations_of_user ON automations (user, test);
        CREATE INDEX due_automations ON automations (next_ms)
            WHERE state = 'active' AND next_ms IS NOT NULL;
        CREATE INDEX listening_automations ON automations (user, test)
            WHERE state = 'active' AND listens = 1;
        CREATE INDEX automations_by_session ON automations (session) WHERE session IS NOT NULL;

        CREATE TABLE automation_definitions (
            automation INTEGER NOT NULL REFERENCES automations (position) ON DELETE CASCADE,
            revision   INTEGER NOT NULL,
            definition TEXT NOT NULL,
            PRIMARY KEY (automation, revision)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE automation_runs (
            position      INTEGER PRIMARY KEY AUTOINCREMENT,
            id            TEXT NOT NULL UNIQUE,
            automation    INTEGER NOT NULL REFERENCES automations (position) ON DELETE CASCADE,
            owner         INTEGER NOT NULL,
            revision      INTEGER NOT NULL,
            trigger_type  TEXT NOT NULL,
            key           TEXT NOT NULL,
            due_ms        INTEGER NOT NULL,
            status        TEXT NOT NULL,
            skip_reason   TEXT,
            batch         TEXT,
            fill_values   TEXT NOT NULL,
            is_alone      INTEGER NOT NULL CHECK (is_alone IN (0, 1)),
            max_attempts  INTEGER NOT NULL,
            backoff_s     INTEGER NOT NULL,
            not_before_ms INTEGER,
            session       TEXT,
            question      TEXT,
            error         TEXT NOT NULL,
            missed_count  INTEGER,
            depth         INTEGER NOT NULL,
            created_ms    INTEGER NOT NULL,
            started_ms    INTEGER,
            completed_ms  INTEGER,
            UNIQUE (automation, trigger_type, key)
        ) STRICT;
        CREATE INDEX rows_of_automation ON automation_runs (automation);
        CREATE INDEX rows_of_revision ON automation_runs (automation, revision);
        CREATE INDEX rows_of_owner ON automation_runs (owner);
        CREATE INDEX unfinished_rows ON automation_runs (automation)
            WHERE status IN ('queued', 'running', 'waiting');
        CREATE INDEX waiting_rows ON automation_runs (owner, not_before_ms)
            WHERE status IN ('queued', 'waiting');
        CREATE INDEX running_rows ON automation_runs (status) WHERE status = 'running';
        CREATE INDEX rows_of_session ON automation_runs (session) WHERE session IS NOT NULL;
        CREATE INDEX ended_rows ON automation_runs (completed_ms) WHERE completed_ms IS NOT NULL;

        CREATE TABLE attempts (
            row                 INTEGER NOT NULL
                                REFERENCES automation_runs (position) ON DELETE CASCADE,
            number              INTEGER NOT NULL,
            automation          INTEGER NOT NULL,
            run                 TEXT NOT NULL UNIQUE,
            status              TEXT NOT NULL,
            error               TEXT NOT NULL,
            started_ms          INTEGER NOT NULL,
            completed_ms        INTEGER,
            reserved_tokens     INTEGER NOT NULL,
            input_tokens        INTEGER,
            output_tokens       INTEGER,
            cached_input_tokens INTEGER,
            PRIMARY KEY (row, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX attempts_by_start ON attempts (automation, started_ms);
        CREATE INDEX attempts_by_time ON attempts (started_ms);
    )sql",
    // 9: sessions that are kept, though an automation has made newer ones.
    R"sql(
        ALTER TABLE sessions ADD COLUMN keep INTEGER NOT NULL DEFAULT 0 CHECK (keep IN (0, 1));
    )sql",
    // 10: the time of automations in test mode. An attempt under such a clock has that time as
    // `clock_ms`; the budget counts by it.
    R"sql(
        CREATE TABLE test_clocks (
            user   TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
            now_ms INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE attempts ADD COLUMN clock_ms INTEGER;
    )sql",
    // 11: filters of the ledger. Most rows are completed ones of a schedule: filters for these find
    // enough on the way, and need no index.
    R"sql(
        CREATE INDEX rows_by_status ON automation_runs (automation, status)
            WHERE status <> 'completed';
        CREATE INDEX rows_of_owner_by_status ON automation_runs (owner, status)
            WHERE status <> 'completed';
        CREATE INDEX rows_by_trigger ON automation_runs (automation, trigger_type)
            WHERE trigger_type <> 'schedule';
        CREATE INDEX rows_of_owner_by_trigger ON automation_runs (owner, trigger_type)
            WHERE trigger_type <> 'schedule';
        CREATE INDEX rows_of_batch ON automation_runs (batch) WHERE batch IS NOT NULL;
    )sql",
    schema_step_12,
    schema_step_13,
    // 14: answers in a format that was asked for.
    R"sql(
        ALTER TABLE messages ADD COLUMN structured INTEGER NOT NULL DEFAULT 0
            CHECK (structured IN (0, 1));
    )sql",
    // 15: limits of a user's and a token's own for automations. `token`: the one that has started
    // or retried the row by hand. An automation that is `removed` has no definition, so that
    // neither it nor its rows are found; the rows are deleted some at a time.
    R"sql(
        ALTER TABLE users ADD COLUMN automation_limit INTEGER;
        ALTER TABLE tokens ADD COLUMN automation_limit INTEGER;
        ALTER TABLE automation_runs ADD COLUMN token TEXT;
        ALTER TABLE automations ADD COLUMN removed INTEGER NOT NULL DEFAULT 0
            CHECK (removed IN (0, 1));
        CREATE INDEX removed_automations ON automations (position) WHERE removed = 1;
    )sql",
    // 16: several replaced secrets that are still valid; `old_secret` and `old_until_ms` have the
    // one that earlier versions kept. Tokens that are not in the event log of their user, because a
    // command uses them while it runs.
    R"sql(
        ALTER TABLE webhooks ADD COLUMN old_secrets BLOB;
        ALTER TABLE hooks ADD COLUMN old_secrets BLOB;
        ALTER TABLE tokens ADD COLUMN is_temporary INTEGER NOT NULL DEFAULT 0
            CHECK (is_temporary IN (0, 1));
    )sql",
    schema_step_of_replicas,
    schema_step_of_search,
    // 19: what a row that an event has started goes back to, through other rows: see chains.hpp.
    R"sql(
        ALTER TABLE automation_runs ADD COLUMN root TEXT;
        CREATE INDEX rows_of_root ON automation_runs (root) WHERE root IS NOT NULL;
    )sql",
    schema_step_of_images,
    schema_step_of_accounts,
    schema_step_of_turns,
    schema_step_of_usage,
    schema_step_of_identities,
    // 25: a session that is `removed` is not found by anybody; its rows are deleted some at a time.
    R"sql(
        ALTER TABLE sessions ADD COLUMN removed INTEGER NOT NULL DEFAULT 0
            CHECK (removed IN (0, 1));
        CREATE INDEX removed_sessions ON sessions (position) WHERE removed = 1;
    )sql",
});

}  // namespace

std::span<const char* const> migrations() { return steps; }

}  // namespace parley::store::sql
