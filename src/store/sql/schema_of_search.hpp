// The step of the schema for search, imports and retention. Steps never change.
#pragma once

namespace parley::store::sql {

// Messages in the index of words, which is created by the driver (search_dialect.hpp), and their
// buckets (search_buckets.hpp); `owner` is as in runs. Conversations that were imported: `source`
// is a hash of the conversation. How long a user's sessions are kept.
inline constexpr const char* schema_step_of_search = R"sql(
    CREATE TABLE search_docs (
        doc     INTEGER PRIMARY KEY,
        message INTEGER NOT NULL UNIQUE REFERENCES messages (position) ON DELETE CASCADE,
        owner   INTEGER NOT NULL,
        bucket  INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE search_buckets (
        owner     INTEGER NOT NULL,
        bucket    INTEGER NOT NULL,
        docs      INTEGER NOT NULL,
        first_doc INTEGER NOT NULL,
        last_doc  INTEGER NOT NULL,
        PRIMARY KEY (owner, bucket)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE imports (
        user        TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        test        INTEGER NOT NULL CHECK (test IN (0, 1)),
        format      TEXT NOT NULL,
        source      BLOB NOT NULL,
        session     INTEGER NOT NULL REFERENCES sessions (position) ON DELETE CASCADE,
        complete    INTEGER NOT NULL CHECK (complete IN (0, 1)),
        imported_ms INTEGER NOT NULL,
        PRIMARY KEY (user, test, format, source)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX imports_by_session ON imports (session);

    ALTER TABLE users ADD COLUMN retention_days INTEGER;
)sql";

}  // namespace parley::store::sql
