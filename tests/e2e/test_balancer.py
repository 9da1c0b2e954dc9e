"""Servers behind HAProxy, with the file of the documentation."""
import signal
import threading
import time

import pytest

import chats
import feeds
import people
import wire
from balancer import Balancer, Front
from replicas import SLOW, TAKE_OVER, Replicas
from stopwatch import Stopwatch
from wires import Wires


@pytest.fixture(name="balanced")
def behind_one_address(start, tmp_path):
    """Three servers; `front` is their user by way of the balancer, which reaches them by `wires`."""
    running = []
    wires = Wires()

    def balanced(**settings):
        three = Replicas(start, tmp_path, 3, {"server.trusted_proxies": "127.0.0.1/32", "cluster.drain_s": 3,
                                              **settings})
        three.wires = [wires.add(lambda number=number: three.servers[number].address) for number in range(3)]
        running.append(Balancer(tmp_path, [wire.address for wire in three.wires]))
        three.front = chats.Person(Front(running[-1].address), three.token)
        return three
    yield balanced
    for balancer in running:
        balancer.close()
    wires.close()


def resumed(person, run, seen, until):
    """The events of a run up to its end, over as many connections as it takes."""
    while not seen[-1].is_last:
        assert time.monotonic() < until, f"no end after event {seen[-1].number}"
        try:
            with person.follow(run, after=seen[-1].number) as feed:
                if feed.response.status != 200:
                    time.sleep(0.1)
                    continue
                more, _ = feed.until_cut()
        except (OSError, feeds.Cut):
            time.sleep(0.1)
            continue
        seen += more
    return seen


def owner_of(house, run):
    name, = house.query("SELECT r.name FROM replicas AS r JOIN runs ON runs.replica = r.incarnation"
                        f" WHERE runs.id = '{run}'")
    return house.servers[int(name.removeprefix("server"))]


def test_a_client_of_a_dead_server_goes_on_with_another(balanced):
    house = balanced()
    with house.front.stream("{words:300} {delay_ms:30}") as feed:
        seen = feed.until(lambda event: event.number == 10)
        run = feed.run_id
        owner = owner_of(house, run)
        owner.signal(signal.SIGKILL)
        killed = time.monotonic()
        more, _ = feed.until_cut()
        seen += more
    owner.wait()
    assert seen[-1].number < 300
    seen = resumed(house.front, run, seen, killed + TAKE_OVER + 300 * 0.03 + 10 * SLOW)
    assert feeds.written(feeds.check_events(seen)) == chats.words(300)


def test_a_client_of_a_frozen_server_goes_on_with_another(balanced):
    house = balanced()
    with house.front.stream("{words:400} {delay_ms:30}") as feed:
        seen = feed.until(lambda event: event.number == 10)
        run = feed.run_id
        owner = owner_of(house, run)
        owner.signal(signal.SIGSTOP)
        try:
            frozen, watch = time.monotonic(), Stopwatch()
            more, was_cut = feed.until_cut()
            assert was_cut and watch.seconds() < 5 * SLOW
            seen += more
            seen = resumed(house.front, run, seen, frozen + TAKE_OVER + 400 * 0.03 + 10 * SLOW)
        finally:
            owner.signal(signal.SIGCONT)
    assert feeds.written(feeds.check_events(seen)) == chats.words(400)


def test_a_client_of_a_server_that_the_balancer_lost_goes_on_with_another(balanced):
    house = balanced()
    with house.front.stream("{words:300} {delay_ms:30}") as feed:
        seen = feed.until(lambda event: event.number == 10)
        run = feed.run_id
        owner = house.server_of(run)
        house.wires[owner].stall()
        lost, watch = time.monotonic(), Stopwatch()
        more, was_cut = feed.until_cut()
        assert was_cut and watch.seconds() < 5 * SLOW
    seen = resumed(house.front, run, seen + more, lost + 300 * 0.03 + 10 * SLOW)
    assert feeds.written(feeds.check_events(seen)) == chats.words(300)
    assert house.server_of(run) == owner, "the run went on where it was"
    assert not any(server.log.entries(message="run taken over") for server in house.servers)
    house.wires[owner].heal()


class Load:
    """Clients of all kinds, which count failures: short questions, waits of 10 seconds, and streams."""

    def __init__(self, front):
        self.front = front
        self.failures = []
        self.answered = {kind: 0 for kind in ("short", "long", "stream")}
        self._done = threading.Event()
        kinds = ["short", "short", "long", "stream"]
        self._threads = [threading.Thread(target=self._go_on, args=(kind,)) for kind in kinds]
        for thread in self._threads:
            thread.start()

    def end(self):
        self._done.set()
        for thread in self._threads:
            thread.join()

    def _go_on(self, kind):
        while not self._done.is_set():
            try:
                getattr(self, "_" + kind)()
                self.answered[kind] += 1
            except Exception as problem:  # pylint: disable=broad-exception-caught
                self.failures.append((kind, repr(problem)))

    def _short(self):
        self.front.ask("hello")

    def _long(self):
        assert chats.text_of(self.front.ask("{words:100} {delay_ms:100}")["message"]) == chats.words(100)

    def _stream(self):
        """Cut streams are resumed."""
        with self.front.stream("{words:100} {delay_ms:50}") as feed:
            run, seen = feed.run_id, feed.until(lambda event: event.number == 1)
            more, _ = feed.until_cut()
        seen = resumed(self.front, run, seen + more, time.monotonic() + 60 * SLOW)
        assert feeds.written(feeds.check_events(seen)) == chats.words(100)


def restart(house, number):
    house.servers[number].signal(signal.SIGTERM)
    assert house.servers[number].wait() == 0
    # On another port, to which its wire leads then: the old one may be taken meanwhile, by any connection.
    house.servers[number] = house.started(number)
    people.until(lambda: ready(house.servers[number]))
    time.sleep(1.5)  # The balancer looks twice.


def update_schema(house):
    """As a later version does at its start: it only adds."""
    house.query("BEGIN; ALTER TABLE runs ADD COLUMN of_later_version integer NOT NULL DEFAULT 0;"
                "CREATE FUNCTION of_later_version_v2() RETURNS integer LANGUAGE sql AS 'SELECT 2';"
                "UPDATE schema_state SET version = version + 1; COMMIT")


def test_servers_are_upgraded_in_turn_without_a_failed_request(balanced):
    house = balanced(**{"limits.window_s": 1})  # More requests than in a minute.
    load = Load(house.front)
    try:
        restart(house, 0)
        update_schema(house)
        restart(house, 1)  # This version, with the schema of the later one.
        restart(house, 2)
    finally:
        load.end()
    assert not load.failures, load.failures[:5]
    assert min(load.answered.values()) > 0 and load.answered["short"] > 50, load.answered


def test_a_version_that_cannot_use_the_schema_is_refused(start, tmp_path):
    two = Replicas(start, tmp_path, 2)
    update_schema(two)
    two.query("UPDATE schema_state SET oldest_program = version")
    assert two.people[0].ask("still served")["status"] == "completed"
    two.servers[1].signal(signal.SIGTERM)
    assert two.servers[1].wait() == 0
    with pytest.raises(RuntimeError, match="was updated by a newer Parley"):
        two.started(1)


def ready(server):
    with wire.Connection(server.address) as connection:
        return connection.ask("GET", "/lbz").status == 200


def test_a_client_cannot_choose_the_address_that_it_is_counted_by(balanced):
    house = balanced(**{"limits.auth": 8})
    answers = [house.front.house.ask("POST", "/auth/login", house.houses[0].client_token,
                                     {"username": f"nobody{number}", "password": "wrong"},
                                     {"X-Forwarded-For": f"203.0.113.{number}"}) for number in range(9)]
    assert answers[-1].status == 429, [answer.status for answer in answers]
