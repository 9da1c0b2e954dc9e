"""A server is stopped, or cut off from the database, until others have taken over what it did. When it goes on, it changes
and says nothing that the others do not know."""
import signal
import threading
import time

import chats
import feeds
import people
import pytest
from replicas import IS_LONG, LEASE, SLOW, TAKE_OVER
from stopwatch import Stopwatch
from wires import BACK, THERE

WORDS = 300


class Stop:
    def __init__(self, servers):
        self._server = servers.servers[0]

    def begin(self):
        self._server.signal(signal.SIGSTOP)

    def end(self):
        self._server.signal(signal.SIGCONT)


class CutOff:
    def __init__(self, servers, *directions):
        self._wire = servers.wires[0]
        self._directions = directions

    def begin(self):
        self._wire.stall(*self._directions)

    def end(self):
        self._wire.heal()


KINDS = {"stopped": Stop, "cut off": CutOff, "cut off, nothing gets there": lambda servers: CutOff(servers, THERE),
         "cut off, nothing comes back": lambda servers: CutOff(servers, BACK)}
CASES = [(8, "stopped"), (8, "cut off")]
if IS_LONG:
    CASES += [(3, kind) for kind in KINDS] + [(30, kind) for kind in KINDS]


def read_all(person, run, seen):
    """As a client that stays with its server, and resumes when it is cut."""
    while not seen or not seen[-1].is_last:
        try:
            with person.follow(run, after=seen[-1].number if seen else 0) as feed:
                while feed.response.status == 200 and (event := feed.next()):
                    seen.append(event)
        except (OSError, feeds.Cut):
            pass
        time.sleep(0.1)


def first_answer(house, token):
    """But for those that say that it does not reach its database yet."""
    def answered():
        status = house.ask("GET", "/me", token).status
        return status != 503 and status
    return people.until(answered)


@pytest.mark.parametrize("seconds, kind", CASES)
def test_a_server_that_was_away_has_lost_its_rights(wired, seconds, kind):
    two = wired(2)
    owner, other = two.people
    absence = KINDS[kind](two)
    ben = two.houses[0].add("ben")
    token = two.houses[0].token_for(ben)
    assert two.houses[0].works(token["token"])  # It remembers that.
    run = owner.begin(f"{{words:{WORDS}}} {{delay_ms:{40 if seconds < 10 else 120}}}")
    here, there = [], []
    readers = [threading.Thread(target=read_all, args=(person, run, seen))
               for person, seen in ((owner, here), (other, there))]
    for reader in readers:
        reader.start()
    people.until(lambda: len(there) > 10)
    absence.begin()
    begun, watch = time.monotonic(), Stopwatch()
    try:
        assert two.houses[1].ask("DELETE", f"/users/{ben['id']}/tokens/{token['id']}",
                                 two.houses[1].admin).status == 204
        if seconds > LEASE:  # However late a busy machine is: it must not come back before.
            people.until(lambda: two.servers[1].log.entries(message="run taken over"))
            assert watch.seconds() < TAKE_OVER
        time.sleep(max(0.0, seconds - (time.monotonic() - begun)))
    finally:
        absence.end()
    watch = Stopwatch()
    assert first_answer(two.houses[0], token["token"]) == 401, "its memory is out of date"
    people.until(lambda: owner.query("hello").status == 200)
    assert watch.seconds() < (1 if kind == "stopped" else 3) * SLOW
    for reader in readers:
        reader.join()
    assert feeds.written(feeds.check_events(there)) == chats.words(WORDS)
    assert feeds.frames(here) == feeds.frames(there), "it has said what nobody else knows"
    assert len(two.servers[1].log.entries(message="run taken over")) == (seconds > LEASE)
    assert bool(two.servers[0].log.entries(message="this server was fenced by another; its runs continue there")) == (
        seconds > LEASE)
    assert feeds.frames(owner.events(run)) == feeds.frames(there)
