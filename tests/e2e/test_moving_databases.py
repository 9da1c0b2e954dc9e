"""Backups of SQLite and PostgreSQL are the same kind of file: the way from one machine to many, and back."""
import contextlib
import signal
import sqlite3
import threading

import pytest

import automations
import chats
import feeds
import people
import postgres
import program
import receivers



# The receiver of webhooks is never called: what it waits for does not happen.
SETTINGS = {**chats.ROOMY, "webhooks.allowed_networks": "203.0.113.0/24"}


def run(*arguments, url="", data):
    done = program.run(*arguments, env=program.clean_environment(PARLEY_STORE_URL=url, PARLEY_DATA=str(data)))
    assert done.returncode == 0, done
    return done.stdout


def rows_of(file):
    """Everything in a backup, by table."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        database.text_factory = bytes
        names = [name.decode() for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            " AND name NOT LIKE 'search_%'")]
        rows = {name: sorted(database.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names}
    # The index of words is made anew.
    rows["counters"] = [row for row in rows["counters"] if not row[0].startswith(b"search")]
    return rows


class Told:
    """The data that a user sees, in every detail."""

    def __init__(self, person):
        self.sessions = person.pages("/chat/sessions")
        self.messages = [person.messages(session) for session in self.sessions]
        self.runs = person.pages("/chat/runs")
        self.frames = [feeds.frames(person.events(each)) for each in self.runs]
        self.automations = person.pages("/automations")
        self.webhooks = [{**webhook, "cursor": None} for webhook in person.pages("/webhooks")]  # It follows the log.
        self.log = person.pages("/events")
        self.tokens = [{**token, "last_used_at": None} for token in person.pages("/tokens")]


def live(person):
    """Uses everything that a database keeps."""
    first = person.ask("one {words:20}", headers={"Idempotency-Key": "the-first"})
    person.ask("two", session_id=first["session_id"])
    person.ask("another branch", parent_message_id=first["message"]["id"])
    odd = person.request("POST", "/chat/sessions", {"title": "nul \u0000, \u00e9 and '", "metadata": {"k": "\u0000"}})
    assert odd.status == 201, odd.body
    removed = person.ask("three")
    assert person.request("DELETE", "/chat/sessions/" + removed["session_id"]).status == 204
    made = automations.created(person)
    automations.ended(person, automations.started(person, made))
    receivers.created(person, "https://203.0.113.7/hook", event_types=["token.revoked"])
    return first


@pytest.fixture(name="origin")
def one_machine(start, tmp_path):
    """A server with SQLite, and its user."""
    server = start("--data", str(tmp_path / "one"), settings={**SETTINGS, "store.kind": "sqlite"})
    return automations.automator(people.House(server).set_up(), "ana")


def person_on(start, data, origin, **settings):
    house = people.House(start("--data", str(data), settings={**SETTINGS, **settings}))
    house.operator = origin.house.operator
    return chats.Person(house, origin.token)


def test_from_one_machine_to_many_and_back(start, origin, tmp_path):
    first = live(origin)
    told = Told(origin)
    run("backup", str(tmp_path / "one.db"), data=origin.house.server.data)
    origin.house.server.stop()

    url = postgres.url_for(tmp_path)
    assert "the PostgreSQL database" in run("restore", str(tmp_path / "one.db"), url=url, data=tmp_path / "two")
    there = person_on(start, tmp_path / "two", origin, **{"store.url": url})
    assert vars(Told(there)) == vars(told)
    again = there.query("one {words:20}", headers={"Idempotency-Key": "the-first"})
    assert (again.status, again.json()["id"]) == (200, first["id"])
    people.until(lambda: there.get("/search?q=w20")["data"])
    assert there.house.login("ana")["access_token"] and there.ask("four")["status"] == "completed"

    told = Told(there)
    run("backup", str(tmp_path / "two.db"), url=url, data=there.house.server.data)
    there.house.server.stop()
    run("restore", str(tmp_path / "two.db"), data=tmp_path / "three")
    back = person_on(start, tmp_path / "three", origin, **{"store.kind": "sqlite"})
    assert vars(Told(back)) == vars(told)
    people.until(lambda: back.get("/search?q=w20")["data"])
    assert back.ask("five")["status"] == "completed"


def test_every_row_is_moved(origin, tmp_path):
    live(origin)
    run("backup", str(tmp_path / "one.db"), data=origin.house.server.data)
    url = postgres.url_for(tmp_path)
    run("restore", str(tmp_path / "one.db"), url=url, data=tmp_path / "two")
    run("backup", str(tmp_path / "two.db"), url=url, data=tmp_path / "two")
    one, two = rows_of(tmp_path / "one.db"), rows_of(tmp_path / "two.db")
    assert one.keys() == two.keys()
    filled = {name for name, rows in one.items() if rows}
    assert filled >= {"users", "tokens", "sessions", "messages", "runs", "frames", "events", "automations",
                      "automation_runs", "webhooks", "idempotency_keys", "keys", "audit"}
    # A command has a token of its own.
    differing = {name for name in one if one[name] != two[name]} - {"tokens", "keys"}
    assert not differing, {name: (one[name][:3], two[name][:3]) for name in differing}
    assert {row for row in one["keys"]} <= {row for row in two["keys"]}


def test_backups_under_load_are_of_one_moment(start, origin, tmp_path):
    """No answer without its question, and no event without its run, whichever server makes them."""
    origin.house.server.stop()
    url = postgres.url_for(tmp_path)
    places = [tmp_path / name for name in ("two", "three")]
    server, _ = (start("--data", str(place), settings={**chats.ROOMY, "store.url": url}) for place in places)
    ana = automations.automator(people.House(server).set_up(), "ana")
    done = threading.Event()

    def ask():
        while not done.is_set():
            ana.ask("hello {words:3}")
    asking = [threading.Thread(target=ask) for _ in range(3)]
    for each in asking:
        each.start()
    try:
        for number in range(3):
            run("backup", str(tmp_path / f"{number}.db"), url=url, data=places[number % 2])
    finally:
        done.set()
        for each in asking:
            each.join()
    for number in range(3):
        with contextlib.closing(sqlite3.connect(tmp_path / f"{number}.db")) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
            ended, answers = database.execute(
                "SELECT count(*), (SELECT count(*) FROM messages WHERE id IN (SELECT answer FROM runs"
                " WHERE completed_ms IS NOT NULL)) FROM runs WHERE completed_ms IS NOT NULL").fetchone()
            assert ended == answers
    # Both kinds of databases get all of it.
    kept, url = tmp_path / "2.db", postgres.url_for(tmp_path / "again")
    for name, place in (("postgres", {"url": url}), ("sqlite", {})):
        data = tmp_path / name
        run("restore", str(kept), data=data, **place)
        run("backup", str(tmp_path / f"{name}.db"), data=data, **place)
        before, after = rows_of(kept), rows_of(tmp_path / f"{name}.db")
        for table in ("users", "sessions", "messages", "frames", "events"):
            assert before[table] and after[table] == before[table], (name, table)


def test_a_database_in_use_is_not_overwritten(start, origin, tmp_path):
    run("backup", str(tmp_path / "one.db"), data=origin.house.server.data)
    url = postgres.url_for(tmp_path)
    server = start("--data", str(tmp_path / "two"), settings={"store.url": url})
    refused = program.run("restore", str(tmp_path / "one.db"), env=program.clean_environment(
        PARLEY_STORE_URL=url, PARLEY_DATA=str(tmp_path / "other")))
    assert refused.returncode == 1 and "used by a running server" in refused.stderr, refused.stderr
    people.House(server).set_up()
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    refused = program.run("restore", str(tmp_path / "one.db"), env=program.clean_environment(
        PARLEY_STORE_URL=url, PARLEY_DATA=str(tmp_path / "other")))
    assert refused.returncode == 1 and "has users" in refused.stderr, refused.stderr
