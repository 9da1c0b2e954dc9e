"""PostgreSQL waits for a synchronous standby that is not there: it answers everything but COMMIT. A change that waits
has happened and holds its locks, but nobody sees it yet; when the standby is back or no longer demanded, it is
over."""
import concurrent.futures
import signal
import time

import chats
import feeds
import people
import postgres
import pytest
import wire
from replicas import SLOW, Replicas
from stopwatch import Stopwatch
from wires import Wires
from world import is_ready

DATABASE = "parley"
REFUSED = 6 * SLOW  # Seconds until all that wait have an answer, but for those whose COMMIT was sent.
WRITERS = 12  # Of a server: so many COMMITs wait at most.
AT_ONCE = 2 * SLOW  # The same for later requests.
BACK = 5 * SLOW
END = 30
HANGING = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"


class Primary(postgres.Server):
    """It can lose a standby that it has never had."""

    def demand(self, standby):
        self.query(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        self.query("SELECT pg_reload_conf()")

    def hanging(self):
        """The number of COMMITs that wait for the standby."""
        return int(self.query("SELECT count(*) " + HANGING)[0])

    def incarnations(self):
        return self.query("SELECT name, incarnation, fenced FROM replicas ORDER BY incarnation", DATABASE)


@pytest.fixture(name="primary")
def new_primary():
    if not postgres.is_there():
        pytest.skip("PostgreSQL is not installed and cannot be installed here (tools/postgres)")
    server = Primary()
    yield server
    server.stop()


@pytest.fixture(name="clients")
def many_clients():
    with concurrent.futures.ThreadPoolExecutor(64) as threads:
        yield threads


def replicas(start, folder, primary, count):
    return Replicas(start, folder, count, urls=[primary.database(DATABASE)] * count)


def new_session(person):
    """Its status, and how long the answer took."""
    watch = Stopwatch()
    answer = person.request("POST", "/chat/sessions", {"title": "new"})
    if answer.status != 201:
        people.refused(answer, 503, "storage_unavailable")
        assert int(answer.header("retry-after")) <= 2
    return answer.status, watch.seconds()


def readiness(server):
    with wire.Connection(server.address) as connection:
        return connection.ask("GET", "/readyz").status


def lose_standby(primary, clients, person):
    """Requests for changes, of which the last one waits."""
    primary.demand("nobody")
    asking = []
    while not primary.hanging():  # PostgreSQL needs a moment for its new settings.
        if not asking or asking[-1].done():
            asking.append(clients.submit(new_session, person))
    return asking


def test_changes_are_refused_and_reads_go_on(start, tmp_path, primary, clients):
    three = replicas(start, tmp_path, primary, 3)
    before = primary.incarnations()
    run = three.people[0].begin("{words:300} {delay_ms:40}")
    asking = lose_standby(primary, clients, three.people[0])
    asking += [clients.submit(new_session, three.people[number % 3]) for number in range(60)]
    people.until(lambda: not any(readiness(server) == 200 or is_ready(server) for server in three.servers))
    for person in three.people:
        for _ in range(3):
            status, took = new_session(person)
            assert status == 503 and took < AT_ONCE, (status, took)
        assert person.run(run)["status"] == "running"  # Its events go on, too.
    cancelled = three.people[1].request("POST", f"/chat/runs/{run['id']}/cancel")
    people.refused(cancelled, 503, "storage_unavailable")  # Its server cannot be told.
    # Perhaps not all at the moment when the servers say that they cannot work.
    people.until(lambda: sum(each.done() for each in asking[-60:]) >= 60 - 3 * WRITERS)
    refused = [each.result() for each in asking[-60:] if each.done()]
    assert all(status == 503 for status, _ in refused), refused
    assert sum(took < REFUSED for _, took in refused) >= 60 - 3 * WRITERS, refused

    primary.demand("")
    watch = Stopwatch()
    people.until(lambda: all(is_ready(server) for server in three.servers))
    assert three.people[0].ask("hello")["status"] == "completed"
    assert watch.seconds() < BACK
    statuses = [each.result()[0] for each in asking]
    assert set(statuses) == {201, 503}
    # Those that failed have stored nothing, and those that succeeded stored it once.
    titles = [each["title"] for each in three.people[1].pages("/chat/sessions")]
    assert titles.count("new") == statuses.count(201)
    for person in three.people:
        assert feeds.written(person.events(run)) == chats.words(300)
    assert primary.incarnations() == before and len(before) == 3
    assert not any(server.log.entries(message="run taken over") for server in three.servers)


@pytest.mark.parametrize("is_held_open", [False, True], ids=["direct", "proxy"])
def test_a_failover_ends_it(start, tmp_path, primary, clients, is_held_open):
    """What asks the machine that has gone whether it stores changes has no answer, for as long as it waits."""
    name = primary.database(DATABASE).rpartition("/")[2].partition("?")[0]
    wires = Wires()
    try:
        gone, new = (wires.add(lambda: primary.socket) for _ in range(2))
        url = "postgresql://parley@%s:%d,%s:%d/" % (*gone.address, *new.address) + name
        person = Replicas(start, tmp_path, 1, urls=[url]).people[0]
        lose_standby(primary, clients, person)
        people.until(lambda: new_session(person)[1] < AT_ONCE)
        gone.vanish(is_held_open)
        primary.demand("")
        watch = Stopwatch()
        while new_session(person)[0] != 201 and watch.seconds() < 2 * BACK:
            time.sleep(0.1)
        assert watch.seconds() < 2 * BACK
    finally:
        wires.close()


def test_an_answer_never_promises_what_the_standby_lacks(start, tmp_path, primary, clients):
    """An administrator ends the wait of a COMMIT: it is visible then, but a failover would lose it."""
    person = replicas(start, tmp_path, primary, 1).people[0]
    stored = 0
    for end in ("pg_cancel_backend", "pg_terminate_backend"):
        # On a slow machine it may have begun to refuse changes.
        people.until(lambda: new_session(person)[0] == 201)
        asking = lose_standby(primary, clients, person)
        primary.query(f"SELECT {end}(pid) " + HANGING)
        people.until(lambda: primary.hanging() or asking[-1].done())  # pylint: disable=cell-var-from-loop
        assert not asking[-1].done(), asking[-1].result()
        primary.demand("")
        assert {each.result()[0] for each in asking} == {201}
        stored += 1 + len(asking)
    assert len(person.pages("/chat/sessions")) == stored


def test_a_server_ends_in_time(start, tmp_path, primary, clients):
    two = replicas(start, tmp_path, primary, 2)
    ending, other = two.people
    run = ending.begin("{words:200} {delay_ms:50}")
    key = {"Idempotency-Key": "unknown"}
    with other.follow(run) as feed:
        seen = feed.until(lambda event: event.number == 5)
        lose_standby(primary, clients, chats.somebody(two.houses[1], "ben"))
        hanging = primary.hanging()
        asked = clients.submit(ending.query, "hello", key, background=True)
        people.until(lambda: primary.hanging() > hanging)
        two.servers[0].signal(signal.SIGTERM)
        watch = Stopwatch()
        assert two.servers[0].wait() == 0
        assert watch.seconds() < END * SLOW
        people.refused(asked.result(), 503, "storage_unavailable")
        primary.demand("")
        # The other one takes over what was running, and what was begun though nobody knew.
        seen += feed.rest()
    assert feeds.written(feeds.check_events(seen)) == chats.words(200)
    again = people.until(lambda: [answer for answer in [other.query("hello", key, background=True)]
                                  if answer.status != 503])[0]
    assert again.status in (200, 202), again.body
    assert other.ended(again.json()["id"])["status"] == "completed"
    assert len(other.pages("/chat/runs")) == 2
