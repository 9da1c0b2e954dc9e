// The columns by which several servers (replicas) share the runs of one database. The tables of
// replicas exist only in databases that can be shared (store/postgres/replica_tables.hpp).
#pragma once

namespace parley::store::sql {

// `replica` is the incarnation of the server that executes the run: NULL for none, and in a
// database with one server. `epoch` counts how often another server took the run over.
inline constexpr const char* schema_step_of_replicas = R"sql(
    ALTER TABLE runs ADD COLUMN replica INTEGER;
    ALTER TABLE runs ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE runs ADD COLUMN cancel_asked INTEGER NOT NULL DEFAULT 0
        CHECK (cancel_asked IN (0, 1));
)sql";

// When users had their last turn in the line that servers share (turns.hpp): `person` is the
// position of the user, `line` 1 for runs of the scripted model, and a higher `turn` is later.
// There is no foreign key, so that a turn does not wait for a transaction that changes the user.
inline constexpr const char* schema_step_of_turns = R"sql(
    CREATE TABLE run_turns (
        person INTEGER NOT NULL,
        line   INTEGER NOT NULL CHECK (line IN (0, 1)),
        turn   INTEGER NOT NULL,
        PRIMARY KEY (person, line)
    ) STRICT, WITHOUT ROWID;
)sql";

}  // namespace parley::store::sql
