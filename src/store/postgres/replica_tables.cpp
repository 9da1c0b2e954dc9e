#include "store/postgres/replica_tables.hpp"

#include <array>

namespace parley::store::postgres {

// run_events has no foreign key, which would lock the run for each event. A frame may be larger
// than a page, so it is not stored as PLAIN. Rows are short-lived: without these settings
// autovacuum would come too late.
std::span<const char* const> replica_tables()
{
    static constexpr auto statements = std::to_array<const char*>({
        "CREATE SEQUENCE incarnations",
        "CREATE TABLE replicas (incarnation bigint PRIMARY KEY, name text NOT NULL,"
        " version text NOT NULL, settings text NOT NULL DEFAULT '',"
        " beat_at timestamptz NOT NULL DEFAULT clock_timestamp(),"
        " running integer NOT NULL DEFAULT 0, draining boolean NOT NULL DEFAULT false,"
        " fenced boolean NOT NULL DEFAULT false)"
        " WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)",
        "CREATE TABLE run_events (run bigint, number bigint, frame bytea NOT NULL,"
        " PRIMARY KEY (run, number))"
        " WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0,"
        " autovacuum_vacuum_insert_scale_factor = 0.1)",
        "ALTER TABLE run_events ALTER COLUMN frame SET STORAGE EXTERNAL",
        "CREATE FUNCTION forget_run_events() RETURNS trigger LANGUAGE plpgsql"
        " AS 'BEGIN DELETE FROM run_events WHERE run = OLD.position; RETURN NULL; END'",
        "CREATE TRIGGER events_go_with_their_run AFTER DELETE ON runs"
        " FOR EACH ROW EXECUTE FUNCTION forget_run_events()",
        "CREATE TABLE heard (number bigint PRIMARY KEY, kind bytea NOT NULL,"
        " subject bytea NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp())",
        "CREATE TABLE grown_logs (replica bigint, number bigint, owners text NOT NULL,"
        " at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (replica, number))"
        " WITH (autovacuum_vacuum_scale_factor = 0.02)",
        "CREATE INDEX runs_of_replica ON runs (replica) WHERE completed_ms IS NULL",
    });
    return statements;
}

}  // namespace parley::store::postgres
