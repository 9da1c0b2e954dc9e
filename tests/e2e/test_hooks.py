"""Hooks of automations: calls with a token start each run exactly once, and the token does nothing else."""
import re
import time

import pytest

import chats
import hooks
import people
from automations import SETTINGS, automator, ended, rows, started
from people import faults, refused

WAIT = {"Prefer": "wait=30"}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({**SETTINGS, "limits.hook": 1000}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def test_a_call_starts_the_automation(house, ana):
    made = hooks.created(ana, message="Issue {{title}}: {{run.trigger}}, {{run.key}}",
                         variables=[{"name": "title", "pointer": "/issue/title", "required": True}])
    hook = made["hook"]
    assert people.is_id(hook["id"], "hok") and hook["url"] == f"/v1/api/hooks/{hook['id']}"
    assert people.TOKEN.fullmatch(hook["secret"]) and hook["secret"].startswith("plh_")
    assert hook["secret"].endswith(people.checksum(hook["secret"][:-6]))
    assert hook["secret_hint"] == f"plh_…{hook['secret'][-4:]}" and hook["old_secret_until"] is None
    assert made["overlap"] == "queue" and made["trigger"]["type"] == "hook"

    answer = hooks.call(house, made, {"issue": {"title": "Help {{run.key}}"}}, {"Idempotency-Key": "k-1"})
    assert answer.status == 202, answer.body
    run = answer.json()
    assert run["trigger"] == "hook" and run["key"] == "k-1" and run["automation_id"] == made["id"]
    assert run["message"] == "Issue Help {{run.key}}: hook, k-1"
    assert answer.header("location") == f"/v1/api/hooks/{hook['id']}/runs/{run['id']}"
    assert answer.header("ratelimit-policy") == '"hook";q=1000;w=60'
    assert ended(ana, run)["status"] == "completed"
    events = [each for each in ana.get("/events?limit=100")["data"] if each["data"]["id"] == run["id"]]
    queued = next(each for each in events if each["type"] == "automation.run.queued")
    assert queued["cause"]["depth"] == 1
    assert queued["cause"]["request_id"] == answer.header("x-request-id")


def test_the_secret_is_shown_once(house, ana):
    key = {"Idempotency-Key": "made-once"}
    body = {"name": "Hook", "message": "hello", "trigger": {"type": "hook"}}
    made = ana.request("POST", "/automations", body, key).json()
    secret = made["hook"]["secret"]
    again = ana.request("POST", "/automations", body, key)
    assert again.header("idempotency-replayed") == "true" and again.json()["id"] == made["id"]
    path = f"/automations/{made['id']}"
    seen = [again, ana.request("GET", path), ana.request("GET", "/automations?limit=100"),
            ana.request("PATCH", path, {"name": "Other"}), ana.request("GET", "/events?limit=100"),
            ana.request("GET", "/tokens")]
    for each in seen:
        assert each.status in (200, 201) and secret.encode() not in each.body, each.body
    assert made["hook"]["id"].encode() not in ana.request("GET", "/tokens").body
    event, = house.events(action="hook.created", target=made["hook"]["id"])
    assert event["actor"] and secret not in str(event)
    assert secret not in house.server.log.text()


def test_the_same_call_starts_once_whatever_its_body(house, ana):
    made = hooks.created(ana, message="{{x}}", variables=[{"name": "x", "required": True}],
                         dedupe_pointer="/delivery/id")
    by_key = {}
    for name, headers, body in (
            ("one", {"Idempotency-Key": '"one"', "webhook-id": "two", "X-GitHub-Delivery": "three"},
             {"x": 1, "delivery": {"id": "four"}}),
            ("two", {"webhook-id": "two", "X-GitHub-Delivery": "three"}, {"x": 1, "delivery": {"id": "four"}}),
            ("three", {"X-GitHub-Delivery": "three"}, {"x": 1, "delivery": {"id": "four"}}),
            ("four", {}, {"x": 1, "delivery": {"id": "four"}}),
            ("5", {}, {"x": 1, "delivery": {"id": 5}})):
        first = hooks.call(house, made, body, headers)
        assert first.status == 202 and first.json()["key"] == name, first.body
        for other in ({}, {"x": 2}):  # Also if a value lacks that is required.
            again = hooks.call(house, made, other | {"delivery": body["delivery"]}, headers)
            assert again.status == 200 and again.header("idempotency-replayed") == "true", again.body
            assert again.json()["id"] == first.json()["id"]
        by_key[name] = first.json()["id"]
    assert len(set(by_key.values())) == 5 == len(rows(ana, made))
    # Keys of runs by hand are others.
    assert started(ana, made, {"variables": {"x": 1}, "key": "one"})["id"] not in by_key.values()


def test_a_call_without_a_key_is_one_of_its_own(house, ana):
    made = hooks.created(ana, dedupe_pointer="/id")
    bodies = [{}, {}, {"id": None}, {"id": ""}, {"id": None}]
    assert [hooks.call(house, made, body).status for body in bodies] == [202] * 5
    long = "long " * 100
    first, again, other = [hooks.call(house, made, {"id": text}) for text in (long, long, long + "!")]
    assert (first.status, again.status, other.status) == (202, 200, 202)
    assert re.fullmatch("sha256:[0-9a-f]{64}", first.json()["key"])
    first, again = [hooks.call(house, made, {"id": "a\u0000b"}) for _ in range(2)]
    assert (first.status, again.status) == (202, 200)


def test_keys_that_cannot_be_used_are_refused(house, ana):
    made = hooks.created(ana)
    for headers in ({"Idempotency-Key": "x" * 256}, {"Idempotency-Key": "two words"}, {"webhook-id": ""},
                    {"webhook-id": "x" * 256}, {"X-GitHub-Delivery": "a b"}):
        refused(hooks.call(house, made, {}, headers), 400, "invalid_idempotency_key")
    assert rows(ana, made) == []


def test_what_lacks_is_refused_and_nothing_recorded(house, ana):
    made = hooks.created(ana, message="{{a}} {{b}}", variables=[
        {"name": "a", "pointer": "/x/y", "required": True}, {"name": "b", "pointer": "/b", "max_bytes": 4}])
    key = {"Idempotency-Key": "later-right"}
    assert faults(hooks.call(house, made, {"b": "12345"}, key)) == [("#/x/y", "required"), ("#/b", "too_long")]
    assert faults(hooks.call(house, made, {"x": {"y": None}}, key)) == [("#/x/y", "required")]
    assert faults(hooks.call(house, made, [1], key)) == [("#", "wrong_type")]
    assert rows(ana, made) == []
    assert hooks.call(house, made, {"x": {"y": 1}}, key).status == 202  # The key is free.


@pytest.mark.parametrize("body, status, code", [
    (b"{", 400, "invalid_json"), (b'{"a":1,"a":2}', 400, "invalid_json"), (b'{"a":"\xff"}', 400, "invalid_json"),
    (b"", 400, "invalid_json"), (b'{"a":' + b"[" * 32 + b"]" * 32 + b"}", 400, "invalid_json"),
    (b'{"a":"' + b"x" * (1 << 20) + b'"}', 413, "body_too_large"),
])
def test_hostile_bodies(house, ana, body, status, code):
    made = hooks.created(ana)
    refused(hooks.call(house, made, body), status, code)
    assert hooks.call(house, made, b'{"a":' + b"[" * 31 + b"]" * 31 + b"}").status == 202


def test_only_json_is_taken(house, ana):
    made = hooks.created(ana)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    refused(hooks.call(house, made, b"payload=%7B%7D", form), 415, "unsupported_media_type")


def test_a_wait_gives_the_run(house, ana):
    made = hooks.created(ana, message="{{text}}", variables=[{"name": "text"}])
    answer = hooks.call(house, made, {"text": "Hello you"}, {**WAIT, "Idempotency-Key": "w"})
    assert answer.status == 200 and answer.header("preference-applied") == "wait=30"
    assert answer.header("idempotency-replayed") is None
    run = answer.json()
    assert run["status"] == "completed" and chats.text_of(run["run"]["message"]) == "Hello you"
    again = hooks.call(house, made, {}, {**WAIT, "Idempotency-Key": "w"})
    assert again.status == 200 and again.header("idempotency-replayed") == "true" and again.json() == run
    longest = hooks.call(house, made, {"text": "again"}, {"Prefer": "wait=90"})
    assert longest.status == 200 and longest.header("preference-applied") == "wait=60"
    slow, began = hooks.created(ana, message="{first_delay_ms:9000}"), time.monotonic()
    answer = hooks.call(house, slow, {}, {"Prefer": "wait=3"})
    assert answer.status == 202 and answer.json()["status"] == "running" and time.monotonic() - began < 8


def test_the_token_reads_the_runs_that_it_started(house, ana):
    made, other = hooks.created(ana), hooks.created(ana)
    run = hooks.call(house, made, {}, WAIT).json()
    by_hand = started(ana, made)

    def read(automation, row, token=None):
        path = f"/hooks/{automation['hook']['id']}/runs/{row['id']}"
        return house.ask("GET", path, token or automation["hook"]["secret"])
    answer = read(made, run)
    assert answer.status == 200 and answer.json() == run and "run" in answer.json()
    assert answer.header("ratelimit-policy").startswith('"general"')
    refused(read(made, by_hand), 404, "not_found")
    refused(read(made, {"id": "aru_unknown"}), 404, "not_found")
    refused(read(other, run), 404, "not_found")
    refused(read(made, run, other["hook"]["secret"]), 401, "invalid_token")
    refused(read(made, run, ana.token), 401, "invalid_token")


def test_a_wrong_credential_learns_nothing(house, ana):
    made, other = hooks.created(ana), hooks.created(automator(house, "ben"))
    signed = hooks.created(ana, "github")
    right = made["hook"]["secret"]
    unknown = {"hook": {"url": "/v1/api/hooks/hok_01J9ZQ8R0000000000000000AB"}}
    seen = [hooks.call(house, unknown, secret=right), hooks.call(house, other, secret=right),
            hooks.call(house, made, secret=other["hook"]["secret"]),
            hooks.call(house, made, secret=people.invented_token("h")),
            hooks.call(house, unknown, secret=people.invented_token("h")),
            hooks.call(house, made, secret="nonsense"), hooks.call(house, made, secret=ana.token),
            hooks.call(house, made, secret=house.admin), hooks.call(house, made, secret=house.command_line),
            hooks.call(house, {"hook": {"url": "/v1/api/hooks/" + signed["hook"]["id"]}}, secret=right)]
    for each in seen:
        refused(each, 401, "invalid_token")
        assert people.said(each) == people.said(seen[0])
        assert each.header("www-authenticate") == people.CHALLENGE + ', error="invalid_token"'
        assert each.header("ratelimit-policy").startswith('"general"')
    missing = [hooks.post(house, each["hook"]["url"], {}, {}) for each in (made, unknown)]
    for each in missing:
        refused(each, 401, "missing_token")
    assert rows(ana, made) == []


def test_the_token_does_nothing_else(house, ana):
    token = hooks.created(ana)["hook"]["secret"]
    assert not house.works(token)
    for method, path in (("GET", "/automations"), ("POST", "/chat/query"), ("GET", "/hooks/nothing"),
                         ("POST", "/auth/login"), ("GET", "/nothing")):
        refused(house.ask(method, path, token, {} if method == "POST" else None), 401, "invalid_token")
