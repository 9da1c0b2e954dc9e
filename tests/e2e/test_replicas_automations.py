"""Automations, hooks, events and webhooks of several servers on one database: each happens once, and in order."""
import contextlib
import datetime
import json

import pytest

import automations
import chats
import feeds
import hooks
import people
import receivers
from replicas import SLOW, Replicas

CALLS = 48
ONCE = {"max_attempts": 1, "backoff_s": 1}


@pytest.fixture(name="three")
def three_servers(start, tmp_path):
    return Replicas(start, tmp_path, 3, {"webhooks.allow_http": "true", "webhooks.allowed_networks": "127.0.0.0/8",
                                         "limits.automation": 1000, "limits.hook": 1000})


def on_all(three, name="ben", **options):
    """One user with all scopes, as seen by each server."""
    house = three.houses[0]
    return three.with_token(house.token_for(house.add(name), scopes=automations.SCOPES, **options)["token"])


def test_equal_calls_to_all_servers_start_once(three):
    bens = on_all(three)
    made = hooks.created(bens[0])

    def call(number):
        return hooks.call(three.houses[number % 3], made, {"n": number}, {"webhook-id": "same"})
    answers = people.at_once(CALLS, call)
    assert sorted(each.status for each in answers) == [200] * (CALLS - 1) + [202]
    assert len({each.json()["id"] for each in answers}) == 1
    [row] = automations.rows(bens[1], made)
    assert len(bens[2].messages(automations.ended(bens[2], row)["session_id"])) == 2
    # The secret is replaced on one server, and at once on all.
    rotated = bens[1].request("POST", f"/automations/{made['id']}/hook/rotate", {"overlap_s": 0}).json()
    for house in three.houses:
        people.refused(hooks.call(house, made), 401, "invalid_token")
        assert hooks.call(house, rotated).status == 202


def test_one_key_on_all_servers_is_one_row(three):
    bens = on_all(three)
    made = automations.created(bens[0], message="{{n}}", variables=[{"name": "n"}])

    def start(number):
        return bens[number % 3].request("POST", f"/automations/{made['id']}/runs",
                                        {"inputs": [{"key": f"row-{n}", "variables": {"n": number}} for n in range(5)]})
    answers = people.at_once(12, start)
    assert {each.status for each in answers} == {200, 202}
    assert len({tuple(row["id"] for row in each.json()["data"]) for each in answers}) == 1
    assert len(automations.rows(bens[1], made)) == 5


def test_a_budget_is_that_of_all_servers(three):
    bens = on_all(three)
    made = automations.created(bens[0], message="{first_delay_ms:300} {words:400}", overlap="allow",
                               max_output_tokens=400, output_tokens_per_day=1000)
    begun = people.at_once(20, lambda number: automations.started(bens[number % 3], made))
    done = [automations.ended(bens[2], each) for each in begun]
    assert sorted((each["status"], each["skip_reason"] or "") for each in done) == [
        ("completed", "")] * 2 + [("skipped", "budget")] * 18


def test_a_retry_outlives_the_servers_of_the_first_attempt(three):
    bens = on_all(three)
    made = automations.created(bens[0], message="{error:upstream_error}", retry={"max_attempts": 2, "backoff_s": 10})
    row = automations.started(bens[0], made)
    people.until(lambda: automations.row(bens[1], row)["status"] == "waiting")
    for number in (0, 1):
        three.kill(number)
    done = automations.ended(bens[2], row)
    assert done["status"] == "failed" and len(done["attempts"]) == 2
    first, second = done["attempts"]
    assert people.at(second["started_at"]) - people.at(first["completed_at"]) >= 10
    assert len([each for each in bens[2].messages(done["session_id"]) if each["role"] == "user"]) == 1


def test_an_event_of_any_server_makes_it_due_once(three):
    bens = on_all(three)
    listener = automations.created(bens[0], message="{{id}}", variables=[{"name": "id", "pointer": "/data/id"}],
                                   overlap="allow", retry=ONCE, session={"policy": "new", "keep": None},
                                   trigger={"type": "event", "event_types": ["chat.session.created"]})
    sessions = people.at_once(24, lambda number: receivers.happen(bens[number % 3])["id"])
    three.kill(0)
    sessions += [receivers.happen(bens[1 + number % 2])["id"] for number in range(6)]
    people.until(lambda: len(automations.rows(bens[1], listener)) >= len(sessions))
    rows = [automations.ended(bens[2], each) for each in automations.rows(bens[1], listener)]
    assert sorted(each["message"] for each in rows) == sorted(sessions)
    assert {each["status"] for each in rows} == {"completed"}


def test_the_log_has_the_same_bytes_on_all_servers(three):
    bens = on_all(three)

    def busy(number):
        ben = bens[number % 3]
        for turn in range(4):
            path = f"/chat/sessions/{ben.ask(f'hello {number} {turn}')['session_id']}"
            assert ben.request("PATCH", path, {"title": f"{turn}"}).status == 200
            if turn % 2:
                assert ben.request("DELETE", path).status == 204
        return True
    last = 1 + 9 * (4 * 4 + 2)  # The first one is the token.
    with contextlib.ExitStack() as opened:
        streams = [opened.enter_context(feeds.Feed(ben.house.server, "GET", "/events?after=0", ben.token))
                   for ben in bens]
        assert people.at_once(9, busy) == [True] * 9
        seen = [stream.until(lambda event: event.number == last) for stream in streams]
    assert feeds.frames(seen[0]) == feeds.frames(seen[1]) == feeds.frames(seen[2])
    assert [event.number for event in seen[0]] == list(range(1, last + 1))
    for ben in bens:
        assert ben.pages("/events") == [event.data for event in seen[0]]


def test_an_ordered_webhook_keeps_the_order_of_all_servers(three):
    tries = {}

    def answer(_, request):
        number = json.loads(request.body)["sequence_number"]
        tries[number] = tries.get(number, 0) + 1
        return 500 if len(tries) == 3 and tries[number] == 1 else 200
    with receivers.Receiver(answer) as receiver:
        bens = on_all(three)
        made = receivers.created(bens[2], receiver.url(), ordered=True)
        sessions = [receivers.happen(bens[number % 3])["id"] for number in range(9)]
        people.until(lambda: len(tries) >= 3)  # More if a busy machine sees it late.
        three.kill(0)  # The one that sends: another one goes on, also with the event that failed.
        sessions += [receivers.happen(bens[1 + number % 2])["id"] for number in range(3)]
        people.until(lambda: len(receivers.deliveries(bens[1], made, status="succeeded")) == 12, 60 * SLOW)
        told = [event["data"]["id"] for event in receiver.events()]
        assert [each for number, each in enumerate(told) if each not in told[:number]] == sessions
        assert [sessions.index(each) for each in told] == sorted(sessions.index(each) for each in told)
        assert told.count(sessions[2]) >= 2


def test_a_test_clock_is_that_of_all_servers(three):
    testers = on_all(three, test=True)
    hourly = automations.created(testers[0], session={"policy": "new", "keep": None}, trigger={
        "type": "schedule", "cron": "0 * * * *", "time_zone": "UTC"})
    end = datetime.datetime.fromisoformat(hourly["next_at"]) + datetime.timedelta(hours=39)
    clock = {"now": end.isoformat(timespec="milliseconds").replace("+00:00", "Z")}

    def move(number):
        return testers[number % 3].request("PUT", "/test_clock", clock).status
    assert people.at_once(6, move) == [200] * 6
    assert [each.get("/test_clock")["now"] for each in testers] == [clock["now"]] * 3
    rows = automations.rows(testers[2], hourly)
    assert len(rows) == 40 == len({each["scheduled_for"] for each in rows})
    assert {automations.ended(testers[0], each)["status"] for each in rows} == {"completed"}
    assert len(testers[1].pages("/chat/runs")) == 40


def test_another_server_cancels_and_deletes(three):
    bens = on_all(three)
    made = automations.created(bens[0], message="{first_delay_ms:60000}", overlap="allow")
    one, two = [automations.started(bens[0], made) for _ in range(2)]
    for each in (one, two):
        people.until(lambda each=each: automations.row(bens[1], each)["status"] == "running")
    run = automations.row(bens[1], two)["run_id"]
    for number in (1, 2):
        assert bens[number].request("POST", f"/automation_runs/{one['id']}/cancel").status == 200
    assert automations.ended(bens[2], one)["status"] == "cancelled"
    assert bens[2].request("DELETE", f"/automations/{made['id']}").status == 204
    assert chats.Person(three.houses[0], bens[0].token).ended(run)["status"] == "cancelled"
