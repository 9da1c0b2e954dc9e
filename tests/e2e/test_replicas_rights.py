"""Rights that are taken away on one server, while another one cannot hear of it."""
import contextlib
import os
import signal
import time

import pytest

import chats
import feeds
import people
import postgres
from replicas import SLOW, Replicas, accepted_for
from stopwatch import Stopwatch
from wires import Wires


def revoke(house, user, token):
    answer = house.ask("DELETE", f"/users/{user['id']}/tokens/{token['id']}", house.admin)
    assert answer.status == 204, answer.body


def ben_on(houses):
    """A user, and a token that all of these servers know."""
    ben = houses[0].add("ben")
    token = houses[0].token_for(ben)
    assert all(house.works(token["token"]) for house in houses)
    return ben, token


def test_a_server_that_was_stopped_refuses_at_its_first_request(start, tmp_path):
    here, there = Replicas(start, tmp_path, 2).houses
    ben, token = ben_on((here, there))
    there.server.signal(signal.SIGSTOP)
    revoke(here, ben, token)
    time.sleep(1)
    there.server.signal(signal.SIGCONT)
    # Perhaps 503 for a moment, if it has not heard from its database for long.
    first = there.ask("GET", "/me", token["token"])
    assert first.status in (401, 503), first.body
    people.until(lambda: there.ask("GET", "/me", token["token"]).status == 401)


@pytest.mark.parametrize("directions", [(), ("there",), ("back",)], ids=["both", "requests", "answers"])
def test_a_server_without_its_database_accepts_no_revoked_token(start, tmp_path, directions):
    wires = Wires()
    url = postgres.url_for(tmp_path)
    database = url.partition("@/")[2].partition("?")[0]
    to_database = wires.add(lambda: postgres.shared().socket)
    try:
        two = Replicas(start, tmp_path, 2, urls=[
            url, "postgresql://parley@%s:%d/%s" % (*to_database.address, database)])
        here, there = two.houses
        ben, token = ben_on(two.houses)
        to_database.stall(*directions)
        revoke(here, ben, token)
        accepted = accepted_for(there, token["token"], time.monotonic(), (401, 503))
        assert accepted < 1 * SLOW, "a cached token is still accepted"
        to_database.heal()
        people.until(lambda: there.ask("GET", "/me", token["token"]).status == 401)
        there.server.signal(signal.SIGTERM)
        assert there.server.wait() == 0
    finally:
        wires.close()


@contextlib.contextmanager
def stalled_pulse(replicas, number):
    """PostgreSQL does not answer the pulses of a server. All other connections of the server work."""
    def stop():
        """Between two pulses, so that the process holds no lock."""
        pids = replicas.query(
            "SELECT pid FROM pg_stat_activity JOIN replicas ON application_name LIKE 'parley/' || incarnation || '/%'"
            f" WHERE datname = current_database() AND replicas.name = 'server{number}' AND NOT fenced"
            " AND state = 'idle' AND query LIKE 'WITH beat AS (UPDATE replicas%'")
        for pid in map(int, pids):
            os.kill(pid, signal.SIGSTOP)
            if replicas.query(f"SELECT state FROM pg_stat_activity WHERE pid = {pid}") == ["idle"]:
                return pid
            os.kill(pid, signal.SIGCONT)
        return None
    pid = people.until(stop)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_server_without_a_pulse_accepts_no_revoked_token(start, tmp_path):
    two = Replicas(start, tmp_path, 2)
    here, there = two.houses
    ben, token = ben_on(two.houses)
    with stalled_pulse(two, 1):
        revoke(here, ben, token)
        accepted = accepted_for(there, token["token"], time.monotonic(), (401, 503))
        assert accepted < 1 * SLOW, "a cached token is still accepted"
        assert there.ask("GET", "/me", token["token"]).status == 401
        assert there.ask("GET", "/me", two.token).status == 200, "its other connections work"


def disabled(house, user, _):
    assert house.ask("PATCH", f"/users/{user['id']}", house.admin, {"disabled": True}).status == 200


def given_another_password(house, user, _):
    body = {"password": people.password_of("another")}
    assert house.ask("PATCH", f"/users/{user['id']}", house.admin, body).status == 200


def changed_own_password(house, user, login):
    body = {"current_password": people.password_of(user["username"]), "new_password": people.password_of("another")}
    assert house.ask("PUT", "/me/password", login, body).status == 204


def test_disabled_users_and_old_logins_are_refused_everywhere_within_a_second(start, tmp_path):
    here, *others = Replicas(start, tmp_path, 3).houses
    for lose in (disabled, given_another_password, changed_own_password):
        user = here.add(f"one {lose.__name__}")
        changing, used = (here.login(user["username"])["access_token"] for _ in range(2))
        run = chats.Person(here, used).begin("{words:2000} {delay_ms:20}")
        with chats.Person(others[0], used).follow(run) as feed:
            feed.until(lambda event: event.number == 5)
            assert all(house.works(used) for house in others)
            lose(here, user, changing)
            lost = time.monotonic()
            watch = Stopwatch()
            accepted = people.at_once(2, lambda each: accepted_for(others[each], used, lost))
            assert max(accepted) < 1 * SLOW, lose.__name__
            assert not any(house.works(used) for house in others)
            _, was_cut = feed.until_cut()
            assert was_cut and watch.seconds() < 1.5 * SLOW, lose.__name__
        assert here.ask("DELETE", f"/users/{user['id']}", here.admin).status == 204


def test_a_deleted_user_is_gone_on_all_servers(start, tmp_path):
    three = Replicas(start, tmp_path, 3)
    ben, token = ben_on(three.houses)
    run = chats.Person(three.houses[0], token["token"]).begin("{words:2000} {delay_ms:20}")
    assert three.houses[1].ask("DELETE", f"/users/{ben['id']}", three.houses[1].admin).status == 204
    watch = Stopwatch()
    for house in three.houses:
        people.until(lambda one=house: one.ask("GET", "/me", token["token"]).status == 401)
        assert house.ask("GET", f"/users/{ben['id']}", house.admin).status == 404
    assert three.servers[0].log.wait_for(message="run ended", run_id=run["id"], timeout=5 * SLOW)
    assert watch.seconds() < 1 * SLOW
    assert three.query("SELECT count(*) FROM runs") == ["0"]
    assert people.until(lambda: three.query("SELECT count(*) FROM run_events") == ["0"])


def log_of(house, token):
    feed = feeds.Feed(house.server, "GET", "/events?after=latest", token["token"])
    assert feed.response.status == 200
    return feed


def test_the_event_streams_of_a_deleted_user_end_on_all_servers(start, tmp_path):
    here, there = Replicas(start, tmp_path, 2).houses
    for turn in range(6):
        ben = here.add(f"ben {turn}")
        token = here.token_for(ben)
        with log_of(there, token) as log:
            chats.Person(there, token["token"]).begin("{words:400} {delay_ms:15}")
            assert log.next().type == "chat.session.created"
            assert here.ask("DELETE", f"/users/{ben['id']}", here.admin).status == 204
            watch = Stopwatch()
            log.until_cut()
            assert watch.seconds() < 5 * SLOW
    there.server.signal(signal.SIGTERM)
    assert there.server.wait() == 0
    there.server.check_log()


def test_a_stream_is_cut_though_its_server_could_not_ask_about_its_token(start, tmp_path):
    wires = Wires()
    url = postgres.url_for(tmp_path)
    database = url.partition("@/")[2].partition("?")[0]
    to_database = wires.add(lambda: postgres.shared().socket)
    try:
        here, there = Replicas(start, tmp_path, 2, urls=[
            url, "postgresql://parley@%s:%d/%s" % (*to_database.address, database)]).houses
        for number in range(3):
            ben = here.add(f"ben {number}")
            tokens = [here.token_for(ben) for _ in range(5)]
            with contextlib.ExitStack() as stack:
                logs = [stack.enter_context(log_of(there, token)) for token in tokens]
                for token in tokens:
                    revoke(here, ben, token)
                # The server hears of them and is cut off, at about the same time.
                time.sleep(0.1 * number)
                to_database.stall()
                time.sleep(2)
                to_database.heal()
                healed = time.monotonic()
                for log in logs:
                    log.until_cut()
                assert time.monotonic() - healed < 15 * SLOW
    finally:
        wires.close()
