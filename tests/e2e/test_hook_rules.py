"""Reasons for which calls to hooks end, wait or are skipped: rotation, limits, pauses, edits, crashes, test mode."""
import contextlib

import pytest

import automations
import chats
import hooks
import people
import wire
from automations import SETTINGS, automator, ended, row, rows
from people import refused

WAIT = {"Prefer": "wait=30"}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({**SETTINGS, "limits.hook": 5000}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def rotated(person, automation, overlap=None):
    body = {} if overlap is None else {"overlap_s": overlap}
    response = person.request("POST", f"/automations/{automation['id']}/hook/rotate", body)
    assert response.status == 200, response.body
    return response.json()


def test_an_old_secret_works_through_the_overlap_alone(house, ana):
    first = hooks.created(ana)
    second = rotated(ana, first, overlap=3600)
    assert second["revision"] == 2 and second["hook"]["id"] == first["hook"]["id"]
    assert second["hook"]["secret"] != first["hook"]["secret"]
    assert people.at(second["hook"]["old_secret_until"]) - people.at(second["updated_at"]) == 3600
    for each in (first, second):
        assert hooks.call(house, each).status == 202
    third = rotated(ana, first, overlap=1)
    assert hooks.call(house, third).status == 202
    people.until(lambda: hooks.call(house, second).status == 401)
    assert hooks.call(house, first).status == 202, "its overlap is longer"
    fourth = rotated(ana, first, overlap=0)
    assert fourth["hook"]["old_secret_until"] is None
    for each in (first, third):
        refused(hooks.call(house, each), 401, "invalid_token")
    assert hooks.call(house, fourth).status == 202
    default = rotated(ana, first)["hook"]
    assert default["old_secret_until"] is not None
    assert "secret" not in ana.get(f"/automations/{first['id']}")["hook"]
    assert len(house.events(action="hook.secret_rotated", target=first["hook"]["id"])) == 4


def test_rotation_needs_a_hook_and_the_right_to_change(house, ana):
    plain = automations.created(ana)
    refused(ana.request("POST", f"/automations/{plain['id']}/hook/rotate", {}), 404, "not_found")
    made = hooks.created(ana)
    path = f"/automations/{made['id']}/hook/rotate"
    for wrong in (-1, 604_801, "1"):
        assert people.faults(ana.request("POST", path, {"overlap_s": wrong}))[0][0] == "#/overlap_s"
    refused(automator(house, "eve").request("POST", path, {}), 404, "not_found")
    reader = chats.somebody(house, "reader", scopes=["automation:read", "chat:write"])
    refused(reader.request("POST", path, {}), 403, "insufficient_scope", "required_scope")


def test_a_token_ends_with_its_hook(house, ana):
    made = hooks.created(ana)
    path = f"/automations/{made['id']}"
    renamed = ana.request("PATCH", path, {"name": "Other", "trigger": made["trigger"]}).json()
    assert renamed["hook"]["id"] == made["hook"]["id"] and hooks.call(house, made).status == 202
    # Another way to check callers is another hook, whose secret is shown as it is made.
    signed = ana.request("PATCH", path, {"trigger": {"type": "hook", "verify": "github"}}).json()
    assert signed["hook"]["id"] != made["hook"]["id"] and signed["hook"]["secret"]
    assert signed["hook"]["url"] == "/hooks/" + signed["hook"]["id"]
    refused(hooks.call(house, made), 401, "invalid_token")
    back = ana.request("PATCH", path, {"trigger": {"type": "hook"}}).json()
    assert hooks.call(house, back).status == 202
    gone = ana.request("PATCH", path, {"trigger": None}).json()
    assert gone["hook"] is None
    refused(hooks.call(house, back), 401, "invalid_token")
    assert house.events(action="hook.deleted", target=back["hook"]["id"])

    other = hooks.created(ana)
    assert ana.request("DELETE", f"/automations/{other['id']}").status == 204
    refused(hooks.call(house, other), 401, "invalid_token")
    assert house.events(action="hook.deleted", target=other["hook"]["id"])


def test_a_new_hook_does_not_read_the_runs_of_the_former(house, ana):
    made = hooks.created(ana, message="For {{reader}}", variables=[{"name": "reader"}])
    head = {"Idempotency-Key": "order-7", **WAIT}
    run = hooks.call(house, made, {"reader": "Ben"}, head).json()
    assert run["variables"] == {"reader": "Ben"} and run["run"]["id"] == run["run_id"]
    path = f"/automations/{made['id']}"
    assert ana.request("PATCH", path, {"trigger": None}).status == 200
    again = ana.request("PATCH", path, {"trigger": {"type": "hook"}}).json()
    hook = again["hook"]
    refused(house.ask("GET", f"/hooks/{hook['id']}/runs/{run['id']}", hook["secret"]), 404, "not_found")
    answer = hooks.call(house, again, {"reader": "Eve"}, head)
    assert answer.status == 200 and answer.header("idempotency-replayed") == "true"
    known = answer.json()
    assert (known["id"], known["key"], known["status"]) == (run["id"], "order-7", "completed")
    assert (known["variables"], known["message"], known["attempts"]) == ({}, "", [])
    for name in ("session_id", "run_id", "usage", "error", "run", "output"):
        assert known.get(name) is None, name
    assert row(ana, run)["variables"] == {"reader": "Ben"}, "its owner reads all of it"
    other = hooks.call(house, again, {"reader": "Eve"}, {"Idempotency-Key": "order-8", **WAIT}).json()
    assert other["message"] == "For Eve" and other["run"]["status"] == "completed"


def test_a_disabled_user_has_no_hooks(house):
    user = house.add("ida")
    person = chats.Person(house, house.token_for(user, scopes=automations.SCOPES)["token"])
    made = hooks.created(person)

    def disable(disabled):
        return house.ask("PATCH", f"/users/{user['id']}", house.admin, {"disabled": disabled}).status
    assert disable(True) == 200
    refused(hooks.call(house, made), 401, "invalid_token")
    assert disable(False) == 200
    assert hooks.call(house, made).status == 202
    assert house.ask("DELETE", f"/users/{user['id']}", house.admin).status == 204
    refused(hooks.call(house, made), 401, "invalid_token")


def test_a_call_while_paused_is_skipped(house, ana):
    made = hooks.created(ana, message="{{x}}", variables=[{"name": "x", "required": True}], paused=True)
    people.faults(hooks.call(house, made, {}))
    answer = hooks.call(house, made, {"x": 1}, {"Idempotency-Key": "while-paused"})
    assert answer.status == 202
    assert (answer.json()["status"], answer.json()["skip_reason"]) == ("skipped", "paused")
    assert ana.request("PATCH", f"/automations/{made['id']}", {"paused": False}).status == 200
    again = hooks.call(house, made, {"x": 1}, {"Idempotency-Key": "while-paused"})
    assert again.status == 200 and again.json()["status"] == "skipped"
    assert hooks.call(house, made, {"x": 1}, WAIT).json()["status"] == "completed"
    retried = ana.request("POST", f"/automation_runs/{again.json()['id']}/retry").json()
    assert ended(ana, retried)["status"] == "completed"


def test_calls_overlap_as_configured(house, ana):
    # The first one must not end before the second comes, so it takes longer than a slow machine may need for that.
    endless, said = {"said": "{first_delay_ms:60000}ok"}, [{"name": "said", "pointer": "/said"}]
    skipping = hooks.created(ana, message="{{said}}", variables=said, overlap="skip")
    first, second = hooks.call(house, skipping, endless).json(), hooks.call(house, skipping, endless)
    assert second.status == 202
    assert (second.json()["status"], second.json()["skip_reason"]) == ("skipped", "overlap")
    assert row(ana, first)["status"] in ("queued", "running"), "nothing happens to it"
    assert ana.request("POST", f"/automation_runs/{first['id']}/cancel").status == 200
    queueing = hooks.created(ana, message="{first_delay_ms:1500}ok")
    pair = [hooks.call(house, queueing).json() for _ in range(2)]
    one, two = [ended(ana, each) for each in pair]
    assert one["status"] == two["status"] == "completed"
    assert people.at(two["started_at"]) >= people.at(one["completed_at"])
    cancelling = hooks.created(ana, message="{{said}}", variables=said, overlap="cancel")
    pair = [hooks.call(house, cancelling, body).json() for body in (endless, {"said": "ok"})]
    assert [ended(ana, each)["status"] for each in pair] == ["cancelled", "completed"]


def test_another_automation_hears_the_end(house, ana):
    made = hooks.created(ana)
    after = automations.created(ana, name="After", trigger={
        "type": "event", "event_types": ["automation.run.completed"], "automation_id": made["id"]})
    hooks.call(house, made, {}, WAIT)
    heard, = people.until(lambda: rows(ana, after))
    assert heard["trigger"] == "event"
    assert [each["trigger"] for each in rows(ana, made, trigger="hook")] == ["hook"]


def test_fifty_equal_calls_at_once_are_one_run(house, ana):
    made = hooks.created(ana)
    answers = people.at_once(50, lambda number: hooks.call(house, made, {"n": number}, {"webhook-id": "same"}))
    assert sorted(each.status for each in answers) == [200] * 49 + [202]
    assert all((each.header("idempotency-replayed") == "true") == (each.status == 200) for each in answers)
    assert len({each.json()["id"] for each in answers}) == 1 == len(rows(ana, made))


def test_equal_calls_are_one_run_also_after_a_restart(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path, {"limits.hook": 5000})
    ana = automator(house, "ana")
    made = hooks.created(ana)

    def at_once():
        return people.at_once(50, lambda number: hooks.call(house, made, {"n": number}, {"webhook-id": "same"}))
    first = at_once()
    assert sorted(each.status for each in first) == [200] * 49 + [202]
    house.restart()
    again = at_once()
    assert [(each.status, each.header("idempotency-replayed")) for each in again] == [(200, "true")] * 50
    assert len({each.json()["id"] for each in first + again}) == 1 == len(rows(ana, made))


def test_hooks_of_test_mode_are_apart(house):
    user = house.add("tess")
    person = chats.Person(house, house.token_for(user, scopes=automations.SCOPES, test=True)["token"])
    live = chats.Person(house, house.token_for(user, scopes=automations.SCOPES)["token"])
    made = hooks.created(person, model=None)
    assert person.request("PUT", "/test_clock", {"now": "2030-01-01T00:00:00.000Z"}).status == 200
    run = hooks.call(house, made, {}, WAIT)
    assert run.status == 200 and run.json()["scheduled_for"] == "2030-01-01T00:00:00.000Z"
    assert run.json()["run"]["model"] == "scripted"
    assert [each["id"] for each in rows(person, made)] == [run.json()["id"]]
    refused(live.request("GET", f"/automation_runs/{run.json()['id']}"), 404, "not_found")


def test_a_preview_knows_the_trigger(ana):
    seen = ana.request("POST", "/automations/preview", {
        "name": "x", "message": "{{run.trigger}} {{v}}", "variables": [{"name": "v", "pointer": "/a/0"}],
        "trigger": {"type": "hook"}, "payload": {"a": [7]}}).json()
    assert seen["message"] == "hook 7" and seen["occurrences"] == []


def test_wrong_triggers_are_refused(ana):
    for wrong, pointer in (({"verify": "none"}, "verify"), ({"dedupe_pointer": "id"}, "dedupe_pointer"),
                           ({"dedupe_pointer": "/~2"}, "dedupe_pointer"), ({"cron": "* * * * *"}, "cron")):
        response = ana.request("POST", "/automations", {"name": "x", "message": "y",
                                                        "trigger": {"type": "hook", **wrong}})
        assert [at for at, _ in people.faults(response)] == ["#/trigger/" + pointer]


def test_the_limit_is_of_the_hook():
    with chats.house({**SETTINGS, "limits.hook": 60, "limits.general": 100}) as house:
        ana = automator(house, "ana")
        made, other = hooks.created(ana), hooks.created(ana)
        key = {"Idempotency-Key": "replays-count"}
        before = {each["class"]: each["remaining"] for each in ana.get("/limits")["data"]}
        assert set(before) == {"chat", "auth", "general", "automation"}
        for left in range(59, -1, -1):
            answer = hooks.call(house, made, {}, key)
            assert answer.status in (200, 202) and answer.header("x-ratelimit-remaining") == str(left)
        over = hooks.call(house, made, {}, key)
        problem = refused(over, 429, "rate_limited", "violated-policies")
        assert problem["violated-policies"] == ["hook"] and int(over.header("retry-after")) >= 1
        assert over.header("ratelimit-policy") == '"hook";q=60;w=60'
        assert hooks.call(house, other).status == 202
        after = {each["class"]: each["remaining"] for each in ana.get("/limits")["data"]}
        assert after["general"] == before["general"] - 1 and after["chat"] == before["chat"]
        # Wrong tokens count by address, and do not stop calls with the right one.
        while (wrong := hooks.call(house, made, secret=people.invented_token("h"))).status != 429:
            refused(wrong, 401, "invalid_token")
        assert wrong.header("ratelimit-policy") == '"general";q=100;w=60'
        assert hooks.call(house, other).status == 202


def test_no_call_is_lost_or_repeated_by_a_crash(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path, {"limits.hook": 5000, "limits.automation": 1000})
    ana = automator(house, "ana")
    made = hooks.created(ana, message="{first_delay_ms:60000}")
    known = {}

    def deliver(number):
        with contextlib.suppress(OSError), wire.Connection(house.server.address) as connection:
            connection.send(wire.request_bytes("POST", made["hook"]["url"], {
                "Authorization": f"Bearer {made['hook']['secret']}", "Content-Type": "application/json",
                "webhook-id": f"delivery-{number}"}, b"{}"))
            if answer := connection.read_response():  # Nothing: it was killed meanwhile.
                assert answer.status == 202, answer.body
                known[number] = answer.json()["id"]

    def kill_in_between(number):
        if number < 20:
            return deliver(number)
        people.until(lambda: len(known) > 3)
        return house.kill()
    people.at_once(21, kill_in_between)
    house.come_back()
    for number in range(20):  # As senders do that got no answer.
        answer = hooks.call(house, made, {}, {"webhook-id": f"delivery-{number}"})
        assert answer.status == 200 or number not in known
        assert answer.json()["id"] == known.get(number, answer.json()["id"])
    assert sorted(each["key"] for each in rows(ana, made)) == sorted(f"delivery-{n}" for n in range(20))
