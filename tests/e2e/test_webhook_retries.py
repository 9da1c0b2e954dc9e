"""Deliveries that fail: tried again, given up, sent again; and servers that are killed."""
import json
import threading

import pytest

import automations
import chats
import people
import program
import receivers
from people import refused
from receivers import Receiver, created, deliveries, happen, webhook

LATE = 1 if program.IS_SANITIZED else 0.3  # Seconds.


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({**receivers.SETTINGS, "webhooks.timeout_s": 5}) as opened:
        yield opened


@pytest.fixture(name="ana")
def one_user(house, request):
    return automations.automator(house, "u" + str(abs(hash(request.node.name)))[:12])


def attempts_of(person, made, count):
    """The only delivery, once it has so many attempts."""
    def come_to():
        found = deliveries(person, made)
        return found[0] if found and len(found[0]["attempts"]) >= count else None
    return people.until(come_to)


def failed(person, made):
    return people.until(lambda: deliveries(person, made, status="failed"))


def test_a_failed_event_is_tried_again_with_the_same_id(ana):
    with Receiver(lambda count, _: (500, {}, b"not today") if count == 0 else 200) as receiver:
        made = created(ana, receiver.url())
        happen(ana)
        delivery = attempts_of(ana, made, 1)
        assert delivery["status"] == "pending" and webhook(ana, made)["last_failure_at"]
        [attempt] = delivery["attempts"]
        assert (attempt["status"], attempt["error"], attempt["response"]) == (500, None, "not today")
        # The wait begins at the end of an attempt, which takes as long as the receiver.
        wait = people.at(delivery["next_attempt_at"]) - people.at(attempt["at"]) - attempt["duration_ms"] / 1000
        assert 5 <= round(wait, 2) < 6
        first, second = receiver.wait_for(2)
        assert first.body == second.body and first.headers["webhook-id"] == second.headers["webhook-id"]
        done = attempts_of(ana, made, 2)
        assert done["status"] == "succeeded"
        assert people.at(done["attempts"][1]["at"]) >= people.at(delivery["next_attempt_at"])


def delays_of_second_tries(ana):
    """Seconds by which they begin after they are due."""
    with Receiver(lambda count, _: 500 if count < 3 else 200) as receiver:
        hooks = [created(ana, receiver.url(f"/{number}")) for number in range(3)]
        happen(ana)
        planned = [people.at(attempts_of(ana, each, 1)["next_attempt_at"]) for each in hooks]
        begun = [people.at(attempts_of(ana, each, 2)["attempts"][1]["at"]) for each in hooks]
        for each in hooks:
            assert ana.request("DELETE", f"/webhooks/{each['id']}").status == 204
        return [at - due for due, at in zip(planned, begun)]


def test_tries_begin_when_they_are_due(ana):
    """A machine may pause once; a server that looks too seldom is late for one of three each time."""
    seen = []
    for _ in range(4):
        seen.append(delays_of_second_tries(ana))
        assert min(seen[-1]) >= 0, seen
        if max(seen[-1]) < LATE:
            return
    pytest.fail(f"too late: {seen}")


def test_a_receiver_may_ask_for_more_time(ana):
    with Receiver(lambda *_: (429, {"Retry-After": "600"}, b"")) as receiver:
        made = created(ana, receiver.url())
        happen(ana)
        delivery = attempts_of(ana, made, 1)
        wait = people.at(delivery["next_attempt_at"]) - people.at(delivery["attempts"][0]["at"])
        assert 600 <= wait < 665


@pytest.mark.parametrize("answer, status, error", [
    (lambda *_: (302, {"Location": "/elsewhere"}, b""), 302, None),
    (lambda *_: (307, {"Location": "/elsewhere"}, b""), 307, None),
    (lambda *_: threading.Event().wait(20) or 200, None, "timeout"),
    (lambda *_: (200, {"Bad Field": "x"}, b""), None, "bad_response")])
def test_everything_but_2xx_in_time_is_a_failure(ana, answer, status, error):
    with Receiver(answer) as receiver:
        made = created(ana, receiver.url())
        happen(ana)
        delivery = attempts_of(ana, made, 1)
        assert (delivery["attempts"][0]["status"], delivery["attempts"][0]["error"]) == (status, error)
        assert delivery["status"] == "pending"
        assert all(each.path == "/hook" for each in receiver.received), "no redirect was followed"


def test_there_is_nobody(ana):
    with receivers.closed_port() as port:
        made = created(ana, f"http://127.0.0.1:{port}/")
        happen(ana)
        assert attempts_of(ana, made, 1)["attempts"][0]["error"] == "connection_refused"


def test_a_large_answer_is_cut(house, ana):
    before = program.most_memory(house.server)
    with Receiver(lambda *_: (200, {}, b"x" * 20_000_000)) as receiver:
        made = created(ana, receiver.url())
        happen(ana)
        delivery = attempts_of(ana, made, 1)
        assert delivery["status"] == "succeeded" and delivery["attempts"][0]["response"] == "x" * 1024
        for _ in range(8):
            happen(ana)
        people.until(lambda: len(deliveries(ana, made, status="succeeded")) == 9)
    if not program.IS_SANITIZED:
        assert program.most_memory(house.server) - before < 15_000_000, "less than one of them"


def test_a_failure_holds_up_only_ordered_ones(ana):
    broken = {}

    def fails_for_one(_, request):
        number = number_of(request)
        return 500 if number == broken.setdefault("number", number) and not broken.get("mended") else 200

    def number_of(request):
        return json.loads(request.body)["sequence_number"]
    with Receiver(lambda count, _: 500 if count == 0 else 200) as ordered, Receiver(fails_for_one) as unordered:
        created(ana, ordered.url(), ordered=True)
        created(ana, unordered.url())
        for _ in range(4):
            happen(ana)
        # All come, though one of them fails again and again.
        people.until(lambda: len({number_of(each) for each in unordered.received}) == 4)
        broken["mended"] = True
        numbers = [number_of(each) for each in ordered.wait_for(5)]
        assert numbers == [numbers[0], numbers[0], *sorted(numbers[2:])] and len(set(numbers)) == 4


def test_the_third_of_ordered_ones_fails_twice(ana):
    def answer(_, request):
        number = json.loads(request.body)["sequence_number"]
        tries[number] = tries.get(number, 0) + 1
        return 500 if len(tries) == 3 and tries[number] <= 2 else 200
    tries = {}
    with Receiver(answer) as receiver:
        made = created(ana, receiver.url(), ordered=True)
        sessions = [happen(ana)["id"] for _ in range(5)]
        people.until(lambda: len(tries) == 3)
        delivery = deliveries(ana, made, status="pending")[-1]
        for count in (1, 2):  # At once instead of after minutes.
            people.until(lambda: max(tries.values()) >= count)
            if max(tries.values()) > count:  # The first of them comes by itself after five seconds.
                continue
            people.until(lambda: ana.request(
                "POST", f"/webhooks/{made['id']}/deliveries/{delivery['id']}/redeliver").status == 202)
        told = [event["data"]["id"] for event in receiver.wait_for(7) and receiver.events()]
        assert told == [*sessions[:2], *[sessions[2]] * 3, *sessions[3:]]


def test_a_receiver_that_is_gone_hears_nothing_more(ana):
    with Receiver(lambda *_: 410) as receiver:
        made = created(ana, receiver.url())
        happen(ana)
        people.until(lambda: webhook(ana, made)["state"] == "disabled")
        now = webhook(ana, made)
        assert now["disabled_reason"] == "gone" and now["last_failure_at"]
        assert ana.pages("/events", types="webhook.disabled")[0]["data"]["id"] == made["id"]
        [delivery] = failed(ana, made)
        happen(ana)
        path = f"/webhooks/{made['id']}"
        for below, body in [("/test", None), (f"/deliveries/{delivery['id']}/redeliver", None), ("/replay", {})]:
            refused(ana.request("POST", path + below, body), 409, "conflict")
        assert len(receiver.received) == 1


def test_a_disabled_one_goes_on_from_then_and_a_replay_brings_the_rest(ana):
    with Receiver() as receiver:
        made = created(ana, receiver.url(), ordered=True)
        path = f"/webhooks/{made['id']}"
        before = happen(ana)
        people.until(lambda: deliveries(ana, made, status="succeeded"))
        disabled = ana.request("PATCH", path, {"state": "disabled"}).json()
        assert (disabled["state"], disabled["disabled_reason"]) == ("disabled", "user")
        missed = [happen(ana) for _ in range(3)]
        enabled = ana.request("PATCH", path, {"state": "active"}).json()
        assert (enabled["state"], enabled["disabled_reason"]) == ("active", None)
        after = happen(ana)
        receiver.wait_for(2)
        assert [event["data"]["id"] for event in receiver.events()] == [before["id"], after["id"]]
        response = ana.request("POST", path + "/replay", {"after": made["cursor"]})
        assert response.status == 202 and response.json()["count"] == 3, response.body
        receiver.wait_for(5)
        assert [event["data"]["id"] for event in receiver.events()[2:]] == [each["id"] for each in missed]
        people.until(lambda: len(deliveries(ana, made, status="succeeded")) == 5)
        everything = ana.request("POST", path + "/replay", {"after": made["cursor"], "only_failed": False})
        assert everything.json()["count"] == 5
        again = receiver.wait_for(10)[5:]
        assert {each.headers["webhook-id"] for each in again} == {
            each.headers["webhook-id"] for each in receiver.received[:5]}
        people.until(lambda: len(deliveries(ana, made, status="succeeded")) == 5)
        until = receiver.events()[0]["sequence_number"]
        part = ana.request("POST", path + "/replay", {"until": until, "only_failed": False})
        assert (part.json()["count"], part.json()["until"]) == (1, until)


def test_failed_ones_are_sent_again_with_the_same_ids(ana):
    up = threading.Event()
    with Receiver(lambda *_: 200 if up.is_set() else 500) as receiver:
        made = created(ana, receiver.url())
        for _ in range(100):
            happen(ana)
        people.until(lambda: sum(len(each["attempts"]) > 0 for each in deliveries(ana, made)) == 100)
        path = f"/webhooks/{made['id']}"
        ana.request("PATCH", path, {"state": "disabled"})
        people.until(lambda: len(failed(ana, made)) == 100)  # Also those that were just being sent.
        ids = {each["event_id"] for each in failed(ana, made)}
        up.set()
        ana.request("PATCH", path, {"state": "active"})
        count = len(receiver.received)
        assert ana.request("POST", path + "/replay", {}).json()["count"] == 100
        people.until(lambda: len(deliveries(ana, made, status="succeeded")) == 100)
        assert {each.headers["webhook-id"] for each in receiver.received[count:]} == ids
        assert ana.request("POST", path + "/replay", {}).json()["count"] == 0
        [one, *_] = deliveries(ana, made)
        response = ana.request("POST", path + f"/deliveries/{one['id']}/redeliver")
        assert response.status == 202 and response.json()["status"] == "pending"
        people.until(lambda: len(receiver.received) > count + 100)
        assert receiver.received[-1].headers["webhook-id"] == one["event_id"]


def test_a_killed_server_sends_it_later(start, tmp_path):
    up = threading.Event()
    with Receiver(lambda *_: 200 if up.wait(1.5) else 500) as receiver:
        house = chats.LastingHouse(start, tmp_path / "data", {
            "webhooks.allow_http": "true", "webhooks.allowed_networks": "127.0.0.0/8"})
        ana = automations.automator(house, "ana")
        made = created(ana, receiver.url())
        sessions = [happen(ana)["id"] for _ in range(10)]
        receiver.wait_for(1)
        house.kill()  # Some are being sent, none has succeeded.
        up.set()
        house.come_back()
        people.until(lambda: len(deliveries(ana, made, status="succeeded")) == 10)
        got = {}
        for request in receiver.received:
            event = receivers.verified(request, made["secret"])
            got.setdefault(event["data"]["id"], set()).add(event["id"])
        assert set(got) == set(sessions) and all(len(ids) == 1 for ids in got.values())
        house.server.stop()


def test_what_happened_while_no_server_sent_is_sent_at_the_next_start(start, tmp_path):
    settings = {"webhooks.allow_http": "true", "webhooks.allowed_networks": "127.0.0.0/8"}
    with receivers.closed_port() as port:
        house = chats.LastingHouse(start, tmp_path / "data", settings)
        ana = automations.automator(house, "ana")
        made = created(ana, f"http://127.0.0.1:{port}/")
        happen(ana)
        attempts_of(ana, made, 1)
        house.kill()
        with Receiver(port=port) as receiver:  # Before the second try, however long the start takes.
            house.come_back()
            [request] = receiver.wait_for(1)
            receivers.verified(request, made["secret"])
            assert attempts_of(ana, made, 2)["status"] == "succeeded"
        house.server.stop()
