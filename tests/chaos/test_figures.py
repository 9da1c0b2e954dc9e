"""How long servers that share a database take: to take over the runs of a dead one, and to refuse a revoked token.

In `make chaos MINUTES=30` or more each is done often, and the distribution is printed. PARLEY_TIMES=50 says how
often."""
import os
import signal
import statistics
import threading
import time

import people
import pytest
import wire
from replicas import SLOW, TAKE_OVER, Replicas

IS_LONG = float(os.environ.get("PARLEY_CHAOS_MINUTES", 0)) >= 30


def how_often(short, full):
    return int(os.environ.get("PARLEY_TIMES", full if IS_LONG else short))


def told(name, seconds):
    ordered = sorted(seconds)
    print(f"{name}: {len(ordered)} times, median {statistics.median(ordered):.2f} s,"
          f" 99% {ordered[int(len(ordered) * 0.99)]:.2f} s, worst {ordered[-1]:.2f} s")
    return ordered


@pytest.fixture(name="three")
def three_servers(start, tmp_path):
    return Replicas(start, tmp_path, 3, {"limits.window_s": 1})


def silence_after_kill(three, number):
    """Seconds from the death of a server to the next event of its run, for a reader on another one."""
    owner, reader = three.people[number], three.people[(number + 1) % 3]
    run = owner.begin("{words:2000} {delay_ms:50}")
    with reader.follow(run) as feed:
        feed.until(lambda event: event.number == 5)
        three.servers[number].signal(signal.SIGKILL)
        killed = time.monotonic()
        # Events that were stored before the death arrive at once.
        feed.until(lambda _: time.monotonic() - killed > 1)
        silence = time.monotonic() - killed
        reader.cancel(run)
        feed.rest()
    three.servers[number].wait()
    three.servers[number] = three.houses[number].server = three.started(number)
    return silence


def test_runs_of_a_dead_server_are_taken_over_in_time(three):
    silences = told("take-over", [silence_after_kill(three, number % 3) for number in range(how_often(3, 200))])
    assert silences[-1] < TAKE_OVER
    assert statistics.median(silences) < 6.5 * SLOW


class Revoked:
    """A token that is revoked while it is used on two other servers."""

    def __init__(self, three, user):
        self.three = three
        self.user = user
        self.token = three.houses[0].token_for(user)
        self.worst = 0.0
        self._revoked_at = None

    def measure(self):
        """How long after the response to the revocation the last accepted request was sent."""
        house = self.three.houses[0]
        users = [threading.Thread(target=self._use, args=(server.address,)) for server in self.three.servers[1:]]
        for each in users:
            each.start()
        time.sleep(0.05)
        answer = house.ask("DELETE", f"/users/{self.user['id']}/tokens/{self.token['id']}", house.admin)
        assert answer.status == 204, answer.body
        self._revoked_at = time.monotonic()
        for each in users:
            each.join()
        return self.worst

    def _use(self, address):
        with wire.Connection(address, timeout=60) as connection:
            while True:
                sent = time.monotonic()
                answer = connection.ask("GET", "/v1/api/me", {"Authorization": "Bearer " + self.token["token"]})
                if answer.status == 401:
                    return
                assert answer.status == 200, answer.body
                revoked = self._revoked_at
                if revoked and sent > revoked:
                    self.worst = max(self.worst, sent - revoked)
                time.sleep(0.01)


def test_a_revoked_token_is_refused_on_all_servers_in_time(three):
    user = three.houses[0].add("ben")

    worst = []
    while len(worst) < how_often(20, 1000):
        worst += people.at_once(4, lambda _: Revoked(three, user).measure())
    assert told("revocation", worst)[-1] < 1 * SLOW
