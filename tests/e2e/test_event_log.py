"""The event log: every change is in it, in order, once, and in the same bytes however it is read."""
import contextlib
import json
import sqlite3

import pytest

import automations
import chats
import feeds
import people
import wire
from people import refused

FIRST = 2  # The number of a user's first chat event: the token was created before.
EVENT_FIELDS = {"object", "id", "sequence_number", "type", "timestamp", "test", "cause", "data"}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


def log(person, **query):
    events = person.pages("/events", **query)
    assert all(set(event) == EVENT_FIELDS for event in events)
    return events


def follow(person, path="/events", **options):
    return feeds.Feed(person.house.server, "GET", path, person.token, **options)


def types_of(events):
    return [event["type"] for event in events]


def test_it_tells_of_sessions_and_runs(house):
    ana = chats.somebody(house, "ana")
    response = ana.query("hello")
    run = response.json()
    session = run["session_id"]
    path = f"/chat/sessions/{session}"
    patched = ana.request("PATCH", path, {"title": "New"})
    assert ana.request("DELETE", path).status == 204
    events = [event for event in log(ana) if event["type"].startswith("chat.")]
    assert types_of(events) == ["chat.session.created", "chat.run.created", "chat.run.completed",
                                "chat.session.updated", "chat.session.deleted"]
    asked = response.header("x-request-id")
    assert [event["cause"]["request_id"] for event in events[:4]] == [
        asked, asked, asked, patched.header("x-request-id")]
    assert events[1]["data"] == {"object": "chat.run", "id": run["id"], "session_id": session,
                                 "status": "queued"}
    assert events[2]["data"]["status"] == "completed"
    assert events[4]["data"] == {"object": "chat.session", "id": session}
    for event in events:
        assert people.is_id(event["id"], "evt") and people.TIME.fullmatch(event["timestamp"])
        assert event["cause"] | {"request_id": None} == {
            "automation_id": None, "automation_run_id": None, "depth": 0, "request_id": None}
    assert "hello" not in json.dumps(events)


def test_every_end_of_a_run_is_told(house):
    ben = chats.somebody(house, "ben")
    ben.query("{error:upstream_error}")
    ben.cancel(ben.begin("{first_delay_ms:60000} x"))
    removed = ben.begin("{first_delay_ms:60000} x")
    assert ben.request("DELETE", f"/chat/sessions/{removed['session_id']}").status == 204
    events = log(ben, types="chat.run.*")
    assert types_of(events) == ["chat.run.created", "chat.run.failed", "chat.run.created",
                                "chat.run.cancelled", "chat.run.created", "chat.run.cancelled"]
    everything = types_of(log(ben))
    assert everything[-2:] == ["chat.run.cancelled", "chat.session.deleted"]


def test_tokens_and_logins_are_for_those_who_may_see_them(house):
    user = house.add("cleo")
    login = house.login("cleo")
    account = chats.Person(house, login["access_token"])
    made = account.request("POST", "/tokens", {"name": "x", "scopes": ["chat:read"]}).json()
    reader = chats.Person(house, made["token"])
    assert account.request("DELETE", f"/tokens/{made['id']}").status == 204
    events = log(account)
    assert types_of(events) == ["login.created", "token.created", "token.revoked"]
    assert events[1]["data"] == {"object": "api_token", "id": made["id"]}
    refused(reader.request("GET", "/events"), 401, "invalid_token")

    chat = chats.Person(house, house.token_for(user, scopes=["chat:read", "chat:write"])["token"])
    chat.ask("hello")
    assert [(event["sequence_number"], event["type"]) for event in log(chat)] == [
        (5, "chat.session.created"), (6, "chat.run.created"), (7, "chat.run.completed")]
    writer = chats.Person(house, house.token_for(user, scopes=["chat:write"])["token"])
    problem = refused(writer.request("GET", "/events"), 403, "insufficient_scope", "required_scope")
    assert problem["required_scope"] == "chat:read"


def test_logs_are_apart(house):
    user = house.add("dora")
    live = chats.Person(house, house.token_for(user)["token"])
    test = chats.Person(house, house.token_for(user, test=True)["token"])
    test.ask("hello")
    assert all(event["type"].startswith("token.") for event in log(live, types="token.*,chat.*"))
    events = log(test)
    assert [event["sequence_number"] for event in events] == [1, 2, 3]
    assert all(event["test"] for event in events)


def test_list_and_stream_have_the_same_bytes(house):
    eve = chats.somebody(house, "eve")
    for _ in range(3):
        eve.ask("hello")
    listed = eve.request("GET", "/events?limit=100").body
    with follow(eve, "/events?types=chat.*") as feed:
        events = feed.until(lambda event: event.number == FIRST + 8)
        for event in events:
            data = event.frame.split(b"\ndata: ")[1].strip()
            assert data in listed
        for seen in (0, 1, 8):
            with follow(eve, f"/events?after={FIRST - 1 + seen}") as again:
                frames = feeds.frames(again.until(lambda event: event.number == FIRST + 8))
                assert frames == feeds.frames(events[seen:])
        with follow(eve, "/events?after=1", headers={"Last-Event-ID": "7"}) as resumed:
            assert resumed.next().number == 8
        eve.ask("more")  # Arrives without a request.
        assert [event.type for event in feed.until(lambda event: event.number == FIRST + 11)] == [
            "chat.session.created", "chat.run.created", "chat.run.completed"]
    with follow(eve, "/events?after=latest&types=chat.run.completed") as ends:
        assert ends.response.status == 200
        people.until(lambda: eve.ask("again") and True)
        assert ends.next().type == "chat.run.completed"
        assert ends.start == FIRST + 11


def test_there_is_no_gap_whatever_goes_on(house):
    fay = chats.somebody(house, "fay")

    def busy(number):
        for turn in range(4):
            run = fay.ask(f"hello {number} {turn}")
            path = f"/chat/sessions/{run['session_id']}"
            assert fay.request("PATCH", path, {"title": f"{turn}"}).status == 200
            if turn % 2:
                assert fay.request("DELETE", path).status == 204
        return True

    expected = 8 * (4 * 4 + 2)
    with follow(fay, "/events?types=chat.*") as feed:
        people.at_once(8, busy)
        streamed = feed.until(lambda event: event.number == FIRST - 1 + expected)
    events = log(fay, limit=7, types="chat.*")
    assert [event["sequence_number"] for event in events] == list(range(FIRST, FIRST + expected))
    assert [event.data for event in streamed] == events
    assert len({event["id"] for event in events}) == expected
    for run in fay.pages("/chat/runs"):
        told = [event["type"] for event in events if event["data"]["id"] == run["id"]]
        assert told == ["chat.run.created", "chat.run.completed"]


def test_runs_and_rows_have_exactly_their_events():
    """After more than 500 changes of many kinds by 8 clients."""
    with chats.house(automations.SETTINGS) as house:
        gwen = automations.automator(house, "gwen")
        made = [automations.created(gwen, overlap="allow") for _ in range(8)]

        def busy(number):
            for turn in range(16):
                path = f"/chat/sessions/{gwen.ask(f'hello {number} {turn}')['session_id']}"
                automations.started(gwen, made[number])
                assert gwen.request("PATCH", path, {"title": f"{turn}"}).status == 200
                if turn % 2:
                    assert gwen.request("DELETE", path).status == 204
                else:
                    gwen.cancel(gwen.begin("{first_delay_ms:60000} x"))
            return True

        assert people.at_once(8, busy) == [True] * 8
        rows = [automations.ended(gwen, each) for each in gwen.pages("/automation_runs")]
        runs = [gwen.ended(each) for each in gwen.pages("/chat/runs")]
        events = log(gwen)
        assert [event["sequence_number"] for event in events] == list(range(1, len(events) + 1))
        told = {}
        for event in events:
            told.setdefault(event["data"]["id"], []).append(event["type"])
        assert len(rows) == 8 * 16 and {each["status"] for each in rows} == {"completed"}
        for row in rows:
            assert told[row["id"]] == ["automation.run.queued", "automation.run.completed"]
        assert {each["status"] for each in runs} == {"completed", "cancelled"}
        for run in runs:
            assert told[run["id"]] == ["chat.run.created", f"chat.run.{run['status']}"]
        deleted = [kinds for kinds in told.values() if "chat.session.deleted" in kinds]
        assert deleted == [["chat.session.created", "chat.session.updated", "chat.session.deleted"]] * (8 * 8)


@pytest.mark.parametrize("query, status, code", [
    ("after=1000000", 400, "invalid_request"), ("after=-1", 400, "invalid_request"),
    ("after=9999999999999999", 400, "invalid_request"), ("after=" + "9" * 30, 400, "invalid_request"),
    ("after=x", 400, "invalid_request"), ("types=*", 422, "validation_failed"),
    ("types=", 422, "validation_failed"), ("types=chat", 422, "validation_failed"),
    ("types=.*", 422, "validation_failed"), ("types=chat.run.*,", 422, "validation_failed"),
    ("types=" + ",".join(["chat.*"] * 21), 422, "validation_failed"),
    ("limit=101", 422, "validation_failed"), ("from=1", 422, "validation_failed")])
def test_what_it_refuses(house, query, status, code):
    gus = people.until(lambda: chats.Person(house, house.admin))
    for accept in ("application/json", "text/event-stream"):
        for more in ({}, {"Last-Event-ID": "0"}):
            if more and query == "after=1000000":
                continue  # The header field takes precedence.
            response = gus.request("GET", f"/events?{query}", headers={"Accept": accept, **more})
            assert (response.status, response.json()["code"]) == (status, code)


def test_a_stream_ends_with_its_token(house):
    user = house.add("hal")
    token = house.token_for(user)
    with follow(chats.Person(house, token["token"])) as feed:
        assert feed.response.status == 200
        account = house.token_for(user, scopes=["account"])["token"]
        assert house.ask("DELETE", f"/tokens/{token['id']}", account).status == 204
        _, was_cut = feed.until_cut()
        assert was_cut


def test_a_shutdown_does_not_wait_for_streams(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data")
    ida = chats.somebody(house, "ida")
    ida.ask("hello")
    with follow(ida) as feed:
        feed.until(lambda event: event.type == "chat.run.completed")
        house.restart()
        assert feed.until_cut()[1]
    ida.ask("again")
    with follow(ida, headers={"Last-Event-ID": str(FIRST + 2)}) as feed:
        numbers = [event.number for event in feed.until(lambda event: event.number == FIRST + 5)]
        assert numbers == [FIRST + 3, FIRST + 4, FIRST + 5]


def test_a_killed_server_leaves_no_gap(start, tmp_path):
    """An event is stored if and only if its change is."""
    house = chats.LastingHouse(start, tmp_path / "data")
    jan = chats.somebody(house, "jan")
    for kill in range(3):
        runs = [jan.begin(f"{{words:5}} {{delay_ms:{20 * number}}}") for number in range(6)]
        jan.when(runs[kill], "completed")
        house.kill()
        house.come_back()
        for run in runs:
            jan.ended(run)
    events = log(jan, types="chat.*")
    numbers = [event["sequence_number"] for event in events]
    assert numbers == list(range(FIRST, FIRST + len(events)))
    listed = jan.pages("/chat/runs")
    assert len(listed) == 18 and len(events) == 3 * 18
    for run in listed:
        told = [event["type"] for event in events if event["data"]["id"] == run["id"]]
        assert told == ["chat.run.created", f"chat.run.{run['status']}"]


def test_numbers_that_are_no_longer_stored(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data", {"store.kind": "sqlite"})
    kim = chats.somebody(house, "kim")
    for _ in range(3):
        kim.ask("hello")
    house.server.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "parley.db")) as database, database:
        # As the server does, but not soon after its start.
        database.execute("DELETE FROM events WHERE number <= 5")
        database.execute("UPDATE event_heads SET first_number = 6 WHERE last_number >= 6")
    house.come_back()
    gone = kim.request("GET", "/events?after=1")
    latest = FIRST + 8
    streamed = kim.request("GET", "/events", headers={"Accept": "text/event-stream", "Last-Event-ID": "4"})
    for response in (gone, streamed):
        problem = refused(response, 410, "events_expired", "oldest", "latest")
        assert (problem["oldest"], problem["latest"]) == (6, latest)
    for query in ({}, {"after": 5}):
        assert [event["sequence_number"] for event in kim.get("/events" + "".join(
            f"?{name}={value}" for name, value in query.items()))["data"]] == list(range(6, latest + 1))


def test_a_head_alone(house):
    with wire.Connection(house.server.address) as connection:
        response = connection.ask("HEAD", "/v1/api/events", headers={
            "Authorization": f"Bearer {house.admin}", "Accept": "text/event-stream"})
        assert response.status == 200
        assert response.header("content-type") == "text/event-stream; charset=utf-8"
