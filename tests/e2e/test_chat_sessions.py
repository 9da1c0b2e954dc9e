"""Sessions: creation, look-up, change, deletion; and ownership."""
import re
import time

import pytest

import chats
import people
from chats import text_of
from people import faults, refused

SLOW = "{words:400} {delay_ms:100}"
NEVER = "0" * 28


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def make(person, **fields):
    response = person.request("POST", "/chat/sessions", fields)
    assert response.status == 201, response.body
    return response.json()


def path_of(session):
    return f"/chat/sessions/{chats.name_of(session)}"


def change(person, session, headers=None, **fields):
    return person.request("PATCH", path_of(session), fields, headers)


def test_a_session_field_by_field(ana):
    response = ana.request("POST", "/chat/sessions", {
        "title": "Holidays", "instructions": "Be brief.", "model": "scripted",
        "metadata": {"k": "v"}})
    assert response.status == 201
    made = response.json()
    assert response.header("location") == f"/v1/api/chat/sessions/{made['id']}"
    assert set(made) == chats.SESSION_FIELDS and people.is_id(made["id"], "ses")
    assert made == {
        "object": "chat.session", "id": made["id"], "title": "Holidays",
        "instructions": "Be brief.", "model": "scripted", "archived": False, "message_count": 0,
        "active_run_ids": [], "created_at": made["created_at"], "updated_at": made["created_at"],
        "last_message_at": None, "automation_id": None, "keep": False, "metadata": {"k": "v"}}
    assert abs(people.at(made["created_at"]) - time.time()) < 60
    assert ana.get(path_of(made)) == made and ana.get("/chat/sessions")["data"][0] == made
    assert ana.messages(made) == []
    run = ana.ask("hello", session_id=made["id"])
    now = ana.get(path_of(made))
    assert now["message_count"] == 2 and now["title"] == "Holidays"
    assert people.at(now["last_message_at"]) >= people.at(run["created_at"])
    assert now["created_at"] == made["created_at"] <= now["updated_at"]


def test_an_empty_body_makes_an_empty_session(ana):
    made = make(ana)
    assert made["metadata"] == {} and not made["title"] and not made["instructions"]
    run = ana.ask("hello", session_id=made["id"])
    assert run["session_id"] == made["id"] and run["user_message"]["parent_id"] is None


@pytest.mark.parametrize("body, expected", [
    ({"title": 7}, "#/title"), ({"title": "x" * 5000}, "#/title"), ({"instructions": 7},
                                                                    "#/instructions"),
    ({"model": 7}, "#/model"), ({"metadata": []}, "#/metadata"),
    ({"metadata": {str(n): "v" for n in range(17)}}, "#/metadata"), ({"owner": "usr_x"}, "#/owner"),
    ({"id": "ses_x"}, "#/id"), ({"message_count": 7}, "#/message_count")])
def test_sessions_that_will_not_do(ana, body, expected):
    session = make(ana, title="stays")
    for answer in (ana.request("POST", "/chat/sessions", body), change(ana, session, **body)):
        assert {pointer for pointer, _ in faults(answer)} == {expected}
    assert ana.get(path_of(session)) == session
    refused(ana.request("POST", "/chat/sessions", {"model": "nothing"}), 422, "unknown_model")
    refused(change(ana, session, model="nothing"), 422, "unknown_model")


def test_titles_come_from_the_first_message_until_set(ana):
    run = ana.ask("Plan a trip to Lisbon")
    session = run["session_id"]
    assert ana.get(path_of(session))["title"] == "Plan a trip to Lisbon"
    ana.ask("And one to Porto", session_id=session)
    assert ana.get(path_of(session))["title"] == "Plan a trip to Lisbon"
    assert change(ana, session, title="Portugal").json()["title"] == "Portugal"
    ana.ask("And to Faro", session_id=session)
    assert ana.get(path_of(session))["title"] == "Portugal"
    empty = make(ana)
    ana.ask("Late beginning", session_id=empty["id"])
    assert ana.get(path_of(empty))["title"] == "Late beginning"


def test_a_title_is_one_short_line(ana):
    for message in ("word " * 2000, "🦀" * 3000, "one\r\ntwo\0three\n" * 100,
                    "\n\n  first line\nx"):
        title = ana.get(path_of(ana.ask(message)["session_id"]))["title"]
        assert 0 < len(title) <= 256 and not set(title) & set("\r\n\0"), title


def test_patch_changes_what_it_names(ana):
    session = make(ana, title="old", instructions="old", metadata={"a": "b", "c": "d"})
    for fields in ({"title": "new"}, {"archived": True}, {"instructions": "new"},
                   {"model": "scripted"}, {"metadata": {"e": "f"}}, {"archived": False},
                   {"title": "both", "metadata": {}}, {"instructions": None}):
        response = change(ana, session, **fields)
        assert response.status == 200, response.body
        now = response.json()
        # The cleared form of metadata, model and instructions is tested elsewhere.
        expected = {**session, **fields, "updated_at": now["updated_at"]}
        if None in fields.values():
            expected["instructions"] = now["instructions"]
            assert not now["instructions"]
        assert now == expected == ana.get(path_of(session))
        assert now["updated_at"] >= session["updated_at"]
        session = now
    unchanged = change(ana, session, title=None, archived=None, metadata=None)
    assert unchanged.status == 200, "null is as if absent"
    session["updated_at"] = unchanged.json()["updated_at"]
    assert unchanged.json() == session
    for fields in ({"archived": "yes"}, {"active_run_ids": []},
                   {"last_message_at": None}, {"created_at": "2020-01-01T00:00:00.000Z"}):
        name, = fields
        assert {pointer for pointer, _ in faults(change(ana, session, **fields))} == {f"#/{name}"}
    assert ana.get(path_of(session)) == session


def test_changes_that_depend_on_a_version(ana):
    session = make(ana, title="one")

    def tag():
        answer = ana.request("GET", path_of(session))
        assert answer.header("etag").strip("W/").startswith('"')
        assert ana.request("HEAD", path_of(session)).header("etag") == answer.header("etag")
        return answer.header("etag")
    first = tag()
    assert tag() == first
    assert change(ana, session, {"If-Match": first}, title="two").status == 200
    second = tag()
    assert second != first
    for stale in (first, '"nothing"', f'{first}, "other"', 'W/"x"'):
        refused(change(ana, session, {"If-Match": stale}, title="lost"), 412, "precondition_failed")
    assert ana.get(path_of(session))["title"] == "two" and tag() == second
    assert change(ana, session, {"If-Match": f'"x", {second}'}, title="three").status == 200
    assert change(ana, session, {"If-Match": "*"}, title="four").status == 200
    assert change(ana, session, title="five").status == 200
    other = tag()
    answers = people.at_once(6, lambda n: change(ana, session, {"If-Match": other}, title=f"{n}"))
    assert sorted(answer.status for answer in answers) == [200] + [412] * 5
    refused(change(ana, "ses_" + NEVER, {"If-Match": other}, title="x"), 404, "not_found")


def test_a_deleted_session_takes_all_with_it(ana):
    run = ana.ask("to be deleted")
    paths = [path_of(run["session_id"]), path_of(run["session_id"]) + "/messages",
             f"/chat/runs/{run['id']}", f"/chat/runs/{run['id']}/events",
             f"/chat/messages/{run['message']['id']}",
             f"/chat/messages/{run['user_message']['id']}"]
    response = ana.request("DELETE", paths[0])
    assert response.status == 204 and response.body == b""
    for path in paths:
        answer = ana.request("GET", path)
        refused(answer, 404, "not_found")
        never = ana.request("GET", re.sub(r"(ses|run|msg)_\w+", r"\1_" + NEVER, path))
        assert people.said(answer) == people.said(never)
    for answer in (ana.request("DELETE", paths[0]), change(ana, run["session_id"], title="x"),
                   ana.query("x", session_id=run["session_id"]),
                   ana.query("x", parent_message_id=run["message"]["id"]),
                   ana.query(parent_message_id=run["user_message"]["id"]),
                   ana.request("POST", f"/chat/runs/{run['id']}/cancel")):
        refused(answer, 404, "not_found")
    assert run["session_id"] not in [each["id"] for each in ana.pages("/chat/sessions")]


def test_deleting_a_session_cancels_what_runs_in_it(ana):
    session = ana.ask("begin")["session_id"]
    with ana.stream(SLOW, session_id=session) as feed:
        feed.until(lambda event: event.number == 3)
        with ana.follow(feed.run_id) as second:
            second.until(lambda event: event.number == 3)
            assert ana.request("DELETE", path_of(session)).status == 204
            for each in (feed, second):
                last = each.rest()[-1]
                assert last.type == "run.cancelled"
                assert last.data["run"]["message"]["stop_reason"] == "cancelled"
    people.until(lambda: ana.request("GET", f"/chat/runs/{feed.run_id}").status == 404)

    plain = make(ana)

    def act(number):
        if number == 0:
            return ana.query(SLOW, session_id=plain["id"])
        people.until(lambda: ana.get(path_of(plain))["active_run_ids"])
        return ana.request("DELETE", path_of(plain))
    waited, deleted = people.at_once(2, act)
    assert deleted.status == 204
    assert waited.status == 200 and waited.json()["status"] == "cancelled"


def test_what_belongs_to_another_user_does_not_exist(house, ana):
    bob = chats.somebody(house, "bob")
    run = ana.ask("{words:3}")
    running = ana.begin(SLOW)
    kinds = [("/chat/sessions/{}", "ses_", run["session_id"]),
             ("/chat/sessions/{}/messages", "ses_", run["session_id"]),
             ("/chat/messages/{}", "msg_", run["message"]["id"]),
             ("/chat/runs/{}", "run_", run["id"]), ("/chat/runs/{}/events", "run_", run["id"]),
             ("/chat/runs/{}/events", "run_", running["id"]),
             ("/chat/runs/{}/events?after=1", "run_", running["id"]),
             ("/chat/runs/{}/events?after=x", "run_", running["id"])]
    asked = [("GET", *kind, None) for kind in kinds]
    asked += [("PATCH", *kinds[0], {"title": "mine"}), ("DELETE", *kinds[0], None),
              ("POST", "/chat/runs/{}/cancel", "run_", running["id"], None)]
    for method, path, prefix, name, body in asked:
        never = bob.request(method, path.format(prefix + NEVER), body)
        for wrong in (name, "x", "'%20OR%201=1--"):
            answer = bob.request(method, path.format(wrong), body)
            if "after=x" in path and answer.status == 400:
                assert never.status == 400
                continue
            refused(answer, 404, "not_found")
            assert answer.body.replace(answer.json()["request_id"].encode(), b"") == (
                never.body.replace(never.json()["request_id"].encode(), b"")), (method, path)
            assert [field for field, _ in answer.fields] == [field for field, _ in never.fields]
    assert bob.pages("/chat/sessions", archived="all") == []
    assert ana.run(run) == run and ana.run(running)["status"] == "running"
    assert text_of(ana.messages(run["session_id"])[1]) == "w1 w2 w3"
    ana.cancel(running)


def test_test_mode_is_a_world_of_its_own():
    other = {"models.other.engine": "scripted", "model.default": "other"}
    with chats.house(other) as house:
        user = house.add("ana")
        ana = chats.Person(house, house.token_for(user)["token"])
        tests = chats.Person(house, house.token_for(user, test=True)["token"])
        assert tests.token.startswith("plt_")
        real, rehearsed = ana.ask("real"), tests.ask("rehearsed")
        assert real["model"] == "other" and rehearsed["model"] == "scripted"
        assert text_of(rehearsed["message"]) == "rehearsed"
        assert tests.ask("x", model="other")["model"] == "scripted"
        for person, run, theirs in ((ana, real, rehearsed), (tests, rehearsed, real)):
            seen = [session["id"] for session in person.pages("/chat/sessions", archived="all")]
            assert run["session_id"] in seen and theirs["session_id"] not in seen
            for path in (path_of(theirs["session_id"]), f"/chat/runs/{theirs['id']}",
                         f"/chat/runs/{theirs['id']}/events",
                         f"/chat/messages/{theirs['message']['id']}"):
                refused(person.request("GET", path), 404, "not_found")
            refused(person.query("x", session_id=theirs["session_id"]), 404, "not_found")
            refused(person.request("DELETE", path_of(theirs["session_id"])), 404, "not_found")
        second = chats.Person(house, house.token_for(user, test=True)["token"])
        assert second.run(rehearsed) == rehearsed
