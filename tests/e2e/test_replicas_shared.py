"""State that several servers on one database share: logins, cursors, limits, automations and webhooks."""
import collections
import signal
import time

import pytest

import automations
import chats
import feeds
import people
import postgres
import program
import receivers
from replicas import SLOW, Replicas, accepted_for
from stopwatch import Stopwatch


@pytest.fixture(name="three")
def three_servers(start, tmp_path):
    return Replicas(start, tmp_path, 3, {"webhooks.allow_http": "true", "webhooks.allowed_networks": "127.0.0.0/8",
                                         "limits.automation": 1000})


def test_any_server_takes_the_set_up_code_of_another(start, tmp_path):
    settings = {**chats.ROOMY, "store.url": postgres.url_for(tmp_path)}
    one, other = (people.House(start("--data", str(tmp_path / name), settings=settings)) for name in "ab")
    code = one.setup_code()
    assert other.setup_code() == code
    made = other.ask("POST", "/auth/setup", one.client_token, {
        "setup_code": code, "username": "olga", "password": people.password_of("olga"), "display_name": "Olga"})
    assert made.status == 201, made.body
    again = one.ask("POST", "/auth/setup", one.client_token, {
        "setup_code": code, "username": "eve", "password": people.password_of("eve"), "display_name": "Eve"})
    assert again.status in (403, 409), again.body


def test_a_login_is_valid_on_all_servers(three):
    here, there, elsewhere = three.houses
    here.add("ben")
    login = here.login("ben")
    assert there.works(login["access_token"])
    refreshed = elsewhere.refresh(login["refresh_token"], here.client_token)
    assert refreshed.status == 200, refreshed.body
    renewed = refreshed.json()["access_token"]
    assert here.works(renewed) and there.works(renewed)
    assert there.ask("POST", "/auth/logout", renewed).status == 204
    assert accepted_for(here, renewed, time.monotonic()) < 1 * SLOW
    assert not here.works(renewed)


def test_a_cursor_of_one_server_is_a_cursor_of_all(three):
    here, there, _ = three.people
    for number in range(5):
        assert here.request("POST", "/chat/sessions", {"title": f"session {number}"}).status == 201
    page = here.get("/chat/sessions?limit=2")
    rest = there.get(f"/chat/sessions?limit=3&after={page['next_cursor']}")
    assert len({session["id"] for session in page["data"] + rest["data"]}) == 5


def test_limits_count_for_all_servers_together(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"limits.chat": 40})
    answers = people.at_once(60, lambda number: three.people[number % 3].query("hello"))
    counted = collections.Counter(answer.status for answer in answers)
    assert counted == {200: 40, 429: 20}
    for answer in answers:
        if answer.status == 429:
            assert 1 <= int(answer.header("retry-after")) <= 60
    # A server that was killed has left its admissions to the others.
    three.servers[0].signal(signal.SIGKILL)
    three.servers[0].wait()
    for person in three.people[1:]:
        assert person.query("hello").status == 429


def test_starts_of_automations_count_for_all_servers_together(start, tmp_path):
    three = Replicas(start, tmp_path, 3, {"limits.automation": 4})
    token = three.houses[0].token_for(three.houses[0].add("ben"), scopes=automations.SCOPES)["token"]
    bens = three.with_token(token)
    made = automations.created(bens[0], overlap="allow")
    for person in bens:
        automations.started(person, made, {"inputs": [{} for _ in range(6)]})

    def begun():
        return [row for row in automations.rows(bens[1], made) if row["started_at"]]
    people.until(lambda: len(begun()) == 4)
    until = time.monotonic() + 12  # Each server looks for rows of the others every 5 seconds.
    while time.monotonic() < until:
        assert len(begun()) == 4
        time.sleep(0.5)
    assert bens[2].ask("hello")["status"] == "completed", "people are not held up"


def test_a_limit_that_cannot_be_shared_is_refused(tmp_path):
    done = program.run("serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0",
                       "--set", "store.url=" + postgres.url_for(tmp_path), "--set", "limits.chat=1001")
    assert done.returncode == 1
    assert "limits.chat is 1001: with store.url" in done.stderr, done.stderr


def test_a_due_automation_runs_once(three):
    person = automations.automator(three.houses[0], "ben")
    made = [automations.created_due(person, 2.5) for _ in range(10)]
    for automation in made:
        rows = people.until(lambda one=automation: automations.rows(person, one))
        assert len(rows) == 1
        assert automations.ended(person, rows[0])["status"] == "completed"
    time.sleep(1.5)
    runs = person.pages("/chat/runs")
    assert len(runs) == 10
    for automation in made:
        assert len(automations.rows(person, automation)) == 1


def test_an_automation_is_due_though_its_server_dies(three):
    person = automations.automator(three.houses[0], "ben")
    made = automations.created_due(person, 3, message="{words:5}")
    three.servers[0].signal(signal.SIGKILL)
    three.servers[0].wait()
    there = chats.Person(three.houses[1], person.token)
    rows = people.until(lambda: automations.rows(there, made))
    assert automations.ended(there, rows[0])["status"] == "completed"
    assert len(automations.rows(there, made)) == 1


def test_each_event_is_delivered_once_whichever_server_it_happens_on(three):
    with receivers.Receiver() as receiver:
        everywhere = three.with_token(automations.automator(three.houses[0], "ben").token)
        made = receivers.created(everywhere[1], receiver.url())  # Not on the server that sends.
        sessions = [receivers.happen(everywhere[number % 3])["id"] for number in range(12)]
        watch = Stopwatch()
        receiver.wait_for(12)
        assert watch.seconds() < 3 * SLOW
        # A delivery that was not settled before its server died is sent again.
        people.until(lambda: [each["status"] for each in receivers.deliveries(everywhere[1], made)] ==
                     ["succeeded"] * 12)
        three.servers[0].signal(signal.SIGKILL)  # The one that sends.
        three.servers[0].wait()
        sessions += [receivers.happen(everywhere[1 + number % 2])["id"] for number in range(6)]
        receiver.wait_for(18, 15 * SLOW)
        time.sleep(1)
        told = collections.Counter(event["data"]["id"] for event in receiver.events())
        assert told == {session: 1 for session in sessions}


def test_events_are_sent_once_another_server_enables_the_user(three):
    here, there, _ = three.houses
    with receivers.Receiver() as receiver:
        owner = here.add("emil")
        token = here.token_for(owner, scopes=automations.SCOPES)["token"]
        emil = three.with_token(token)[2]
        receivers.created(emil, receiver.url(), event_types=["chat.run.*"])
        emil.begin("{first_delay_ms:5000} late")  # It must not end before the user is disabled.
        path = f"/users/{owner['id']}"
        assert there.ask("PATCH", path, there.admin, {"disabled": True}).status == 200
        people.until(lambda: three.query("SELECT count(*) FROM runs WHERE completed_ms IS NULL") == ["0"])
        time.sleep(1 * SLOW)
        before = len(receiver.received)
        # Not by the server that sends.
        assert there.ask("PATCH", path, there.admin, {"disabled": False}).status == 200
        receiver.wait_for(before + 1, 15 * SLOW)


def test_a_server_that_ends_leaves_webhooks_to_another_at_once(three):
    with receivers.Receiver() as receiver:
        everywhere = three.with_token(automations.automator(three.houses[0], "ben").token)
        receivers.created(everywhere[0], receiver.url())
        everywhere[0].begin("{words:100} {delay_ms:50}")  # Keeps it from ending at once.
        three.servers[0].signal(signal.SIGTERM)
        three.servers[0].wait_until_draining()
        watch = Stopwatch()
        receivers.happen(everywhere[2])
        receiver.wait_for(2)
        assert watch.seconds() < 4 * SLOW
        assert three.servers[0].wait() == 0


def test_what_a_killed_server_stored_last_is_heard_on_the_others(three):
    """It tells them four times a second that a log has grown, and is killed before."""
    with receivers.Receiver() as receiver:
        everywhere = three.with_token(automations.automator(three.houses[0], "ben").token)
        receivers.created(everywhere[0], receiver.url())
        with feeds.Feed(three.servers[2], "GET", "/events?types=chat.session.*&after=0", everywhere[2].token) as feed:
            sessions = []
            for number in (1, 0):  # The second one has sent webhooks.
                sessions.append(receivers.happen(everywhere[number])["id"])
                three.kill(number)
                assert feed.until(lambda event: True)[0].data["data"]["id"] == sessions[-1]
                people.until(lambda: {event["data"]["id"] for event in receiver.events()} == set(sessions))
