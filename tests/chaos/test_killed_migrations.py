"""A server dies while it creates the tables of a database: the next one goes on, and makes the same tables.

In `make chaos MINUTES=30` or more it dies at each step."""
import os
import random
import signal

import people
import postgres
import program
import pytest
from replicas import IS_LONG
from tripwires import AFTER, BEFORE, Trip, Tripwire
from wires import Wires

SHAPE = """
SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
    WHERE table_schema = 'public'
UNION ALL SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT conrelid::regclass::text, contype::text, pg_get_constraintdef(oid), '', '' FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'version', version::text, oldest_program::text, '', '' FROM schema_state
ORDER BY 1, 2, 3"""


@pytest.fixture(name="wire")
def one_wire():
    wires = Wires()
    yield wires.add(lambda: postgres.shared().socket, kind=Tripwire)
    wires.close()


def name_of(url):
    return url.partition("@/")[2].partition("?")[0]


def test_a_database_is_completed_after_a_death_at_any_step(start, tmp_path, wire):
    whole = postgres.url_for(tmp_path / "whole")
    start("--data", str(tmp_path / "whole"), settings={"store.url": whole}).stop()
    shape = postgres.shared().query(SHAPE, name_of(whole))
    newest = int(postgres.shared().query("SELECT version FROM schema_state", name_of(whole))[0])
    points = [(step, when) for step in range(1, newest + 1) for when in (BEFORE, AFTER)]
    for step, when in points if IS_LONG else random.SystemRandom().sample(points, 3):
        data = tmp_path / f"{step}-{when}"
        direct = postgres.url_for(data)
        database = name_of(direct)
        pid = tmp_path / "pid"

        def kill(file=pid):
            os.kill(int(file.read_text(encoding="utf-8")), signal.SIGKILL)
        trip = wire.trip = Trip(f"^UPDATE schema_state SET version = {step},", when, kill)
        settings = {"store.url": "postgresql://parley@%s:%d/%s" % (*wire.address, database)}
        with pytest.raises(RuntimeError, match="ended at its start"):
            start("--data", str(data), settings=settings,
                  under=("sh", "-c", f"echo $$ >'{pid}'; exec \"$0\" \"$@\""))
        assert trip.sprung.wait(program.PATIENCE)
        stored = int(postgres.shared().query("SELECT max(version) FROM schema_state", database)[0])
        assert stored == (step if when == AFTER else step - 1)
        again = start("--data", str(data), settings={"store.url": direct})
        assert people.House(again).set_up().admin
        # Missing indexes are built while it serves, and not after its stop.
        people.until(lambda of=database: postgres.shared().query(SHAPE, of) == shape)
        again.stop()
        assert postgres.shared().query(SHAPE, database) == shape, (step, when)
