"""The whole program on PostgreSQL (store.url): all that SQLite does, and absences of the database."""
import collections
import contextlib
import json
import os
import pathlib
import signal
import threading
import time

import pytest

import automations
import chats
import hooks
import people
import postgres
import program
import wire
from stopwatch import Stopwatch

BACK = 5  # Seconds after which a server works again when its database is back.


@pytest.fixture(name="database")
def new_database(tmp_path):
    return postgres.url_for(tmp_path)


@pytest.fixture(name="house")
def one_house(start, tmp_path, database):
    server = start("--data", str(tmp_path / "data"),
                   settings={**chats.ROOMY, "store.url": database})
    return people.House(server).set_up()


def restarted(start, house, **more):
    server = start("--data", str(house.server.data), **more)
    again = people.House(server)
    again.operator = house.operator
    return again


def test_set_up_login_chat_and_a_restart(start, house, database, tmp_path):
    ana = chats.Person(house, house.add_and_login("ana")["access_token"])
    first = ana.ask("one {words:5}")
    second = ana.ask("two {words:3}", session_id=first["session_id"])
    assert chats.text_of(second["message"]) == chats.words(3)
    with ana.stream("{words:4}", session_id=first["session_id"]) as stream:
        events = stream.rest()
    assert events[-1].type == "run.completed", events
    house.server.stop()
    assert not (tmp_path / "data" / "parley.db").exists()

    again = restarted(start, house, settings={**chats.ROOMY, "store.url": database})
    ana = chats.Person(again, ana.token)
    messages = ana.pages(f"/chat/sessions/{first['session_id']}/messages")
    assert len(messages) == 6, messages
    assert [session["id"] for session in ana.pages("/chat/sessions")] == [first["session_id"]]
    assert again.login("ana")["access_token"]
    assert again.works(again.admin)


def test_calls_to_a_hook_start_once(start, house, database):
    ana = chats.Person(house, house.token_for(house.add("ana"), scopes=automations.SCOPES)["token"])
    made, signed = hooks.created(ana, dedupe_pointer="/id"), hooks.created(ana, "github")
    answers = people.at_once(30, lambda _: hooks.call(house, made, {"id": "a\u0000b"}))
    assert sorted(each.status for each in answers) == [200] * 29 + [202]
    first = answers[0].json()["id"]
    house.server.stop()
    again = restarted(start, house, settings={**chats.ROOMY, "store.url": database})
    assert hooks.call(again, made, {"id": "a\u0000b"}).json()["id"] == first
    fields = hooks.github(signed["hook"]["secret"], b"{}", "d-1")
    assert hooks.post(again, signed["hook"]["url"], b"{}", fields).status == 202


def test_texts_of_all_kinds_come_back_as_they_were(house):
    ana = chats.Person(house, house.add_and_login("ana")["access_token"])
    title = "nul \u0000, \u00e9, \U0001f600, \\x41 and 'quotes'"
    response = ana.request("POST", "/chat/sessions", {"title": title, "metadata": {"k": "a\u0000b"}})
    assert response.status == 201, response.body
    session = ana.get("/chat/sessions/" + response.json()["id"])
    assert session["title"] == title
    assert session["metadata"] == {"k": "a\u0000b"}
    run = ana.ask("say \u0000 \U0001f600", session_id=session["id"])
    assert chats.text_of(run["user_message"]) == "say \u0000 \U0001f600"
    found = ana.pages("/chat/sessions", q="QUOTES")
    assert [each["id"] for each in found] == [session["id"]]


def test_runs_go_on_after_kill_and_restart(start, house, database):
    ana = chats.Person(house, house.add_and_login("ana")["access_token"])
    run = ana.begin("{words:200} {delay_ms:20}")
    people.until(lambda: ana.get("/chat/runs/" + run["id"])["status"] == "running")
    house.server.signal(signal.SIGKILL)
    house.server.wait()
    again = restarted(start, house, settings={**chats.ROOMY, "store.url": database})
    ana = chats.Person(again, ana.token)
    people.until(lambda: ana.get("/chat/runs/" + run["id"])["status"] == "completed")
    assert chats.text_of(ana.get("/chat/runs/" + run["id"])["message"]) == chats.words(200)


def test_an_absence_of_the_database_is_503_until_it_is_back(start, own_postgres):
    server = start(settings={**chats.ROOMY, "store.url": own_postgres.database("parley")})
    house = people.House(server).set_up()
    ana = chats.Person(house, house.add_and_login("ana")["access_token"])
    session = ana.ask("one")["session_id"]
    own_postgres.stop()
    watch = Stopwatch()
    refused = ana.query("two", session_id=session)
    people.refused(refused, 503, "storage_unavailable")
    assert int(refused.header("retry-after")) <= 2
    assert watch.seconds() < 2 * (5 if program.IS_SANITIZED else 1)

    def readiness():
        with wire.Connection(server.address) as connection:
            return connection.ask("GET", "/readyz").status
    people.until(lambda: readiness() == 503)
    own_postgres.start()
    watch = Stopwatch()
    people.until(lambda: ana.query("three", session_id=session).status == 200)
    assert watch.seconds() < BACK * (5 if program.IS_SANITIZED else 1)
    people.until(lambda: readiness() == 200)
    texts = [chats.text_of(each) for each in ana.pages(f"/chat/sessions/{session}/messages")]
    assert texts.count("one") == 2 and "two" not in texts, texts  # The model repeats the question.


def test_an_accepted_question_waits_for_the_database(start, own_postgres):
    server = start(settings={**chats.ROOMY, "store.url": own_postgres.database("parley"), "runs.max_concurrent": 1})
    house = people.House(server).set_up()
    ana = chats.Person(house, house.token_for(house.add("ana"))["token"])

    def hold_the_place():
        """An answer that is not stored."""
        with wire.Connection(server.address, timeout=program.PATIENCE) as connection:
            connection.ask("POST", "/v1/chat/completions", {
                "Authorization": f"Bearer {ana.token}", "Content-Type": "application/json"},
                b'{"model": "scripted", "messages": [{"role": "user", "content": "{words:40} {delay_ms:100}"}]}')
    holder = threading.Thread(target=hold_the_place)
    holder.start()
    waiting = people.until(lambda: [run for run in [ana.begin("{words:3}")] if run["status"] == "queued"])[0]
    own_postgres.stop()
    holder.join()
    time.sleep(1)  # Its turn has come.
    own_postgres.start()
    people.until(lambda: ana.request("GET", "/chat/runs/" + waiting["id"]).status == 200)
    assert ana.ended(waiting)["status"] == "completed"


def test_killing_the_database_loses_no_answered_question(start, own_postgres):
    server = start(settings={**chats.ROOMY, "store.url": own_postgres.database("parley")})
    house = people.House(server).set_up()
    ana = chats.Person(house, house.add_and_login("ana")["access_token"])
    asked = {}

    def ask(number):
        for each in range(20):
            name = f"question-{number}-{each}"
            response = ana.query(name, {"Idempotency-Key": name})
            while response.status == 503:
                time.sleep(0.05)
                response = ana.query(name, {"Idempotency-Key": name})
            assert response.status == 200, response.body
            asked[name] = response.json()
            if number == 0 and each in (3, 10):
                own_postgres.kill()
                own_postgres.start_after_kill()
    people.at_once(6, ask)
    assert len(asked) == 120
    assert len({run["id"] for run in asked.values()}) == 120
    sessions = ana.pages("/chat/sessions")
    assert len(sessions) == 120, len(sessions)  # No question was stored twice.
    assert {each["session_id"] for each in asked.values()} == {each["id"] for each in sessions}


def command(*arguments, url, data):
    return program.run(*arguments, "--data", str(data), env=program.clean_environment(PARLEY_STORE_URL=url))


def test_commands_use_the_database_without_a_server(house, database):
    house.add("ana")
    house.server.stop()
    listed = command("user", "list", "--json", url=database, data=house.server.data)
    assert listed.returncode == 0, listed.stderr
    assert {json.loads(line)["username"] for line in listed.stdout.splitlines()} == {"olga", "ana"}


def test_commands_refuse_an_empty_database(tmp_path):
    url = postgres.url_for(tmp_path / "nothing")
    listed = command("user", "list", url=url, data=tmp_path / "data")
    assert listed.returncode == 1
    assert "holds no Parley data" in listed.stderr, listed.stderr


def test_doctor_says_what_is_used(house, database):
    house.server.stop()
    done = command("doctor", "--json", url=database, data=house.server.data)
    findings = [json.loads(line) for line in done.stdout.splitlines()]
    store = next(each for each in findings if each["check"] == "store")
    assert store["verdict"] == "warn" and "fsync is off" in store["finding"], store
    assert "PostgreSQL 1" in store["finding"] and "schema" in store["finding"], store


def test_doctor_says_that_the_database_is_away(tmp_path):
    done = command("doctor", "--json", url="postgresql://parley@127.0.0.1:1/parley", data=tmp_path)
    store = next(each for each in map(json.loads, done.stdout.splitlines())
                 if each["check"] == "store")
    assert store["verdict"] == "fail" and "cannot be used" in store["finding"], store


@pytest.mark.parametrize("arguments", [
    ["serve", "--listen", "127.0.0.1:0"], ["serve", "--print-settings"], ["doctor"], ["user", "list"]])
def test_a_password_is_shown_nowhere(tmp_path, arguments):
    for url in ("postgresql://ana:geheimnis@127.0.0.1:1/parley",
                "postgresql://127.0.0.1:1/parley?user=ana&password=geheimnis",
                "postgresql://ana:geheimnis%zz@127.0.0.1/parley", "mysql://ana:geheimnis@db/x"):
        done = command(*arguments, url=url, data=tmp_path)
        assert "geheimnis" not in done.stdout + done.stderr, (done.stdout, done.stderr)


def test_the_password_file_is_read_and_must_be_private(start, own_postgres, tmp_path):
    own_postgres.query("CREATE ROLE guest LOGIN PASSWORD 'geheimnis'")
    own_postgres.query("CREATE DATABASE guests OWNER guest")
    own_postgres.demand_passwords()
    url = own_postgres.url("guests").replace("parley@", "guest@")
    file = tmp_path / "password"
    file.write_text("geheimnis\nmore\n", encoding="utf-8")
    os.chmod(file, 0o600)
    server = start(settings={"store.url": url, "store.password_file": str(file)})
    people.House(server).set_up()
    assert "geheimnis" not in server.log.text()
    os.chmod(file, 0o640)
    refused = program.run("serve", "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0",
                          "--set", "store.url=" + url, "--set", f"store.password_file={file}")
    assert refused.returncode != 0 and "chmod 600" in refused.stderr, refused.stderr


def test_a_server_with_sqlite_does_not_load_the_library(start):
    server = start(settings={"store.kind": "sqlite"})
    with open(f"/proc/{server.pid}/maps", encoding="utf-8") as maps:
        assert "libpq" not in maps.read()


# ARCHITECTURE.md, "Threads"; those without a name have that of the program. "store-indexes" is there only after an
# upgrade: a new database gets its indexes in the steps of its schema.
THREADS = {"parley": 7, "log": 1, "loop": 2, "webhooks": 1}
WITH_SQLITE = {"store-writer": 1, "store-reader": 3, "long-reader": 1, "store-searcher": 1, "journal": 1}
WITH_POSTGRESQL = {"store-writer": 12, "store-reader": 6, "store-health": 1, "journal-writer": 1, "cluster": 1,
                   "limits": 1}


def threads_of(server):
    names = [(thread / "comm").read_text(encoding="utf-8").strip()
             for thread in pathlib.Path(f"/proc/{server.pid}/task").iterdir()]
    return collections.Counter(names)


@pytest.mark.skipif(program.IS_SANITIZED, reason="a sanitizer has threads of its own")
@pytest.mark.parametrize("store, own", [("sqlite", WITH_SQLITE), ("postgres", WITH_POSTGRESQL)])
def test_a_server_has_the_threads_of_its_store(start, tmp_path, store, own):
    settings = {"store.kind": "sqlite"} if store == "sqlite" else {"store.url": postgres.url_for(tmp_path)}
    house = people.House(start(settings={"server.loops": 2, "store.readers": 3, **settings})).set_up()
    chats.somebody(house, "ana").ask("Hello!")
    wanted = {**THREADS, **own}
    with contextlib.suppress(AssertionError):  # Threads of a short task may be there for a moment.
        people.until(lambda: threads_of(house.server) == wanted, 10)
    assert threads_of(house.server) == wanted
