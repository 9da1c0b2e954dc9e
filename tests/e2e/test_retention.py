"""Retention: a server deletes the sessions that were idle for the days that their user, or its operator, has set."""
import chats
import people
from people import refused


def opened(start, passed, directory, **settings):
    # Leases in PostgreSQL end by its own clock, for which no time has passed.
    return people.House(start("--data", directory, environment=passed.environment,
                              settings={**chats.ROOMY, "store.kind": "sqlite", **settings}))


def is_there(person, session):
    response = person.request("GET", f"/chat/sessions/{session}")
    if response.status == 200:
        return True
    refused(response, 404, "not_found")
    return False


def deleted_of(person):
    return [event["data"]["id"] for event in person.pages("/events", types="chat.session.deleted")]


def test_idle_sessions_are_deleted(start, passed, tmp_path):
    house = opened(start, passed, tmp_path / "data").set_up()
    ana, ben = chats.somebody(house, "ana"), chats.somebody(house, "ben")
    days = house.ask("PATCH", "/me", house.login("ana")["access_token"], {"retention_days": 1})
    assert days.json()["retention_days"] == 1
    idle, kept = (ana.ask(text)["session_id"] for text in ("idle", "kept"))
    assert ana.request("PATCH", f"/chat/sessions/{kept}", {"keep": True}).json()["keep"]
    bens = ben.ask("of a user without a limit")["session_id"]

    passed(days=2)
    people.until(lambda: not is_there(ana, idle))
    assert deleted_of(ana) == [idle] and not deleted_of(ben)
    assert is_there(ana, kept) and is_there(ben, bens)
    recent = ana.ask("recent")["session_id"]

    house.server.stop()
    house.server = opened(start, passed, tmp_path / "data", **{"retention.max_days": 1}).server
    assert is_there(ben, bens), "nothing is deleted in the first hour"
    passed(days=2, hours=2)
    people.until(lambda: not is_there(ben, bens))
    assert deleted_of(ben) == [bens] and deleted_of(ana) == [idle]
    assert is_there(ana, kept) and is_there(ana, recent)
