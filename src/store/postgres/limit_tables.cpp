#include "store/postgres/limit_tables.hpp"

#include <array>

namespace parley::store::postgres {
namespace {

// 1,000 stamps fit into a page. All keys are locked in one order, so that requests do not wait for
// each other in a circle. The clock is read after the locks: for one key it never runs backwards.
// If it was set back, later stamps count as made now.
constexpr const char* admit_function = R"sql(
CREATE FUNCTION parley_admit_v1(requests bigint[], ids bytea[], most bigint[], charged bigint[],
                                width bigint, moment bigint)
RETURNS TABLE (is_admitted boolean, remaining bigint, wait bigint, mark bigint, decided bigint)
LANGUAGE plpgsql AS $function$
DECLARE
    wanted bytea[];
    locked bigint;
    present bigint;
    first integer := 1;
    last integer;
    has_room boolean;
    made bigint[];
    oldest integer;
    live integer;
BEGIN
    wanted := ARRAY(SELECT DISTINCT ids[i] AS id FROM generate_subscripts(ids, 1) AS i
                    WHERE charged[requests[i]] = 1 ORDER BY id);
    LOOP
        INSERT INTO limits (id, stamps) SELECT each.id, '{}' FROM unnest(wanted) AS each (id)
            ORDER BY each.id ON CONFLICT DO NOTHING;
        SELECT count(*) INTO locked FROM (SELECT 1 FROM limits WHERE limits.id = ANY (wanted)
            ORDER BY limits.id FOR UPDATE) AS kept;
        EXIT WHEN locked = cardinality(wanted);  -- Otherwise one was swept meanwhile.
    END LOOP;
    present := coalesce(moment,
                        (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000);
    WHILE first <= cardinality(ids) LOOP
        has_room := true;
        last := first;
        LOOP
            SELECT stamps INTO made FROM limits WHERE limits.id = ids[last];
            has_room := has_room AND (coalesce(cardinality(made), 0) < most[last]
                OR made[cardinality(made) - most[last] + 1] <= present - width);
            EXIT WHEN requests[last + 1] IS DISTINCT FROM requests[first];
            last := last + 1;
        END LOOP;
        FOR i IN first..last LOOP
            SELECT stamps INTO made FROM limits WHERE limits.id = ids[i];
            made := coalesce(made, '{}');
            IF made[cardinality(made)] > present THEN
                made := ARRAY(SELECT least(stamp, present) FROM unnest(made)
                              WITH ORDINALITY AS each (stamp, place) ORDER BY place);
            END IF;
            oldest := 1;
            WHILE made[oldest] <= present - width LOOP oldest := oldest + 1; END LOOP;
            mark := 0;
            IF has_room AND charged[requests[i]] = 1 THEN
                mark := present;
                made := made[oldest:] || mark;
                oldest := 1;
                UPDATE limits SET stamps = made WHERE limits.id = ids[i];
            END IF;
            live := cardinality(made) - oldest + 1;
            is_admitted := has_room;
            remaining := greatest(most[i] - live, 0);
            wait := coalesce(made[cardinality(made) - least(live, most[i]) + 1] + width - present,
                             0);
            decided := present;
            RETURN NEXT;
        END LOOP;
        first := last + 1;
    END LOOP;
END $function$
)sql";

constexpr const char* give_back_function = R"sql(
CREATE FUNCTION parley_give_back_v1(ids bytea[], marks bigint[]) RETURNS void
LANGUAGE plpgsql AS $function$
BEGIN
    PERFORM 1 FROM limits WHERE limits.id = ANY (ids) ORDER BY limits.id FOR UPDATE;
    FOR i IN 1..cardinality(ids) LOOP
        UPDATE limits SET stamps = stamps[:array_position(stamps, marks[i]) - 1]
            || stamps[array_position(stamps, marks[i]) + 1:]
            WHERE limits.id = ids[i] AND marks[i] = ANY (stamps);
    END LOOP;
END $function$
)sql";

}  // namespace

std::span<const char* const> limit_tables()
{
    static constexpr auto statements = std::to_array<const char*>({
        "CREATE TABLE limits (id bytea PRIMARY KEY, stamps bigint[] NOT NULL)"
        " WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.02,"
        " autovacuum_vacuum_cost_delay = 0)",
        "ALTER TABLE limits ALTER COLUMN stamps SET STORAGE PLAIN",
        admit_function,
        give_back_function,
    });
    return statements;
}

}  // namespace parley::store::postgres
