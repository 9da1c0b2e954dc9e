"""A server that stops or crashes during an import: nothing of it is listed, and it can be repeated."""
import contextlib
import signal
import sqlite3
import threading

import pytest

import chats
import people
import program
from moved import gpt_chain, imported
from people import refused

# The import waits for the index, which takes some seconds for them.
MANY = 12_000
TIME_TO_STOP = 90 if program.IS_SANITIZED else 25


@pytest.fixture(name="house")
def one_house(start, tmp_path):
    return chats.LastingHouse(start, tmp_path / "data", {"store.kind": "sqlite"})


def stored(house):
    file = f"file:{house.server.data / 'parley.db'}?mode=ro"
    with contextlib.closing(sqlite3.connect(file, uri=True)) as database:
        return database.execute("SELECT count(*) FROM messages").fetchone()[0]


class Importing(threading.Thread):
    """Imports a long conversation; returns when some of its messages are stored."""

    def __init__(self, house, person):
        super().__init__(daemon=True)
        self.person = person
        self.response = None
        self.start()
        people.until(lambda: stored(house) > 2000)

    def run(self):
        with contextlib.suppress(OSError, AssertionError):
            self.response = self.person.request(
                "POST", "/import", {"format": "chatgpt", "conversation": gpt_chain("Long", MANY)})


def is_repeated(ana, status):
    session = imported(ana, "chatgpt", gpt_chain("Long", MANY), status).json()["session_id"]
    [listed] = ana.pages("/chat/sessions")
    assert (listed["id"], listed["message_count"]) == (session, MANY)
    created = [event for event in ana.pages("/events") if event["type"] == "chat.session.created"]
    assert [event["data"]["id"] for event in created] == [session]


def test_nothing_is_found_before_all_is_imported(house):
    ana = chats.somebody(house, "ana")
    importing = Importing(house, ana)
    assert ana.pages("/chat/sessions") == [] and ana.pages("/search", q="text") == []
    assert len(ana.request("GET", "/export").body.splitlines()) == 1
    house.kill()
    importing.join()
    assert importing.response is None
    house.come_back()
    assert ana.pages("/chat/sessions") == [] and ana.pages("/search", q="text") == []
    is_repeated(ana, 201)


def test_a_stop_does_not_wait_for_the_index(house):
    ana = chats.somebody(house, "ana")
    importing = Importing(house, ana)
    house.server.signal(signal.SIGTERM)
    assert house.server.wait(TIME_TO_STOP) == 0
    assert "outlive" not in house.server.log.text()
    importing.join()
    # A slow machine does not complete it in 10 seconds.
    if importing.response.status != 201:
        refused(importing.response, 503, "shutting_down")
        assert int(importing.response.header("retry-after")) >= 1
    house.come_back()
    if importing.response.status != 201:
        assert ana.pages("/chat/sessions") == []
    is_repeated(ana, 200 if importing.response.status == 201 else 201)
