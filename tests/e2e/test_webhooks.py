"""Webhooks: created, checked, changed; events sent to them, signed, once each and in order."""
import json
import threading
import time

import pytest

import automations
import chats
import people
import program
import receivers
from people import faults, refused
from receivers import Receiver, created, deliveries, happen, verified, webhook


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(receivers.SETTINGS) as opened:
        yield opened


@pytest.fixture(name="ana")
def one_user(house, request):
    return automations.automator(house, "u" + str(abs(hash(request.node.name)))[:12])


@pytest.fixture(name="receiver")
def one_receiver():
    with Receiver() as opened:
        yield opened


def test_it_is_created_listed_changed_and_deleted(ana, receiver):
    made = created(ana, receiver.url(), description="Mine", metadata={"a": "b"})
    assert people.is_id(made["id"], "whk") and made["object"] == "webhook"
    assert made["secret"].startswith("whsec_") and made["secret_hint"] == "whsec_…" + made["secret"][-4:]
    assert (made["state"], made["disabled_reason"], made["payload"], made["ordered"]) == (
        "active", None, "thin", False)
    assert made["cursor"] == receivers.last_event(ana)["sequence_number"]
    path = f"/webhooks/{made['id']}"
    shown = ana.get(path)
    assert shown == {name: made[name] for name in made if name != "secret"}
    assert [each["id"] for each in ana.pages("/webhooks")] == [made["id"]]
    first = ana.request("GET", path).header("etag")
    patched = ana.request("PATCH", path, {"ordered": True, "event_types": ["chat.*"]}, {"If-Match": first})
    assert patched.status == 200, patched.body
    assert patched.json()["ordered"] is True and patched.json()["event_types"] == ["chat.*"]
    assert patched.json()["metadata"] == {"a": "b"} and "secret" not in patched.json()
    refused(ana.request("PATCH", path, {"ordered": False}, {"If-Match": first}), 412, "precondition_failed")
    refused(ana.request("DELETE", path, None, {"If-Match": first}), 412, "precondition_failed")
    assert ana.request("DELETE", path).status == 204
    refused(ana.request("GET", path), 404, "not_found")
    types = [event["type"] for event in ana.pages("/events", types="webhook.*")]
    assert types == ["webhook.created", "webhook.updated", "webhook.deleted"]
    assert receivers.last_event(ana)["data"] == {"object": "webhook", "id": made["id"]}


def test_the_same_key_creates_it_once(ana, receiver):
    body = {"url": receiver.url(), "event_types": ["chat.*"]}
    first, again = [ana.request("POST", "/webhooks", body, {"Idempotency-Key": "webhook-1"}) for _ in range(2)]
    assert first.json()["id"] == again.json()["id"] and again.header("idempotency-replayed") == "true"
    assert "secret" in first.json() and "secret" not in again.json()


def test_an_event_is_sent_as_it_is_in_the_log(ana, receiver):
    made = created(ana, receiver.url("/a?b=c"))
    session = happen(ana)
    [request] = receiver.wait_for(1)
    assert request.path == "/a?b=c" and request.headers["Content-Type"] == "application/json"
    event = verified(request, made["secret"])
    [logged] = ana.pages("/events", types="chat.session.created")
    assert event == logged and event["data"]["id"] == session["id"]
    page = ana.request("GET", "/events?types=chat.session.created").body
    assert request.body in page, "byte for byte"
    [delivery] = people.until(lambda: deliveries(ana, made, status="succeeded"))
    assert people.is_id(delivery["id"], "dlv") and delivery["event_id"] == event["id"]
    assert delivery["event_type"] == "chat.session.created" and delivery["next_attempt_at"] is None
    [attempt] = delivery["attempts"]
    assert (attempt["status"], attempt["error"], attempt["response"]) == (204, None, "")
    assert ana.get(f"/webhooks/{made['id']}/deliveries/{delivery['id']}") == delivery
    now = webhook(ana, made)
    assert now["last_success_at"] == attempt["at"] and now["last_failure_at"] is None
    assert now["cursor"] >= event["sequence_number"]


def test_no_proxy_and_no_cookies_are_used(start):
    names = ("http_proxy", "https_proxy", "all_proxy")
    with receivers.closed_port() as port, Receiver(lambda *_: (204, {"Set-Cookie": "seen=1"}, b"")) as receiver:
        proxies = {each: f"http://127.0.0.1:{port}" for name in names for each in (name, name.upper())}
        house = people.House(start(settings={**people.ROOMY, **receivers.SETTINGS}, environment=proxies)).set_up()
        ana = automations.automator(house, "ana")
        made = created(ana, receiver.url())
        for count in (1, 2):
            happen(ana)
            request = receiver.wait_for(count)[-1]
            assert request.path == "/hook" and "cookie" not in map(str.lower, request.headers)
            people.until(lambda wanted=count: len(deliveries(ana, made, status="succeeded")) == wanted)


def test_only_wanted_types_are_sent(ana, receiver):
    created(ana, receiver.url(), event_types=["chat.run.*", "webhook.deleted"])
    other = created(ana, receiver.url(), event_types=["chat.session.deleted"])
    run = ana.ask("hello")
    assert ana.request("DELETE", f"/webhooks/{other['id']}").status == 204
    receiver.wait_for(3)
    assert sorted(event["type"] for event in receiver.events()) == [
        "chat.run.completed", "chat.run.created", "webhook.deleted"]
    assert all(event["data"]["id"] == run["id"] for event in receiver.events()
               if event["type"].startswith("chat.run"))
    assert "hello" not in str(receiver.received)


def test_a_full_payload_contains_the_object(ana, receiver):
    made = created(ana, receiver.url(), event_types=["chat.run.completed", "chat.session.deleted"],
                   payload="full")
    run = ana.ask("{words:3}")
    [request] = receiver.wait_for(1)
    event = verified(request, made["secret"])
    assert event["data"]["snapshot"] == ana.get(f"/chat/runs/{run['id']}")
    assert chats.text_of(event["data"]["snapshot"]["message"]) == "w1 w2 w3"
    ana.request("DELETE", f"/chat/sessions/{run['session_id']}")
    gone = receiver.wait_for(2)[1]
    assert json.loads(gone.body)["data"]["snapshot"] is None


def test_a_snapshot_that_is_too_large_is_left_out(ana, receiver):
    made = created(ana, receiver.url(), event_types=["chat.run.completed"], payload="full")
    ana.ask('"' * 131_000)  # Two bytes each, as JSON.
    [request] = receiver.wait_for(1)
    data = verified(request, made["secret"])["data"]
    assert data["snapshot"] is None and data["truncated"] is True and len(request.body) < 1000


def test_the_order_of_the_log_is_kept(ana, receiver):
    created(ana, receiver.url(), ordered=True)
    sessions = [happen(ana)["id"] for _ in range(30)]
    receiver.wait_for(30)
    assert [event["data"]["id"] for event in receiver.events()] == sessions


def test_several_are_sent_at_a_time(ana):
    waiting, most, several = set(), [], threading.Event()

    def answer(count, _):
        waiting.add(count)
        most.append(len(waiting))
        if len(waiting) > 1:
            several.set()
        # However long events take on a slow machine: the first one waits for a second one, unless none comes.
        if not several.wait(10):
            several.set()
        time.sleep(0.3)
        waiting.discard(count)
        return 200
    with Receiver(answer) as slow:
        created(ana, slow.url())
        for _ in range(12):
            happen(ana)
        slow.wait_for(12)
        assert 2 <= max(most) <= 4


def test_a_test_event_is_in_no_log(ana, receiver):
    made = created(ana, receiver.url(), event_types=["automation.*"])
    before = len(ana.pages("/events"))
    response = ana.request("POST", f"/webhooks/{made['id']}/test")
    assert response.status == 202, response.body
    assert response.header("location") == f"/v1/api/webhooks/{made['id']}/deliveries/{response.json()['id']}"
    [request] = receiver.wait_for(1)
    event = verified(request, made["secret"])
    assert event["type"] == "webhook.test" and event["data"] == {"object": "webhook", "id": made["id"]}
    assert event["id"] == response.json()["event_id"] and len(ana.pages("/events")) == before


def test_both_secrets_sign_during_an_overlap(ana, receiver):
    made = created(ana, receiver.url())
    path = f"/webhooks/{made['id']}/rotate"
    response = ana.request("POST", path, {"overlap_s": 60})
    assert response.status == 200, response.body
    new = response.json()["secret"]
    assert new != made["secret"] and response.json()["secret_hint"] == "whsec_…" + new[-4:]
    happen(ana)
    [request] = receiver.wait_for(1)
    verified(request, new, made["secret"])
    assert len(request.headers["webhook-signature"].split(" ")) == 2
    assert ana.request("POST", path, {"overlap_s": 1}).status == 200
    time.sleep(1.1)
    newest = ana.request("POST", path, {"overlap_s": 0}).json()["secret"]
    happen(ana)
    alone = receiver.wait_for(2)[1]
    verified(alone, newest)
    assert len(alone.headers["webhook-signature"].split(" ")) == 1
    assert not receivers.is_signed_by(alone, new) and not receivers.is_signed_by(alone, made["secret"])
    for overlap in (-1, 604_801, "x"):
        assert faults(ana.request("POST", path, {"overlap_s": overlap}))


def test_a_second_rotation_does_not_end_the_first_overlap(ana, receiver):
    made = created(ana, receiver.url())
    path = f"/webhooks/{made['id']}/rotate"
    secrets = [made["secret"]] + [ana.request("POST", path, {"overlap_s": 600}).json()["secret"] for _ in range(2)]
    happen(ana)
    [request] = receiver.wait_for(1)
    verified(request, *reversed(secrets))
    assert len(request.headers["webhook-signature"].split(" ")) == 3
    for _ in range(3):
        assert ana.request("POST", path, {"overlap_s": 600}).status == 200
    refused(ana.request("POST", path, {"overlap_s": 600}), 409, "conflict")
    last = ana.request("POST", path, {"overlap_s": 0}).json()["secret"]
    happen(ana)
    alone = receiver.wait_for(2)[1]
    verified(alone, last)
    assert len(alone.headers["webhook-signature"].split(" ")) == 1


def test_the_live_and_the_test_log_are_apart(house, ana, receiver):
    rehearsal = chats.Person(house, house.make_token(ana.token, scopes=automations.SCOPES, test=True)["token"])
    made = created(rehearsal, receiver.url())
    happen(ana)
    session = happen(rehearsal)
    [request] = receiver.wait_for(1)
    event = verified(request, made["secret"])
    assert event["test"] is True and event["data"]["id"] == session["id"]
    refused(ana.request("GET", f"/webhooks/{made['id']}"), 404, "not_found")


def test_faults_are_reported(ana, receiver):
    def told(**fields):
        return faults(ana.request("POST", "/webhooks", {
            "url": receiver.url(), "event_types": ["chat.*"], **fields}))
    assert told(event_types=[]) == [("#/event_types", "too_short")]
    for unknown in ("*", ".*", "chat", "chat.*.x", "nothing.*", "chat.run.completed ", ""):
        assert told(event_types=["chat.*", unknown])[0][0] == "#/event_types/1"
    assert told(payload="fat", ordered=1, surprise=2)
    assert told(url="ftp://example.com") == [("#/url", "invalid")]
    assert told(url="https://example.com:22/") == [("#/url", "not_allowed")]
    assert told(url="https://example.com/" + "x" * 2048) == [("#/url", "too_long")]
    assert told(state="active") == [("#/state", "unknown_field")]
    body = {"url": "https://127.0.0.1:22/", "event_types": ["chat"]}
    wanted = {("#/url", "not_allowed"), ("#/event_types/0", "invalid")}
    path = f"/webhooks/{created(ana, receiver.url())['id']}"
    for method, where in (("POST", "/webhooks"), ("PATCH", path)):
        assert set(faults(ana.request(method, where, body))) == wanted
        assert set(faults(ana.request(method, where, {**body, "ordered": 1}))) == {
            *wanted, ("#/ordered", "wrong_type")}


def test_their_number_is_limited(ana, receiver):
    for _ in range(10):
        created(ana, receiver.url())
    refused(ana.request("POST", "/webhooks", {"url": receiver.url(), "event_types": ["chat.*"]}), 409,
            "quota_reached")


def test_operators_set_their_number_and_how_many_events_are_sent_at_once():
    release = threading.Event()

    def answer(_count, _request):
        assert release.wait(program.PATIENCE)
        return 204
    settings = {**receivers.SETTINGS, "webhooks.max_per_user": 1, "webhooks.max_concurrent": 2,
                "webhooks.timeout_s": 60}
    with chats.house(settings) as house, Receiver(answer) as slow, Receiver() as quick:
        ana, ben = (automations.automator(house, name) for name in ("ana", "ben"))
        made = created(ana, slow.url())
        refused(ana.request("POST", "/webhooks", {"url": quick.url(), "event_types": ["chat.*"]}), 409, "quota_reached")
        created(ben, quick.url())
        for _ in range(3):
            happen(ana)
        slow.wait_for(2)
        happen(ben)
        quick.wait_for(1)
        assert len(slow.received) == 2, "the third waits for one of them"
        release.set()
        people.until(lambda: len(deliveries(ana, made, status="succeeded")) == 3)


def test_others_do_not_see_it(house, ana, receiver):
    made = created(ana, receiver.url())
    happen(ana)
    [delivery] = people.until(lambda: deliveries(ana, made, status="succeeded"))
    ben = automations.automator(house, "ben")
    path = f"/webhooks/{made['id']}"
    for method, below, body in [("GET", "", None), ("PATCH", "", {"ordered": True}), ("DELETE", "", None),
                                ("POST", "/rotate", {}), ("POST", "/test", None), ("GET", "/deliveries", None),
                                ("GET", f"/deliveries/{delivery['id']}", None),
                                ("POST", f"/deliveries/{delivery['id']}/redeliver", None),
                                ("POST", "/replay", {})]:
        refused(ben.request(method, path + below, body), 404, "not_found")
    own = created(ben, receiver.url())
    refused(ben.request("POST", f"/webhooks/{own['id']}/deliveries/{delivery['id']}/redeliver"), 404, "not_found")
    assert [each["id"] for each in ben.pages("/webhooks")] == [own["id"]]


def test_a_token_sends_only_what_it_may_read(house, receiver):
    user = house.add("rita")
    narrow = chats.Person(house, house.token_for(user, scopes=["automation:read", "automation:write"])["token"])
    wide = chats.Person(house, house.token_for(user, scopes=automations.SCOPES)["token"])
    body = {"url": receiver.url(), "event_types": ["automation.*", "chat.run.completed"]}
    problem = refused(narrow.request("POST", "/webhooks", body), 403, "insufficient_scope", "required_scope")
    assert problem["required_scope"] == "chat:read"
    made = created(wide, receiver.url(), event_types=["token.*"])
    problem = refused(narrow.request("PATCH", f"/webhooks/{made['id']}", {"url": receiver.url("/mine")}), 403,
                      "insufficient_scope", "required_scope")
    assert problem["required_scope"] == "account"
    reader = chats.Person(house, house.token_for(user, scopes=["automation:read", "chat:read"])["token"])
    refused(reader.request("POST", "/webhooks", body), 403, "insufficient_scope", "required_scope")
    assert reader.request("GET", "/webhooks").status == 200
    refused(chats.somebody(house, "carl").request("GET", "/webhooks"), 403, "insufficient_scope",
            "required_scope")


def test_a_snapshot_is_what_a_get_returns(ana, receiver):
    created(ana, receiver.url(), payload="full", event_types=[
        "chat.session.updated", "automation.created", "automation.run.completed", "webhook.updated"])

    def snapshot(number):
        return json.loads(receiver.wait_for(number)[-1].body)["data"]["snapshot"]
    session = happen(ana)["id"]
    assert ana.request("PATCH", f"/chat/sessions/{session}", {"title": "New"}).status == 200
    assert snapshot(1) == ana.get(f"/chat/sessions/{session}")
    made = automations.created(ana, message='{"a": 1}', response_format={"type": "json_object"})
    assert snapshot(2) == ana.get(f"/automations/{made['id']}")
    run = automations.ended(ana, automations.started(ana, made))
    assert run["output"] == run["run"]["output"] == {"a": 1} and snapshot(3) == run
    other = created(ana, receiver.url("/other"), event_types=["webhook.deleted"])
    assert ana.request("PATCH", f"/webhooks/{other['id']}", {"description": "Mine"}).status == 200
    shown, now = snapshot(4), webhook(ana, other)
    assert shown["description"] == "Mine" and {**shown, "cursor": None} == {**now, "cursor": None}


def test_a_token_gets_by_a_change_only_what_it_may_read(house, ana):
    with Receiver() as own, Receiver() as other:
        made = created(ana, own.url(), event_types=["chat.session.*"], payload="full")
        happen(ana)
        own.wait_for(1)
        people.until(lambda: deliveries(ana, made, status="succeeded"))
        token = house.make_token(ana.token, scopes=["automation:read", "automation:write"])["token"]
        narrow = chats.Person(house, token)
        path = f"/webhooks/{made['id']}"
        changed = narrow.request("PATCH", path, {"url": other.url(), "event_types": ["automation.run.*"]})
        assert changed.status == 200, changed.body
        [delivery] = deliveries(ana, made)
        assert narrow.request("POST", f"{path}/deliveries/{delivery['id']}/redeliver").status == 202
        assert narrow.request("POST", f"{path}/replay", {"after": 0, "only_failed": False}).status == 202
        people.until(lambda: deliveries(ana, made, status="failed"))
        assert not other.received


def test_a_narrow_token_leaves_no_answers_in_what_is_sent(house, ana, receiver):
    made = created(ana, receiver.url(), event_types=["automation.run.completed"], payload="full")
    token = house.make_token(ana.token, scopes=["automation:read", "automation:write"])["token"]
    changed = chats.Person(house, token).request("PATCH", f"/webhooks/{made['id']}", {"url": receiver.url("/b")})
    assert changed.status == 200, changed.body
    automations.started(ana, automations.created(ana))
    [sent] = receiver.wait_for(1)
    assert "run" not in json.loads(sent.body)["data"]["snapshot"]


def test_events_are_sent_once_a_disabled_user_is_enabled(house, receiver):
    owner = house.add("emil")
    emil = chats.Person(house, house.token_for(owner, scopes=automations.SCOPES)["token"])
    made = created(emil, receiver.url(), event_types=["chat.run.*"])
    # It ends long after the user is disabled, also on a machine that is paused in between.
    emil.query("{first_delay_ms:5000} late", background=True)
    path = f"/users/{owner['id']}"
    assert house.ask("PATCH", path, house.admin, {"disabled": True}).status == 200
    time.sleep(6)
    before = len(receiver.received)
    assert house.ask("PATCH", path, house.admin, {"disabled": False}).status == 200
    # Long before all webhooks are looked at again.
    receiver.wait_for(before + 1, 20)
    emil.query("Afterwards")
    wanted = [event["id"] for event in emil.pages("/events", types="chat.run.*")]
    people.until(lambda: sorted({event["id"] for event in receiver.events()}) == sorted(wanted), 20)
    assert webhook(emil, made)["state"] == "active"


def test_changes_at_the_same_time_do_not_refuse_each_other(ana, receiver):
    made = created(ana, receiver.url())
    path = f"/webhooks/{made['id']}"

    def change(number):
        for each in range(10):
            patched = ana.request("PATCH", path, {"description": f"{number} {each}"})
            assert patched.status == 200, patched.body
        assert ana.request("POST", f"{path}/rotate", {}).status == 200
    people.at_once(4, change)
