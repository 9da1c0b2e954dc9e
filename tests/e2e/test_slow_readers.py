"""Clients that request the events of runs and do not read them: their memory is limited, and readers of the
same run share it."""
import contextlib

import pytest

import chats
import completions
import feeds
import people
import program

MIB = 1 << 20
# Makes a client that does not read visible soon: the kernel holds 100 KiB instead of 3 MiB.
SLOW = {"receive_buffer": 4096, "segment": 536}
LARGE = "x" * 131_072  # One word, which the answer repeats.
SETTINGS = {"server.max_connections_per_address": 0}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(SETTINGS) as opened:
        yield opened


def refused(feed):
    response = feed.response
    if response.status == 200:
        return False
    people.refused(response, 503, "overloaded")
    assert int(response.header("retry-after")) >= 1
    return True


@pytest.mark.parametrize("after", [0, 20_000], ids=["from the start", "the end alone"])
def test_readers_of_one_run_share_its_memory(house, after):
    """With a copy of the run for each, the first took 68 MiB."""
    ana = chats.somebody(house, f"ana{after}")
    run = ana.ask("{words:20000}")
    with ana.follow(run, after) as feed:  # Runs the same code once before memory is measured.
        expected = feeds.frames(feed.rest())
    before = house.server.resident_bytes()
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(ana.follow(run, after, **SLOW))
                   for _ in range(200)]
        assert not any(refused(reader) for reader in readers)
        grown = house.server.resident_bytes() - before
        for reader in readers[::50]:
            reader.hurry()
            assert feeds.frames(reader.rest()) == expected
    if not program.IS_SANITIZED:
        assert grown < 30 * MIB, grown / MIB


def test_readers_of_many_runs_have_a_limit(house):
    ana, ben = chats.somebody(house, "ana"), chats.somebody(house, "ben")
    runs = [ana.ask(LARGE) for _ in range(20)]
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(ana.follow(run, **SLOW)) for run in runs]
        inside = [reader for reader in readers if not refused(reader)]
        assert 4 <= len(inside) <= 12
        with ben.follow(ben.ask(LARGE)) as other:
            assert other.rest()[-1].type == "run.completed", "another user notices nothing"
        for reader in inside:
            reader.close()
        people.until(lambda: not is_refused(ana, runs[-1]))


def is_refused(person, run):
    with person.follow(run) as feed:
        return refused(feed)


def test_completions_that_are_told_again_have_a_limit(house):
    ana = chats.somebody(house, "anna")
    key = {"Idempotency-Key": "again"}
    said = "\x01" * len(LARGE)  # Six bytes each as JSON: more than the kernel's buffers.
    assert completions.post(ana, said, key, store=True).status == 200
    body = completions.body_of(said, {"store": True, "stream": True})
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(feeds.Feed(
            house.server, "POST", "/chat/completions", ana.token, body, key, base="/v1",
            **SLOW)) for _ in range(40)]
        statuses = [reader.response.status for reader in readers]
    assert set(statuses) == {200, 503}
    assert 10 <= statuses.count(200) <= 25


def answers_slowly(house, person, path, stack):
    """Asks without reading more than the status, which is returned with the connection."""
    reader = stack.enter_context(feeds.Feed(house.server, "GET", path, person.token,
                                            headers={"Accept": "application/json"}, **SLOW))
    while len(reader.received) < len(b"HTTP/1.1 200"):
        more = reader.socket.recv(12)
        assert more, "the server closed instead of answering"
        reader.received += more
    return int(reader.received[9:12]), reader


def test_large_pages_that_are_not_read_have_a_limit(house):
    """Of 40 pages of 1 MiB. Whoever waits for room is told so, and others are not affected."""
    ana, ben = chats.somebody(house, "page-ana"), chats.somebody(house, "page-ben")
    paths = {}
    for person in (ana, ben):
        session = person.ask(LARGE)["session_id"]
        for _ in range(4):
            person.ask(LARGE, session_id=session)
        paths[person] = f"/chat/sessions/{session}/messages?limit=100"
        # Runs the same code once before memory is measured.
        page = person.request("GET", paths[person])
        assert page.status == 200 and len(page.body) > 7 * len(LARGE)
    before = house.server.resident_bytes()
    with contextlib.ExitStack() as stack:
        readers = [answers_slowly(house, ana, paths[ana], stack) for _ in range(40)]
        grown = house.server.resident_bytes() - before
        statuses = [status for status, _ in readers]
        assert set(statuses) == {200, 503} and 4 <= statuses.count(200) <= 12, statuses
        assert all(refused(reader) for status, reader in readers if status == 503)
        assert ben.request("GET", paths[ben]).status == 200, "another user notices nothing"
    if not program.IS_SANITIZED:
        assert grown < 30 * MIB, grown / MIB


def test_files_for_everybody_need_no_room_of_their_own(house):
    """Without a token, many at once: other requests are still served."""
    with contextlib.ExitStack() as stack:
        readers = [stack.enter_context(feeds.Feed(
            house.server, "GET", "/openapi.json", "none", base="", **SLOW))
            for _ in range(100)]
        for reader in readers:
            assert reader.socket.recv(12) == b"HTTP/1.1 200"


def test_exports_that_are_not_read_leave_room_for_others(house):
    """With six users: when four of them held all places, the others waited for them."""
    everybody = [chats.somebody(house, f"exporter{number}") for number in range(6)]
    for person in everybody:
        person.ask(LARGE)
    *slow, last = everybody
    with contextlib.ExitStack() as stack:
        for person in slow:
            reader = stack.enter_context(feeds.Feed(house.server, "GET", "/export", person.token,
                                                    headers={"Accept": "*/*"}, **SLOW))
            assert reader.socket.recv(12) == b"HTTP/1.1 200"
        people.refused(slow[0].request("GET", "/export"), 503, "overloaded")
        response = last.request("GET", "/export")
        assert response.status == 200
        assert len(response.body) > 2 * len(LARGE)
