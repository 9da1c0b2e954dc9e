"""Outages of PostgreSQL alone. Each server has its lease afterwards, though no lease was renewed meanwhile."""
import time

import chats
import feeds
import people
import pytest
from replicas import SLOW, Replicas
from world import is_ready

LEASE = 5
BACK = 5 * SLOW  # Seconds after which the servers work again.
DATABASE = "parley"


@pytest.mark.parametrize("seconds", [1, LEASE + 1])
def test_no_server_is_fenced_because_the_database_was_away(own_postgres, start, tmp_path, seconds):
    three = Replicas(start, tmp_path, 3, urls=[own_postgres.database(DATABASE)] * 3)
    runs = [person.begin("{words:160} {delay_ms:50}") for person in three.people]

    def servers():
        return own_postgres.query("SELECT name, incarnation, fenced FROM replicas ORDER BY incarnation", DATABASE)
    before = servers()
    time.sleep(1)  # Until PostgreSQL has written everything, which commits of runs' events do not wait for.
    own_postgres.abort()
    time.sleep(seconds)
    own_postgres.start()
    back = time.monotonic()
    people.until(lambda: all(is_ready(server) for server in three.servers))
    assert time.monotonic() - back < BACK
    time.sleep(LEASE + 1.5)  # No server fences another one earlier.
    assert servers() == before and len(before) == 3
    for number, run in enumerate(runs):
        events = [person.events(run) for person in three.people]
        assert feeds.written(events[number]) == chats.words(160)
        assert len({feeds.digest(each) for each in events}) == 1
    for server in three.servers:
        assert not server.log.entries(message="run taken over")
