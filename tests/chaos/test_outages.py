"""Outages of PostgreSQL alone. Each server has its lease afterwards, though no lease was renewed meanwhile, and all
streams go on.

In `make chaos MINUTES=30` or more there is also one of a minute."""
import concurrent.futures
import threading
import time
import urllib.parse

import chats
import feeds
import people
import program
import pytest
from replicas import IS_LONG, LEASE, SLOW, Replicas
from stopwatch import Stopwatch
from wires import Wires
from world import DATABASE, Databases, is_ready

BACK = 5 * SLOW  # Seconds after which the servers work again.
PATIENT = 30  # Streams stay open in an outage of so many seconds.
WORDS = 160
SECONDS = [1, LEASE + 1] + [60] * IS_LONG


class Watched:
    """Three servers, a run of each, and a reader of each run on another server."""

    def __init__(self, start, folder, urls):
        self._replicas = Replicas(start, folder, 3, urls=urls)
        self.people = self._replicas.people
        self.runs = [person.begin(f"{{words:{WORDS}}} {{delay_ms:50}}") for person in self.people]
        self._threads = concurrent.futures.ThreadPoolExecutor(len(self.runs))
        has_begun = threading.Barrier(len(self.runs) + 1, timeout=program.PATIENCE)
        self._readers = [self._threads.submit(self._read, number, has_begun) for number in range(len(self.runs))]
        has_begun.wait()

    def _read(self, number, has_begun):
        with self.people[number - 1].follow(self.runs[number]) as feed:
            first = feed.until(lambda _: True)
            has_begun.wait()
            rest, was_cut = feed.until_cut()
            return first + rest, was_cut

    def check(self, database, before, took):
        """At the end of an outage of so many seconds, before which `database` had these servers."""
        watch = Stopwatch()
        people.until(lambda: all(is_ready(server) for server in self._replicas.servers))
        assert watch.seconds() < BACK
        time.sleep(LEASE + 1.5)  # No server fences another one earlier.
        assert servers_in(database) == before and len(before) == 3
        for run, reader in zip(self.runs, self._readers):
            seen, was_cut = reader.result()
            assert not was_cut or took > PATIENT
            events = [person.events(run) for person in self.people]
            assert feeds.written(events[0]) == chats.words(WORDS)
            assert len({feeds.digest(each) for each in events}) == 1
            assert feeds.frames(events[0]).startswith(feeds.frames(seen))
        self._threads.shutdown()
        for server in self._replicas.servers:
            assert not server.log.entries(message="run taken over")

    def stop(self):
        """Before the database ends."""
        for server in self._replicas.servers:
            server.stop()


def servers_in(database):
    return database.query("SELECT name, incarnation, fenced FROM replicas ORDER BY incarnation", DATABASE)


@pytest.mark.parametrize("seconds", SECONDS)
def test_no_server_is_fenced_because_the_database_was_away(own_postgres, start, tmp_path, seconds):
    three = Watched(start, tmp_path, [own_postgres.database(DATABASE)] * 3)
    before = servers_in(own_postgres)
    time.sleep(1)  # Until PostgreSQL has written everything, which commits of runs' events do not wait for.
    own_postgres.abort()
    time.sleep(seconds)
    own_postgres.start()
    three.check(own_postgres, before, seconds)


def test_no_server_is_fenced_because_the_database_was_restarted(own_postgres, start, tmp_path):
    three = Watched(start, tmp_path, [own_postgres.database(DATABASE)] * 3)
    before = servers_in(own_postgres)
    begun = time.monotonic()
    own_postgres.restart()
    three.check(own_postgres, before, time.monotonic() - begun)


def test_no_server_is_fenced_because_a_host_says_nothing(own_postgres, start, tmp_path):
    """As after a failover whose old primary is frozen: it accepts connections and does not answer. Only the server that
    has requests learns it from more than its pulse, so that it is the first one that could fence others."""
    own_postgres.database(DATABASE)
    wires = Wires()
    try:
        silent, others = ([wires.add(lambda: own_postgres.socket) for _ in range(3)] for _ in range(2))
        three = Replicas(start, tmp_path, 3, urls=[
            "postgresql://parley@%s:%d,%s:%d/" % (*one.address, *other.address) + DATABASE
            for one, other in zip(silent, others)])
        before = servers_in(own_postgres)
        for wire in silent:
            wire.stall()
        end = time.monotonic() + 3 * LEASE
        while time.monotonic() < end:
            assert three.people[0].query("hello", background=True).status in (200, 202, 503)
            time.sleep(0.1)
        people.until(lambda: all(is_ready(server) for server in three.servers))
        assert servers_in(own_postgres) == before and len(before) == 3
        assert three.people[0].ask("still there?")["status"] == "completed"
        for server in three.servers:
            server.stop()
    finally:
        wires.close()


def ask_until(is_gone, person, answered):
    """Adds the runs of answered questions, and gives the name of the one whose answer could not be stored, if it is known.
    The last request may wait until the database is back, to learn whether its question was stored."""
    while not is_gone.is_set():
        answer = person.query("hello")
        told = answer.json()
        if answer.status != 200:
            assert (answer.status, told["code"]) == (503, "storage_unavailable")
            assert int(answer.header("retry-after")) <= 2
            return told.get("run_id")
        answered.append(told)
    return None


def test_no_server_is_fenced_because_a_standby_took_over(start, tmp_path):
    """It has run for longer than a lease, and the beats that it knows are old. What was answered is there."""
    databases = Databases()
    try:
        hosts = urllib.parse.quote(",".join(str(each.socket.parent) for each in databases.both), safe=",")
        three = Watched(start, tmp_path, [f"postgresql://parley@/{DATABASE}?host={hosts}"] * 3)
        before = servers_in(databases.primary)
        is_gone, answers = threading.Event(), [[] for _ in three.people]
        with concurrent.futures.ThreadPoolExecutor(3) as threads:
            asking = [threads.submit(ask_until, is_gone, *each) for each in zip(three.people, answers)]
            time.sleep(1)
            people.until(lambda: all(answers) or any(each.done() for each in asking))
            databases.primary.kill()
            is_gone.set()
            time.sleep(LEASE + 1)
            databases.standby.promote()
            three.check(databases.standby, before, LEASE + 1)
        for asker, answered, left in zip(three.people, answers, (each.result() for each in asking)):
            assert answered
            for run in answered:
                assert asker.run(run) == run
            assert not left or asker.ended(left)["status"] == "completed"
        three.stop()
    finally:
        databases.stop()
