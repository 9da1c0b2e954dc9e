"""Automations that events of the log make due."""
import time

import pytest

import chats
import people
from automations import SCOPES, SETTINGS, automator, created, ended, rows, started
from people import faults, refused


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(SETTINGS) as opened:
        yield opened


@pytest.fixture(name="ana")
def one_user(house, request):
    """Each test has a log of its own."""
    return automator(house, "ana" + str(abs(hash(request.node.name)))[:12])


def trigger(*types, **only):
    return {"type": "event", "event_types": list(types), **only}


def only_row(person, automation):
    return people.until(lambda: rows(person, automation))[0]


def test_an_event_makes_it_due_once(ana):
    session = ana.request("POST", "/chat/sessions", {"title": "Reports"}).json()
    listener = created(ana, message="{{type}} of {{session}}: {{whole}}", variables=[
        {"name": "type"}, {"name": "session", "pointer": "/data/session_id"}, {"name": "whole", "pointer": ""}],
        trigger=trigger("chat.run.completed", session_id=session["id"]))
    assert listener["trigger"] == {"type": "event", "event_types": ["chat.run.completed"], "automation_id": None,
                                   "session_id": session["id"]}
    assert listener["overlap"] == "queue" and listener["next_at"] is None
    ana.query("Elsewhere")
    answer = ana.query("Hello", session_id=session["id"]).json()
    row = ended(ana, only_row(ana, listener))
    events = [each for each in ana.pages("/events", limit=100) if each["data"]["id"] == answer["id"]]
    done = next(each for each in events if each["type"] == "chat.run.completed")
    assert row["trigger"] == "event" and row["key"] == done["id"] and row["scheduled_for"] == done["timestamp"]
    assert row["status"] == "completed"
    assert row["message"].startswith(f"chat.run.completed of {session['id']}: {{\"object\":\"event\"")
    ana.query("Once more", session_id=session["id"])
    people.until(lambda: len(rows(ana, listener)) == 2)
    assert {each["status"] for each in map(lambda one: ended(ana, one), rows(ana, listener))} == {"completed"}


def test_a_chain_of_automations_ends(ana):
    first = created(ana, name="A")
    second = created(ana, name="B", trigger=trigger("automation.run.*", automation_id=first["id"]), overlap="allow")
    ana.request("PATCH", f"/automations/{first['id']}",
                {"trigger": trigger("automation.run.completed", "automation.run.skipped",
                                    automation_id=second["id"]), "overlap": "allow"})
    ana.request("PATCH", f"/automations/{second['id']}",
                {"trigger": trigger("automation.run.completed", "automation.run.skipped",
                                    automation_id=first["id"])})
    started(ana, first)
    people.until(lambda: [each for each in rows(ana, first) if each["skip_reason"] == "loop"])
    found = sorted(rows(ana, first) + rows(ana, second), key=lambda each: each["created_at"])
    assert [(each["automation_id"], each["status"]) for each in found] == [
        (first["id"], "completed"), (second["id"], "completed"), (first["id"], "completed"),
        (second["id"], "completed"), (first["id"], "skipped")]
    ana.query("Wait for the log")
    assert len(rows(ana, first) + rows(ana, second)) == 5
    depths = {each["data"]["id"]: each["cause"]["depth"] for each in ana.pages("/events", limit=100)
              if each["type"].startswith("automation.run.")}
    assert [depths[each["id"]] for each in found] == [1, 2, 3, 4, 5]


def test_a_ring_of_automations_ends(ana):
    """The skipped row was caused by neither of its neighbours: only its depth ends the chain."""
    ring = [created(ana, name=name, overlap="allow") for name in "ABC"]
    for before, each in zip([ring[-1], *ring], ring):
        ana.request("PATCH", f"/automations/{each['id']}", {"trigger": trigger(
            "automation.run.completed", "automation.run.skipped", automation_id=before["id"])})
    last = created(ana, name="Last", trigger=trigger("chat.session.created"), session={"policy": "continue"})
    started(ana, ring[0])
    people.until(lambda: [each for each in rows(ana, ring[1]) if each["skip_reason"] == "loop"])
    session = ana.request("POST", "/chat/sessions", {"title": "After the chain"}).json()
    events = ana.pages("/events", limit=100, types="chat.session.created")
    about = next(each["id"] for each in events if each["data"]["id"] == session["id"])
    people.until(lambda: [each for each in rows(ana, last) if each["key"] == about])
    assert [len(rows(ana, each)) for each in ring] == [2, 2, 1]


def test_it_does_not_hear_itself(ana):
    listener = created(ana, trigger=trigger("automation.*", "chat.*"), session={"policy": "new", "keep": 1})
    runs = [ended(ana, started(ana, listener)) for _ in range(3)]
    answer = ana.query("From a person").json()
    people.until(lambda: any(each["trigger"] == "event" for each in rows(ana, listener)))
    people.until(lambda: all(each["status"] == "completed" for each in rows(ana, listener)))
    heard = [each for each in rows(ana, listener) if each["trigger"] == "event"]
    keys = {each["key"] for each in heard}
    about = [each for each in ana.pages("/events", limit=100) if each["id"] in keys]
    assert len(about) == len(heard) and runs
    assert {each["data"].get("session_id", each["data"]["id"]) for each in about} == {answer["session_id"]}



def test_many_events_of_others_do_not_hold_it_up(ana):
    session = ana.request("POST", "/chat/sessions", {"title": "Rare"}).json()
    listener = created(ana, trigger=trigger("chat.run.*", session_id=session["id"]), overlap="allow")
    for number in range(60):  # Two events each: more than are read at once, and few enough not to be noted.
        ana.query(f"Elsewhere {number}")
    ana.query("Here", session_id=session["id"])
    people.until(lambda: len(rows(ana, listener)) == 2)


def test_what_happens_while_its_user_is_disabled_is_not_heard(house):
    owner = house.add("dora")
    dora = chats.Person(house, house.token_for(owner, scopes=SCOPES)["token"])
    listener = created(dora, trigger=trigger("chat.run.completed"), overlap="allow")
    slow = dora.begin("{first_delay_ms:5000} late")  # It must not end before the user is disabled.
    path = f"/users/{owner['id']}"
    assert house.ask("PATCH", path, house.admin, {"disabled": True}).status == 200
    assert slow["status"] in ("queued", "running")
    assert house.server.log.wait_for(message="run ended", run_id=slow["id"])
    time.sleep(5)  # Nothing shows when its listener has read this.
    assert house.ask("PATCH", path, house.admin, {"disabled": False}).status == 200
    answer = dora.query("Afterwards").json()
    row = only_row(dora, listener)
    events = dora.pages("/events", limit=100)
    heard = next(each for each in events if each["id"] == row["key"])
    assert heard["data"]["id"] == answer["id"] and len(rows(dora, listener)) == 1


def test_what_happens_while_it_is_paused_is_not_heard(ana):
    listener = created(ana, trigger=trigger("chat.session.created"), paused=True)
    ana.request("POST", "/chat/sessions", {"title": "One"})
    ana.request("PATCH", f"/automations/{listener['id']}", {"paused": False})
    session = ana.request("POST", "/chat/sessions", {"title": "Two"}).json()
    row = only_row(ana, listener)
    assert len(rows(ana, listener)) == 1
    event = next(each for each in ana.pages("/events", limit=100) if each["id"] == row["key"])
    assert event["data"]["id"] == session["id"]
    ana.request("PATCH", f"/automations/{listener['id']}", {"trigger": None})
    ana.request("POST", "/chat/sessions", {"title": "Three"})
    ana.query("Wait for the log")
    assert len(rows(ana, listener)) == 1


def test_a_value_that_is_required_and_absent_is_a_failure(ana):
    listener = created(ana, message="{{gone}}", variables=[{"name": "gone", "required": True}],
                       trigger=trigger("chat.session.created"))
    ana.request("POST", "/chat/sessions", {"title": "One"})
    row = ended(ana, only_row(ana, listener))
    assert row["status"] == "failed" and row["error"]["code"] == "validation_failed"


def test_others_are_not_heard(house, ana):
    other = automator(house, "eve" + str(abs(hash("others")))[:8])
    listener = created(other, trigger=trigger("chat.*"))
    ana.query("Mine alone")
    other.request("POST", "/chat/sessions", {"title": "Own"})
    only_row(other, listener)
    assert len(rows(other, listener)) == 1


def test_types_must_be_known_and_readable(house, ana):
    response = ana.request("POST", "/automations", {"name": "A", "message": "b", "trigger": trigger(
        "chat.run.completed", "chat.nothing", "*")})
    assert faults(response) == [("#/trigger/event_types/1", "invalid"), ("#/trigger/event_types/2", "invalid")]
    response = ana.request("POST", "/automations", {"name": "A", "message": "b", "trigger": trigger()})
    assert faults(response) == [("#/trigger/event_types", "too_short")]
    response = ana.request("POST", "/automations", {"name": "A", "message": "b", "trigger": {"type": "moon"}})
    assert faults(response) == [("#/trigger/type", "not_allowed")]
    weak = chats.Person(house, chats.somebody(house, "weak", scopes=[
        scope for scope in SCOPES if scope != "account"]).token)
    made = created(weak, trigger=trigger("chat.*"))
    for response in (weak.request("POST", "/automations", {"name": "A", "message": "b",
                                                           "trigger": trigger("chat.*", "login.created")}),
                     weak.request("PATCH", f"/automations/{made['id']}", {"trigger": trigger("token.*")})):
        assert refused(response, 403, "insufficient_scope", "required_scope")["required_scope"] == "account"


def test_a_token_hears_by_a_change_only_what_it_may_read(house, ana):
    made = created(ana, message="{{what}}", variables=[{"name": "what", "pointer": "/type"}],
                   trigger=trigger("login.*"))
    path = f"/automations/{made['id']}"
    narrow = chats.Person(house, house.make_token(ana.token, scopes=[
        scope for scope in SCOPES if scope != "account"])["token"])
    for change in ({"variables": [{"name": "what", "pointer": ""}]}, {"message": "{{what}} {{what}}"},
                   {"trigger": trigger("login.created")}):
        response = narrow.request("PATCH", path, change)
        assert refused(response, 403, "insufficient_scope", "required_scope")["required_scope"] == "account"
    assert ana.get(path)["revision"] == 1, "nothing was changed"
    changed = narrow.request("PATCH", path, {"name": "Other", "paused": True})
    assert changed.status == 200, "this shows nothing more"
    changed = narrow.request("PATCH", path, {"message": "{{what}}!", "trigger": trigger("chat.*")})
    assert changed.status == 200, "it may read what is heard afterwards"


def test_events_are_heard_after_a_crash(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data", SETTINGS)
    ana = automator(house, "ana")
    listener = created(ana, message="{{id}}", variables=[{"name": "id"}], overlap="allow",
                       trigger=trigger("chat.session.created"), session={"policy": "new", "keep": None})
    for number in range(20):
        ana.request("POST", "/chat/sessions", {"title": str(number)})
    house.kill()
    house.come_back()
    ana.request("POST", "/chat/sessions", {"title": "last"})
    people.until(lambda: len(rows(ana, listener, status="completed")) == 21)
    heard = sorted(each["key"] for each in rows(ana, listener))
    events = ana.pages("/events", types="chat.session.created", limit=100)
    assert heard == sorted(each["id"] for each in events if not each["cause"]["automation_id"])
