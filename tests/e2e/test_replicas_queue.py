"""The line of waiting runs that several servers on one database share."""
import contextlib
import itertools
import re
import signal
import subprocess
import tempfile
import time

import pytest

import chats
import feeds
import people
import postgres
import upstream_ways
import upstreams
from replicas import TAKE_OVER, Replicas

FOREVER = "{first_delay_ms:60000} hello"
SHORT = "{words:3} {delay_ms:60}"


def somebody_on_all(replicas, name):
    """A user, as seen by each server."""
    house = replicas.houses[0]
    return replicas.with_token(house.token_for(house.add(name))["token"])


@contextlib.contextmanager
def counted_places(replicas):
    """Counts the running runs in the table, a hundred times a second. Gives a list that has all counts at the
    end."""
    counts = []
    with tempfile.TemporaryFile("w+", encoding="utf-8") as seen, subprocess.Popen(
            [postgres.shared().programs / "psql", "-XAtq", replicas.url], stdin=subprocess.PIPE, stdout=seen,
            text=True) as watching:
        watching.stdin.write("SELECT 'running ' || count(*) FROM runs WHERE status = 'running' AND completed_ms"
                             " IS NULL \\watch 0.01\n")
        watching.stdin.flush()
        try:
            yield counts
        finally:
            watching.send_signal(signal.SIGTERM)
            watching.wait()
            seen.seek(0)
            counts += map(int, re.findall(r"^running (\d+)$", seen.read(), re.MULTILINE))


def waiting_now(replicas):
    """The ids of the runs that wait."""
    return set(replicas.query("SELECT id FROM runs WHERE status = 'queued' AND completed_ms IS NULL"))


def overtook(replicas, person, run, waiting):
    """How many of the runs that waited together with this one began before it."""
    begun = person.ended(run)["started_at"]
    ids = ", ".join(f"'{each}'" for each in waiting)
    starts = replicas.query("SELECT started_ms FROM runs WHERE started_ms IS NOT NULL"
                            f" AND id IN ({ids})") if ids else []
    return sum(int(start) < round(people.at(begun) * 1000) for start in starts)


@contextlib.contextmanager
def held_places(*holders):
    """All places, one each, are taken by runs of these people until the end."""
    running = [person.begin(FOREVER) for person in holders]
    for person, run in zip(holders, running):
        person.when(run, "running")
    yield
    for person, run in zip(holders, running):
        person.cancel(run)


def test_one_question_is_not_held_up_by_a_hundred_of_another_user(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"runs.max_concurrent": 2})
    ben = somebody_on_all(three, "ben")
    for number in range(100):
        three.people[number % 3].begin("{words:20} {delay_ms:100}")
    for person in ben:
        asked = person.begin("{words:2} {delay_ms:1}")
        assert asked["queue_position"] in (None, 1), asked
        waiting = waiting_now(three)
        assert person.ended(asked)["status"] == "completed"
        # Each server keeps one place for another user, so that the others have three.
        before = overtook(three, person, asked, waiting)
        assert before < 3, f"it waited for {before} of the others, which is a turn"


def test_users_on_different_servers_take_turns(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"cluster.max_concurrent": 2})
    ben, cem, dan = (somebody_on_all(three, name) for name in ("ben", "cem", "dan"))
    with held_places(cem[2], dan[2]):
        of_ana = [three.people[0].begin(SHORT) for _ in range(10)]
        of_ben = [ben[1].begin(SHORT) for _ in range(10)]
    ended = {}
    for name, person, runs in (("ana", three.people[2], of_ana), ("ben", ben[0], of_ben)):
        ended[name] = [person.ended(run) for run in runs]
        starts = [run["started_at"] for run in ended[name]]
        assert starts == sorted(starts), "each user's own are in order"
    both_wait = min(runs[-1]["started_at"] for runs in ended.values())
    for name, runs in ended.items():
        for earlier, later in itertools.pairwise(runs):
            # While both wait, each has one of the two places.
            if later["started_at"] < both_wait:
                assert earlier["completed_at"] <= later["started_at"], f"{name} had both places"


def test_one_question_waits_for_one_turn_of_two_users_on_other_servers(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"cluster.max_concurrent": 2})
    ben, cem, dan, eva = (somebody_on_all(three, name) for name in ("ben", "cem", "dan", "eva"))
    with held_places(dan[2], eva[2]):
        for _ in range(8):
            three.people[0].begin(SHORT)
            ben[1].begin(SHORT)
        one = cem[2].begin(SHORT)
        waiting = waiting_now(three)
        assert len(waiting) == 17
    before = overtook(three, cem[0], one, waiting)
    assert before <= 2, f"{before} of the others' went first"


def test_a_free_server_takes_what_waits_elsewhere(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"runs.max_concurrent": 1})
    asked, _ = two.people
    running = asked.begin(FOREVER)
    asked.when(running, "running")
    second = asked.begin("{words:20} {delay_ms:20}")
    with asked.follow(second) as feed:
        assert feeds.written(feeds.check_events(feed.rest())) == chats.words(20)
    third = asked.begin(FOREVER)
    asked.when(third, "running")
    assert {two.server_of(running), two.server_of(third)} == {0, 1}
    for run in (running, third):
        asked.cancel(run)
        assert asked.ended(run)["status"] == "cancelled"


def test_positions_are_those_of_all_servers(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"cluster.max_concurrent": 1})
    running = three.people[0].begin(FOREVER)
    three.people[1].when(running, "running")
    waiting = [three.people[number].begin(f"number {number}") for number in range(3)]
    assert [run["status"] for run in waiting] == ["queued"] * 3
    assert [run["queue_position"] for run in waiting] == [1, 2, 3]
    for person in three.people:
        assert [person.run(run)["queue_position"] for run in waiting] == [1, 2, 3]
        listed = {run["id"]: run["queue_position"] for run in person.pages("/chat/runs")}
        assert [listed[run["id"]] for run in waiting] == [1, 2, 3] and listed[running["id"]] is None
    with three.people[0].follow(waiting[1]) as feed:
        assert feed.next().data["run"]["queue_position"] == 2
        three.people[2].cancel(waiting[1])
        assert [event.type for event in feed.rest()] == ["run.cancelled"]
    assert [three.people[2].run(waiting[0])["queue_position"],
            three.people[1].run(waiting[2])["queue_position"]] == [1, 2], "the others move up"
    waited = three.people[0].query("later", {"Prefer": "wait=1"})
    assert waited.status == 202 and waited.json()["queue_position"] == 3
    assert waited.header("preference-applied") == "wait=1"
    three.people[1].cancel(running)
    ended = [three.people[0].ended(run) for run in (waiting[0], waiting[2], waited.json())]
    assert [chats.text_of(run["message"]) for run in ended] == ["number 0", "number 2", "later"]


def test_a_full_line_is_full_on_all_servers(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"cluster.max_concurrent": 1, "runs.max_queued": 2})
    ben = somebody_on_all(two, "ben")
    running = two.people[0].begin(FOREVER)
    waiting = [two.people[0].begin("waits"), ben[1].begin("waits")]
    for person in (*two.people, *ben):
        response = person.query("too many")
        people.refused(response, 503, "overloaded")
        assert int(response.header("retry-after")) >= 1
    two.people[1].cancel(running)
    assert two.people[1].ended(waiting[0])["status"] == ben[0].ended(waiting[1])["status"] == "completed"


@pytest.mark.parametrize("ends", ["well", "badly"])
def test_the_places_of_all_servers_are_never_exceeded(start, tmp_path, ends):
    """Under load from two users on three servers; one of the servers is killed while it has runs."""
    three = Replicas(start, tmp_path, 3, {"runs.max_concurrent": 3, "cluster.max_concurrent": 4})
    ben = somebody_on_all(three, "ben")
    with counted_places(three) as counts:
        # Long enough to be there when its server is killed.
        runs = [(0, three.people[0].begin("{words:80} {delay_ms:100}"), 80)] if ends == "badly" else []
        for number in range(40):
            if ends == "badly" and number == 3:
                three.kill(0)
            server = number % 3 if ends == "well" or number < 3 else 1 + number % 2
            person = (three.people, ben)[number % 2][server]
            runs.append((number % 2, person.begin("{words:8} {delay_ms:40}"), 8))
        for of_ben, run, words in runs:
            person = (three.people, ben)[of_ben][1]
            assert feeds.written(person.events(run)) == chats.words(words)
    if ends == "badly":
        assert three.server_of(runs[0][1]) != 0, "another server took it over"
    assert len(counts) > 20 and 2 <= max(counts) <= 4
    assert three.query("SELECT count(*) FROM runs WHERE completed_ms IS NULL") == ["0"]


def test_all_places_of_all_servers_are_used(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"runs.max_concurrent": 2, "cluster.max_concurrent": 4})
    ben = somebody_on_all(three, "ben")
    of_ana = [three.people[0].begin(FOREVER) for _ in range(3)]
    of_ben = [ben[0].begin(FOREVER) for _ in range(3)]
    assert people.until(lambda: three.query("SELECT count(*) FROM runs WHERE status = 'running'") == ["4"])
    statuses = ([three.people[1].run(run)["status"] for run in of_ana]
                + [ben[1].run(run)["status"] for run in of_ben])
    assert sorted(statuses) == ["queued"] * 2 + ["running"] * 4
    for person, runs in ((three.people[2], of_ana), (ben[2], of_ben)):
        for run in runs:
            person.cancel(run)
        assert {person.ended(run)["status"] for run in runs} == {"cancelled"}


def test_places_of_a_killed_server_become_free(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"cluster.max_concurrent": 1})
    dying, other = two.people
    running = dying.begin("{words:80} {delay_ms:100}")
    dying.when(running, "running")
    assert two.server_of(running) == 0
    waiting = dying.begin(SHORT)
    assert waiting["status"] == "queued"
    two.kill(0)
    killed = time.monotonic()
    assert feeds.written(other.events(running)) == chats.words(80)
    assert feeds.written(other.events(waiting)) == chats.words(3)
    assert time.monotonic() - killed < TAKE_OVER + 30
    ended, begun = other.run(running)["completed_at"], other.run(waiting)["started_at"]
    assert people.at(ended) <= people.at(begun)


def test_a_model_that_cannot_continue_answers_what_waited(start, tmp_path):
    """The run has its first event when it is taken; it has not begun before."""
    with upstreams.mock() as mock:
        settings = upstreams.settings_of(mock, upstreams.write_key(tmp_path), "silent", "ok")
        two = Replicas(start, tmp_path, 2, {**settings, "cluster.max_concurrent": 1})
        running = two.people[0].begin("Hello?", model="silent")
        two.people[0].when(running, "running")
        waiting = two.people[0].begin("Hello?", model="ok")
        assert waiting["status"] == "queued"
        two.people[1].cancel(running)
        done = two.people[1].ended(waiting)
        assert done["status"] == "completed"
        assert chats.text_of(done["message"]) == upstream_ways.TEXT


def test_a_server_that_ends_takes_nothing_more(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"cluster.max_concurrent": 1, "cluster.drain_s": 1})
    ending, other = two.people
    running = ending.begin("{words:200} {delay_ms:50}")
    ending.when(running, "running")
    waiting = [ending.begin(SHORT) for _ in range(3)]
    two.servers[0].signal(signal.SIGTERM)
    for run in (running, *waiting):
        assert other.ended(run)["status"] == "completed"
    assert two.servers[0].wait() == 0
    assert [two.server_of(run) for run in waiting] == [1] * 3


def test_queued_runs_survive_the_death_of_all_servers(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"runs.max_concurrent": 2})
    runs = [three.people[number % 3].begin("{words:10} {delay_ms:50}") for number in range(30)]
    for server in three.servers:
        server.signal(signal.SIGKILL)
    for server in three.servers:
        server.wait()
    for number, house in enumerate(three.houses):
        three.servers[number] = house.server = three.started(number)
    person = three.people[0]
    for run in runs:
        assert feeds.written(person.events(run)) == chats.words(10)
    assert people.until(lambda: three.query("SELECT count(*) FROM run_events") == ["0"])
    assert three.query("SELECT count(*) FROM runs") == ["30"]
