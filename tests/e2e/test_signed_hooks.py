"""Hooks whose callers sign the body: Standard Webhooks, and GitHub."""
import datetime
import json

import pytest

import chats
import hooks
import people
import wire
from automations import SETTINGS, automator, rows
from people import refused

BODY = json.dumps({"action": "opened", "issue": {"number": 7, "title": "It rains"}}).encode()
MESSAGE = {"message": "{{title}}", "variables": [{"name": "title", "pointer": "/issue/title", "required": True}]}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({**SETTINGS, "limits.hook": 1000}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def signed(automation, verify, payload=BODY, secret=None, **more):
    sign = hooks.standard if verify == "standard_webhooks" else hooks.github
    return sign(secret or automation["hook"]["secret"], payload, **more)


def ago(minutes):
    return datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(minutes=minutes)


@pytest.mark.parametrize("verify", ["standard_webhooks", "github"])
def test_a_signed_call_starts_once(house, ana, verify):
    made = hooks.created(ana, verify, **MESSAGE)
    assert made["hook"]["url"] == "/hooks/" + made["hook"]["id"]
    assert made["hook"]["secret"][-4:] == made["hook"]["secret_hint"][-4:]
    fields = signed(made, verify, delivery="d-1")
    first = hooks.post(house, made["hook"]["url"], BODY, fields)
    assert first.status == 202, first.body
    assert first.json()["message"] == "It rains" and first.json()["key"] == "d-1"
    assert first.header("ratelimit-policy") == '"hook";q=1000;w=60'
    assert first.header("location") == "/v1/api/automation_runs/" + first.json()["id"]
    assert first.header("cache-control") == "no-store"
    again = hooks.post(house, made["hook"]["url"], BODY, fields)
    assert again.status == 200 and again.header("idempotency-replayed") == "true"
    assert again.json()["id"] == first.json()["id"]
    other = hooks.post(house, made["hook"]["url"], BODY,
                       signed(made, verify, delivery="d-2") | {"Prefer": "wait=30"})
    assert other.status == 200 and chats.text_of(other.json()["run"]["message"]) == "It rains"


@pytest.mark.parametrize("verify", ["standard_webhooks", "github"])
def test_wrong_signatures_learn_nothing(house, ana, verify):
    made, other = hooks.created(ana, verify), hooks.created(ana, verify)
    of_token, path = hooks.created(ana), made["hook"]["url"]
    right = signed(made, verify, delivery="d-1")
    name = "webhook-signature" if verify == "standard_webhooks" else "X-Hub-Signature-256"
    tries = {
        "none": (path, BODY, {}),
        "of another hook": (path, BODY, signed(other, verify, delivery="d-1")),
        "to another hook": (other["hook"]["url"], BODY, right),
        "unknown hook": ("/hooks/hok_01J9ZQ8R0000000000000000AB", BODY, right),
        "hook with a token": ("/hooks/" + of_token["hook"]["id"], BODY,
                              right | {"Authorization": "Bearer " + of_token["hook"]["secret"]}),
        "one byte changed": (path, BODY.replace(b"7", b"8"), right),
        "longer": (path, BODY + b" ", right),
        "empty": (path, BODY, right | {name: ""}),
        "cut": (path, BODY, right | {name: right[name][:-1]}),
        "not JSON either": (path, b"{", right),
        "the other way": (path, BODY, hooks.github(made["hook"]["secret"], BODY) if verify != "github" else
                          hooks.standard("whsec_" + "A" * 32, BODY)),
        "a long id": ("/hooks/" + "x" * 5000, BODY, right),
    }
    if verify == "standard_webhooks":
        tries |= {"old": (path, BODY, signed(made, verify, at=ago(6))),
                  "from the future": (path, BODY, signed(made, verify, at=ago(-6))),
                  "other time": (path, BODY, right | {"webhook-timestamp": str(int(ago(1).timestamp()))}),
                  "no time": (path, BODY, right | {"webhook-timestamp": ""}),
                  "other id": (path, BODY, right | {"webhook-id": "d-2"})}
    said = {}
    for what, (target, body, fields) in tries.items():
        answer = hooks.post(house, target, body, fields)
        refused(answer, 401, "invalid_credentials")
        assert answer.header("ratelimit-policy").startswith('"general"'), what
        said[what] = people.said(answer)
    assert all(each == said["none"] for each in said.values())
    assert rows(ana, made) == []
    assert hooks.post(house, path, BODY, right).status == 202
    if verify == "standard_webhooks":
        for minutes in (-4, 4):
            fields = signed(made, verify, at=ago(minutes), delivery=f"d{minutes}")
            assert hooks.post(house, path, BODY, fields).status == 202


def test_two_signatures_are_ambiguous(house, ana):
    made = hooks.created(ana, "github")
    right = hooks.github(made["hook"]["secret"], BODY)["X-Hub-Signature-256"]
    with wire.Connection(house.server.address) as connection:
        connection.send(f"POST {made['hook']['url']} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        f"X-Hub-Signature-256: {right}\r\nX-Hub-Signature-256: {right}\r\n"
                        f"Content-Length: {len(BODY)}\r\n\r\n".encode() + BODY)
        refused(connection.read_response(), 401, "invalid_credentials")


def unread(house, path, fields):
    """The response to a call whose body is not sent."""
    head = {"Host": "x", "Content-Type": "application/json", "Content-Length": "100000", **fields}
    with wire.Connection(house.server.address) as connection:
        connection.send(f"POST {path} HTTP/1.1\r\n".encode() +
                        "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + b"\r\n")
        return connection.read_response()


def test_without_a_signature_the_body_is_not_read(house, ana):
    made = hooks.created(ana, "standard_webhooks")
    right = signed(made, "standard_webhooks")
    for lacks in right:
        fields = {name: value for name, value in right.items() if name != lacks}
        refused(unread(house, made["hook"]["url"], fields), 401, "invalid_credentials")


def invited(house, path, fields):
    """The answers of the server to a client that asks first whether to send its body, and then sends it."""
    head = {"Host": "x", "Content-Type": "application/json", "Content-Length": str(len(BODY)),
            "Expect": "100-continue", **fields}
    with wire.Connection(house.server.address) as connection:
        connection.send(f"POST {path} HTTP/1.1\r\n".encode() +
                        "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + b"\r\n")
        first = connection.read_response()
        if first.status != 100:
            return [first.status]
        connection.send(BODY)
        last = connection.read_response()
        return [100, last.status, last.header("connection"), last.json()["code"], last.header("ratelimit-policy")]


def test_an_address_without_requests_left_cannot_tell_which_hooks_exist():
    with chats.house({**SETTINGS, "limits.general": 50}) as house:
        ana = automator(house, "ana")
        made = hooks.created(ana, "github")
        fields = hooks.github("another secret", BODY)
        for number in range(60):
            last = hooks.post(house, "/hooks/hok_" + f"{number}" * 20, BODY, fields)
        refused(last, 429, "rate_limited", "violated-policies")
        of_unknown = invited(house, "/hooks/hok_" + "z" * 26, fields)
        of_known = invited(house, made["hook"]["url"], fields)
        assert of_unknown == of_known and of_known[:2] == [100, 429]
        assert hooks.post(house, made["hook"]["url"], BODY,
                          hooks.github(made["hook"]["secret"], BODY)).status == 202


def test_a_signed_id_outranks_an_unsigned_key(house, ana):
    made = hooks.created(ana, "standard_webhooks")
    captured = signed(made, "standard_webhooks", delivery="m-1")
    first = hooks.post(house, made["hook"]["url"], BODY, captured)
    assert first.status == 202
    for key in ("other", '"not a key', "m-2"):
        again = hooks.post(house, made["hook"]["url"], BODY, captured | {"Idempotency-Key": key})
        assert again.status == 200 and again.json()["id"] == first.json()["id"]
    assert [each["key"] for each in rows(ana, made)] == ["m-1"]


def test_a_captured_call_of_github_starts_nothing_again(house, ana):
    """GitHub signs the body alone, so a key in it outranks all header fields."""
    made = hooks.created(ana, "github", "/issue/number")
    captured = hooks.github(made["hook"]["secret"], BODY, "d-1")
    first = hooks.post(house, made["hook"]["url"], BODY, captured)
    assert first.status == 202 and first.json()["key"] == "7"
    for fields in ({"X-GitHub-Delivery": "d-2"}, {"Idempotency-Key": "mine"}, {"Idempotency-Key": '"not a key'},
                   {"webhook-id": "w-1"}):
        again = hooks.post(house, made["hook"]["url"], BODY, captured | fields)
        assert again.status == 200 and again.json()["id"] == first.json()["id"]
    other = b'{"action":"opened"}'
    fields = hooks.github(made["hook"]["secret"], other, "d-3") | {"Idempotency-Key": "mine", "webhook-id": "w-1"}
    assert hooks.post(house, made["hook"]["url"], other, fields).json()["key"] == "d-3"
    assert [each["key"] for each in rows(ana, made)] == ["d-3", "7"]


@pytest.mark.parametrize("verify", ["standard_webhooks", "github"])
def test_rotation_of_signing_secrets(house, ana, verify):
    made = hooks.created(ana, verify)
    path = f"/automations/{made['id']}/hook/rotate"
    old = made["hook"]["secret"]
    new = ana.request("POST", path, {"overlap_s": 600}).json()["hook"]["secret"]
    assert new != old
    for number, secret in enumerate((old, new)):
        fields = signed(made, verify, secret=secret, delivery=f"d{number}")
        assert hooks.post(house, made["hook"]["url"], BODY, fields).status == 202
    last = ana.request("POST", path, {"overlap_s": 0}).json()["hook"]["secret"]
    for number, (secret, status) in enumerate(((old, 401), (new, 401), (last, 202))):
        fields = signed(made, verify, secret=secret, delivery=f"e{number}")
        assert hooks.post(house, made["hook"]["url"], BODY, fields).status == status


def test_what_a_right_signature_does_not_excuse(house, ana):
    made = hooks.created(ana, "github", **MESSAGE)

    def post(body, **headers):
        return hooks.post(house, made["hook"]["url"], body,
                          hooks.github(made["hook"]["secret"], body) | headers)
    refused(post(b"{"), 400, "invalid_json")
    refused(post(b'{"a":1,"a":2}'), 400, "invalid_json")
    assert people.faults(post(b"[]")) == [("#", "wrong_type")]
    assert people.faults(post(b'{"zen":"Keep it simple."}')) == [("#/issue/title", "required")]  # GitHub's ping.
    refused(post(BODY, **{"Content-Type": "application/x-www-form-urlencoded"}), 415, "unsupported_media_type")
    refused(post(BODY, **{"X-GitHub-Delivery": "a b"}), 400, "invalid_idempotency_key")
    large = b'{"issue":{"title":"x"},"y":"' + b"x" * (1 << 20) + b'"}'
    refused(post(large), 413, "body_too_large")
    with wire.Connection(house.server.address) as connection:
        assert connection.ask("GET", made["hook"]["url"]).status == 405
        assert connection.ask("POST", "/hooks/", {"Content-Type": "application/json"}, b"{}").status in (404, 401)
    assert rows(ana, made) == []


def test_limits_of_signed_calls():
    settings = {**SETTINGS, "limits.hook": 5, "limits.general": 100}
    with chats.house(settings) as house:
        ana = automator(house, "ana")
        made = hooks.created(ana, "github")

        def post(delivery, secret=made["hook"]["secret"]):
            return hooks.post(house, made["hook"]["url"], BODY, hooks.github(secret, BODY, delivery))
        for number in range(4):
            assert post(f"d{number}").status == 202
        wrong = [post("w", "another secret") for _ in range(150)]
        assert {each.status for each in wrong} == {401, 429}
        assert wrong[-1].header("ratelimit-policy") == '"general";q=100;w=60'
        # The sender with the right secret is not stopped by others at its address.
        assert post("d4").status == 202
        over = post("d5")
        assert refused(over, 429, "rate_limited", "violated-policies")["violated-policies"] == ["hook"]


def test_the_url_has_the_public_address():
    with chats.house({**SETTINGS, "server.public_url": "https://example.org/chat/"}) as house:
        ana = automator(house, "ana")
        made, of_github = [ana.request("POST", "/automations", {
            "name": "x", "message": "y", "trigger": {"type": "hook", "verify": verify}}).json()
            for verify in ("token", "github")]
        assert made["hook"]["url"] == f"https://example.org/chat/v1/api/hooks/{made['hook']['id']}"
        assert of_github["hook"]["url"] == f"https://example.org/chat/hooks/{of_github['hook']['id']}"


def test_secrets_are_sealed_with_the_key_of_the_server(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path, {"limits.hook": 1000, "store.kind": "sqlite"})
    ana = automator(house, "ana")
    made = {verify: hooks.created(ana, verify) for verify in ("token", "standard_webhooks", "github")}
    house.restart()
    assert hooks.call(house, made["token"]).status == 202
    for verify in ("standard_webhooks", "github"):
        assert hooks.post(house, made[verify]["hook"]["url"], BODY, signed(made[verify], verify)).status == 202
    house.server.stop()
    stored = b"".join(each.read_bytes() for each in tmp_path.rglob("*") if each.is_file())
    for each in made.values():
        assert each["hook"]["id"].encode() in stored and each["hook"]["secret"].encode() not in stored
