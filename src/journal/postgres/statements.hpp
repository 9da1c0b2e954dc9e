// The SQL of the journal. Numbers of rows are returned as text.
#pragma once

#include "store/postgres/prepared_link.hpp"
#include "store/postgres/types.hpp"

namespace parley::journal::postgres {

// Adds events of any number of runs: incarnation, then runs, numbers and frames, one element each
// for an event. The lock on the server's row makes it wait for a server that is fencing this one,
// and makes that one wait for this statement: afterwards `fenced` is read in the locked row.
// Returns whether this server may write, and how many events were added. Events that are there
// already are not added again: after a lost connection the same batch is sent once more. OFFSET 0
// keeps the conditions of a run apart, so that it is found by its id and not among all of a server.
inline constexpr const char* append_sql =
    "WITH ok AS MATERIALIZED (SELECT 1 FROM replicas WHERE incarnation = $1 AND NOT fenced"
    " FOR KEY SHARE),"
    " kept AS (INSERT INTO run_events (run, number, frame)"
    " SELECT r.position, e.number, e.frame FROM ok,"
    " unnest($2::bytea[], $3::bigint[], $4::bytea[]) AS e (id, number, frame)"
    " CROSS JOIN LATERAL (SELECT position, replica, completed_ms FROM runs"
    " WHERE runs.id = e.id OFFSET 0) AS r WHERE r.replica = $1 AND r.completed_ms IS NULL"
    " ON CONFLICT (run, number) DO NOTHING RETURNING 1)"
    " SELECT (SELECT count(*) FROM ok)::text, (SELECT count(*) FROM kept)::text";

inline const store::postgres::Statement append_statement{
    "append",
    append_sql,
    {store::postgres::type_bigint, store::postgres::type_array_of_bytea,
     store::postgres::type_array_of_bigint, store::postgres::type_array_of_bytea}};

// Whether a run belongs to this server, and how many of these events it has.
inline const store::postgres::Statement examine_statement{
    "examine",
    "SELECT (r.replica IS NOT DISTINCT FROM $1)::int::text,"
    " (SELECT count(*) FROM run_events AS x"
    " JOIN unnest($3::bigint[], $4::bytea[]) AS e (number, frame)"
    " ON x.number = e.number AND x.frame = e.frame WHERE x.run = r.position)::text"
    " FROM runs AS r WHERE r.id = $2",
    {store::postgres::type_bigint, store::postgres::type_bytea,
     store::postgres::type_array_of_bigint, store::postgres::type_array_of_bytea}};

// The first and last number of a run, and how many events it has.
inline const store::postgres::Statement state_statement{
    "state",
    "SELECT min(number)::text, max(number)::text, count(*)::text FROM run_events"
    " WHERE run = (SELECT position FROM runs WHERE id = $1)",
    {store::postgres::type_bytea}};

// Events of runs that have not ended are never removed by another server. Returns how many of the
// runs do not exist: if one was deleted, its number is not known any more, and a last append may
// have come after the deletion.
inline const store::postgres::Statement end_statement{
    "end",
    "WITH ended AS MATERIALIZED (SELECT (SELECT position FROM runs WHERE runs.id = e.id) AS run,"
    " (SELECT replica = $2 OR completed_ms IS NOT NULL FROM runs WHERE runs.id = e.id) AS is_over"
    " FROM unnest($1::bytea[]) AS e (id)),"
    " removed AS (DELETE FROM run_events"
    " WHERE run = ANY (ARRAY(SELECT run FROM ended WHERE is_over)))"
    " SELECT count(*)::text FROM ended WHERE run IS NULL",
    {store::postgres::type_array_of_bytea, store::postgres::type_bigint}};

// The events after a number: run, number, bytes, number of events at most. They are ordered by the
// number of the table: the column of the result is text, in which 10 is before 2.
inline const store::postgres::Statement read_statement{
    "read",
    "SELECT number::text, frame FROM (SELECT number, frame,"
    " sum(length(frame) + 64) OVER (ORDER BY number) AS cost,"
    " row_number() OVER (ORDER BY number) AS place FROM run_events"
    " WHERE run = (SELECT position FROM runs WHERE id = $1) AND number > $2"
    " ORDER BY number LIMIT $4) AS page WHERE cost <= $3 OR place = 1 ORDER BY page.number",
    {store::postgres::type_bytea, store::postgres::type_bigint, store::postgres::type_bigint,
     store::postgres::type_bigint}};

// The same for several runs: runs, numbers, bytes of each, number of events of each, epochs. Rows
// of the place in the array, number, frame and epoch; number 0: the run has ended or does not
// exist. A row with an epoch says that it is another one than the reader knows, and has the number
// of the last event. One statement sees one moment: a run that has ended has no events.
inline const store::postgres::Statement read_all_statement{
    "read_all",
    "WITH wanted AS MATERIALIZED (SELECT f.id, f.after, f.known, f.place, r.position,"
    " r.completed_ms, r.epoch"
    " FROM unnest($1::bytea[], $2::bigint[], $5::bigint[])"
    " WITH ORDINALITY AS f (id, after, known, place)"
    " LEFT JOIN runs AS r ON r.id = f.id)"
    " SELECT (place - 1)::text, number::text, frame, epoch::text FROM ("
    "SELECT place, number, frame, NULL::bigint AS epoch FROM (SELECT w.place, e.number, e.frame,"
    " sum(length(e.frame) + 64) OVER (PARTITION BY w.place ORDER BY e.number) AS cost,"
    " row_number() OVER (PARTITION BY w.place ORDER BY e.number) AS nth"
    " FROM wanted AS w CROSS JOIN LATERAL (SELECT number, frame FROM run_events"
    " WHERE run = w.position AND number > w.after ORDER BY number LIMIT $4) AS e"
    " WHERE w.completed_ms IS NULL) AS pages WHERE cost <= $3 OR nth = 1"
    " UNION ALL SELECT place, 0, ''::bytea, NULL FROM wanted"
    " WHERE position IS NULL OR completed_ms IS NOT NULL"
    " UNION ALL SELECT place, coalesce((SELECT max(number) FROM run_events"
    " WHERE run = wanted.position), 0), ''::bytea, epoch FROM wanted"
    " WHERE completed_ms IS NULL AND epoch <> known"
    ") AS news ORDER BY news.place, news.epoch, news.number",
    {store::postgres::type_array_of_bytea, store::postgres::type_array_of_bigint,
     store::postgres::type_bigint, store::postgres::type_bigint,
     store::postgres::type_array_of_bigint}};

}  // namespace parley::journal::postgres
