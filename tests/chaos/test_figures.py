"""How long servers that share a database take: to take over the runs of a dead one, and to refuse those who have lost
their rights.

In `make chaos MINUTES=30` or more each is done often, and the distribution is printed. PARLEY_TIMES=50 says how
often."""
import os
import random
import signal
import statistics
import threading
import time

import chats
import feeds
import people
import pytest
import wire
from replicas import IS_LONG, SLOW, TAKE_OVER, Replicas
from stopwatch import Stopwatch


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
    """Seconds from the death of a server, at any moment, to the next event of its run, for a reader on another one. Its
    stream has one end, and the same bytes as on the third server."""
    owner, reader, other = (three.people[(number + place) % 3] for place in range(3))
    run = owner.begin("{words:2000} {delay_ms:50}")
    last = random.randrange(2, 40)
    with reader.follow(run) as feed:
        seen = feed.until(lambda event: event.number == last)
        time.sleep(random.uniform(0, 0.1))
        three.servers[number].signal(signal.SIGKILL)
        watch = Stopwatch()
        # Events that were stored before the death arrive at once.
        seen += feed.until(lambda _: watch.seconds() > 1)
        silence = watch.seconds()
        reader.cancel(run)
        seen += feed.rest()
    assert feeds.check_events(seen)[-1].type == "run.cancelled"
    assert chats.words(2000).startswith(feeds.written(seen))
    assert feeds.digest(other.events(run)) == feeds.digest(seen)
    three.servers[number].wait()
    three.servers[number] = three.houses[number].server = three.started(number)
    return silence


def test_runs_of_a_dead_server_are_taken_over_in_time(three):
    silences = told("take-over", [silence_after_kill(three, number % 3) for number in range(how_often(3, 200))])
    assert silences[-1] < TAKE_OVER
    assert statistics.median(silences) < 6.5 * SLOW


def revoked(house, user):
    token = house.token_for(user)
    return token["token"], ("DELETE", f"/users/{user['id']}/tokens/{token['id']}", None)


def disabled(house, user):
    path = f"/users/{user['id']}"
    assert house.ask("PATCH", path, house.admin, {"disabled": False}).status == 200
    return house.token_for(user)["token"], ("PATCH", path, {"disabled": True})


def given_a_password(house, user):
    body = {"password": people.password_of(user["username"])}
    return house.login(user["username"])["access_token"], ("PATCH", f"/users/{user['id']}", body)


class Lost:
    """A token that loses its rights on one server while it is used on the two others."""

    def __init__(self, three, user, losing):
        self.three = three
        self.token, self._change = losing(three.houses[0], user)
        self.worst = 0.0
        self._lost_at = None

    def measure(self):
        """How long after the response to the change the last accepted request was sent."""
        house = self.three.houses[0]
        users = [threading.Thread(target=self._use, args=(server.address,)) for server in self.three.servers[1:]]
        for each in users:
            each.start()
        time.sleep(0.05)
        method, path, body = self._change
        answer = house.ask(method, path, house.admin, body)
        assert answer.status in (200, 204), answer.body
        self._lost_at = time.monotonic()
        for each in users:
            each.join()
        return self.worst

    def _use(self, address):
        with wire.Connection(address, timeout=60) as connection:
            while True:
                sent = time.monotonic()
                answer = connection.ask("GET", "/v1/api/me", {"Authorization": "Bearer " + self.token})
                if answer.status == 401:
                    return
                lost = self._lost_at
                # 503: it could not ask its database in time, and so has not accepted it.
                if lost and sent > lost and (answer.status != 503 or sent - lost > 10 * SLOW):
                    self.worst = max(self.worst, sent - lost)
                    if self.worst > 10 * SLOW:
                        return
                time.sleep(0.01)


@pytest.mark.parametrize("losing", [revoked, disabled, given_a_password])
def test_lost_rights_are_refused_on_all_servers_in_time(three, losing):
    users = [three.houses[0].add(f"user {number}") for number in range(4)]
    worst = []
    while len(worst) < how_often(12, 1000):
        worst += people.at_once(4, lambda number: Lost(three, users[number], losing).measure())
    assert told(losing.__name__, worst)[-1] < 1 * SLOW
