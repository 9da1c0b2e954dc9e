"""A disk that is nearly full: no new data is accepted, and everything else works (store.min_free_mib)."""
import contextlib
import sqlite3
import time

import automations
import chats
import completions
import feeds
import people
import wire
from chats import text_of, words
from people import refused

SLOW = "{words:40} {delay_ms:50}"


def readiness(server):
    with wire.Connection(server.address) as connection:
        return connection.ask("GET", "/readyz")


def test_new_runs_are_refused_and_running_ones_end(start, tmp_path):
    settings = {}
    house = chats.LastingHouse(lambda *arguments, **options: start(*arguments, **{
        **options, "settings": {**options["settings"], **settings}}), tmp_path / "data")
    ana = chats.somebody(house, "ana")
    done = ana.ask("before", {"Idempotency-Key": "done"})
    assert readiness(house.server).status == 200
    running = ana.begin(SLOW, {"Idempotency-Key": "running"})
    ana.when(running, "running", "completed")
    login = house.login("ana")
    spare = house.make_token(login["access_token"])
    empty = house.ask("POST", "/chat/sessions", login["access_token"], {}).json()
    house.kill()
    settings["store.min_free_mib"] = 1_000_000_000  # More than any disk has.
    house.come_back()

    problem = readiness(house.server)
    refused(problem, 503, "storage_unavailable")
    for options in ({}, {"stream": True}, {"background": True}, {"session_id": done["session_id"]},
                    {"parent_message_id": done["message"]["id"]}):
        response = ana.query("something new", {"Idempotency-Key": "new"}, **options)
        refused(response, 503, "storage_unavailable")
        assert int(response.header("retry-after")) >= 1
    completions.refused(completions.post(ana, "new", store=True), 503, "storage_unavailable")
    # Nothing else can be added; users can still log in, and delete data.
    session = "/chat/sessions/" + done["session_id"]
    for method, path, body in (("POST", "/chat/sessions", {"title": "t"}),
                               ("PATCH", session, {"instructions": "x" * 60_000}),
                               ("POST", "/tokens", {"name": "n"}), ("PATCH", "/me", {
                                   "display_name": "n"})):
        response = house.ask(method, path, login["access_token"], body)
        refused(response, 503, "storage_unavailable")
        assert int(response.header("retry-after")) >= 1
    again = house.login("ana")
    assert house.ask("DELETE", "/tokens/" + spare["id"], again["access_token"]).status == 204
    assert house.ask("DELETE", "/chat/sessions/" + empty["id"], again["access_token"]).status == 204
    assert house.ask("POST", "/users", house.admin, {
        "username": "ben", "password": people.password_of("ben")}).status == 201
    # Running runs continue and are stored; existing data can be read and replayed.
    joined = ana.ask(SLOW, {"Idempotency-Key": "running"})
    assert joined["id"] == running["id"] and joined["status"] == "completed"
    assert text_of(joined["message"]) == words(40)
    assert feeds.written(ana.events(joined)) == words(40)
    assert ana.ask("before", {"Idempotency-Key": "done"}) == done
    assert completions.text_of(completions.complete(ana, "not stored")) == "not stored"
    assert len(ana.pages("/chat/sessions")) == 2
    warned = [entry for entry in house.server.log.entries(level="warn")
              if "nearly full" in entry["message"]]
    assert len(warned) == 1, "once, and not for each request"

    settings.clear()
    house.restart()
    assert readiness(house.server).status == 200
    assert ana.ask("something new", {"Idempotency-Key": "new"})["status"] == "completed"


def test_what_is_due_waits_for_room(start, tmp_path):
    settings = {}
    house = chats.LastingHouse(lambda *arguments, **options: start(*arguments, **{
        **options, "settings": {**options["settings"], **settings}}), tmp_path / "data")
    ana = automations.automator(house, "ana")
    # Late enough for a slow machine to stop the server before.
    made = automations.created(ana, trigger={"type": "schedule", "at": automations.in_seconds(8), "time_zone": "UTC"})
    settings["store.min_free_mib"] = 1_000_000_000
    house.restart()
    [row] = people.until(lambda: automations.rows(ana, made))
    time.sleep(2.5)  # Some tries.
    now = automations.row(ana, row)
    assert (now["status"], now["attempts"], now["session_id"]) == ("queued", [], None)
    settings.clear()
    house.restart()
    row = automations.ended(ana, row)
    assert row["status"] == "completed" and len(row["attempts"]) == 1
    assert len(ana.messages(row["session_id"])) == 2 and len(automations.rows(ana, made)) == 1


def test_stored_events_do_not_repeat_the_answer(start, tmp_path):
    """A delta of six bytes took about 170 more in the database."""
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(house, "ana")
    ana.ask("begin")

    def size():
        """Without the search index, which has the words of each answer again."""
        house.server.stop()  # Moves the write-ahead log into the database.
        file = tmp_path / "data" / "parley.db"
        with contextlib.closing(sqlite3.connect(f"file:{file}?immutable=1", uri=True)) as database:
            (taken,), = database.execute("SELECT sum(pgsize) FROM dbstat WHERE name NOT LIKE 'search%'")
        house.come_back()
        return taken
    before = size()
    runs = [ana.ask("{words:20000}") for _ in range(5)]
    text = len(words(20_000))
    assert size() - before < 5 * (text + text // 4 + 20_000), "little more than the answer itself"
    for run in runs[:2]:
        events = ana.events(run)
        assert len(events) == 20_002 and feeds.written(events) == words(20_000)
        assert feeds.frames(ana.events(run, 19_990)) == feeds.frames(events[19_990:])
