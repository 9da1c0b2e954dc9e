"""Event streams: their format, byte by byte, and access to them."""
import json
import time

import pytest

import chats
import feeds
import people
import wire
from chats import text_of, words
from people import refused

SLOW = "{words:400} {delay_ms:100}"
HEADERS = {"content-type": "text/event-stream; charset=utf-8",
           "cache-control": "no-store, no-transform", "x-accel-buffering": "no",
           "x-content-type-options": "nosniff"}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def check_head(response, run_id, status=200):
    assert response.status == status
    for name, value in HEADERS.items():
        assert response.header(name) == value, name
    assert response.header("x-run-id") == run_id and people.is_id(run_id, "run")
    assert response.header("x-request-id") and response.header("content-length") is None
    assert response.header("ratelimit-policy")


def test_a_stream_field_by_field(ana):
    with ana.stream("Hello my world", metadata={"k": "v"}) as feed:
        check_head(feed.response, feed.run_id)
        events = feeds.check_events(feed.rest())
    created, *deltas, last = events
    assert [event.type for event in deltas] == ["message.delta"] * 3
    assert [event.delta for event in deltas] == ["Hello", " my", " world"]
    for event in deltas:
        assert set(event.data) == {"type", "sequence_number", "message_id", "delta"}
        assert event.data["delta"] == {"type": "text", "text": event.delta}
    begun, run = created.data["run"], last.data["run"]
    assert set(created.data) == set(last.data) == {"type", "sequence_number", "run"}
    assert set(begun) == set(run) == chats.RUN_FIELDS
    assert begun["status"] in ("queued", "running") and begun["usage"] is None
    assert begun["id"] == run["id"] == feed.run_id and begun["message"] is None
    assert begun["metadata"] == run["metadata"] == {"k": "v"}
    assert last.type == "run.completed" and run["status"] == "completed" and run["usage"]
    assert run["message"]["id"] == deltas[0].data["message_id"]
    assert len({event.data["message_id"] for event in deltas}) == 1
    assert text_of(run["message"]) == feeds.written(events) == "Hello my world"
    assert ana.run(run) == run


def test_every_byte_of_a_stream(ana):
    run = ana.ask("some words")
    request = wire.request_bytes("GET", f"/v1/api/chat/runs/{run['id']}/events",
                                 {"Authorization": f"Bearer {ana.token}", "Connection": "close"})
    with wire.Connection(ana.house.server.address) as connection:
        connection.send(request)
        received = connection.read_to_end()
    head, _, body = received.partition(b"\r\n\r\n")
    assert wire.parse_head(head).header("transfer-encoding") == "chunked"
    content = b""
    while body != b"0\r\n\r\n":
        size, _, body = body.partition(b"\r\n")
        content += body[:int(size, 16)]
        body = body[int(size, 16):].removeprefix(b"\r\n")
    assert content.startswith(b"retry: 1000\nid: 1\nevent: run.created\ndata: {")
    assert b"\r" not in content and content.endswith(b"}\n\n")
    frames = content.removeprefix(feeds.RETRY).split(b"\n\n")[:-1]
    assert [frame.split(b"\n")[0] for frame in frames] == [b"id: 1", b"id: 2", b"id: 3", b"id: 4"]
    assert json.loads(frames[-1].split(b"\n")[2].removeprefix(b"data: "))["run"] == run


def test_the_log_tells_how_much_was_streamed(ana):
    run = ana.ask("some words")
    with ana.follow(run, headers={"X-Request-Id": "streamed-bytes"}) as feed:
        events = feed.rest()
    entry = ana.house.server.log.wait_for(request_id="streamed-bytes")
    assert entry["bytes"] == len(feeds.RETRY + feeds.frames(events))


def test_a_client_of_http_10_gets_the_same_events(ana):
    run = ana.ask("{words:50}")
    request = wire.request_bytes("GET", f"/v1/api/chat/runs/{run['id']}/events",
                                 {"Authorization": f"Bearer {ana.token}"}, version="HTTP/1.0")
    with wire.Connection(ana.house.server.address) as connection:
        connection.send(request)
        head, _, body = connection.read_to_end().partition(b"\r\n\r\n")
    assert wire.parse_head(head).header("transfer-encoding") is None
    assert body == feeds.RETRY + feeds.frames(ana.events(run))


def test_it_begins_before_the_first_word(ana):
    with ana.stream("{first_delay_ms:60000} late") as feed:
        began = time.monotonic()
        assert feed.next().type == "run.created"
        assert time.monotonic() - began < 20
        ana.cancel(feed.run_id)
        last = feed.next()
        assert last.type == "run.cancelled" and last.number == 2 and feed.next() is None


def test_words_leave_one_by_one(ana):
    with ana.stream("{words:400} {delay_ms:50}") as feed:
        created, *deltas = feed.until(lambda event: event.number == 6)
        assert ana.run(feed.run_id)["status"] == "running", "more is to come"
        ana.cancel(feed.run_id)
    assert created.type == "run.created" and feeds.written(deltas).split() == words(5).split()
    assert all(len(event.delta.split()) == 1 for event in deltas)


def test_what_is_refused_before_it_begins_is_a_problem(ana):
    for fields, status, code, more in (({"message": ""}, 422, "validation_failed", ["errors"]),
                                       ({"message": "x", "model": "no"}, 422, "unknown_model", []),
                                       ({"message": "x", "session_id": "ses_" + "0" * 28}, 404,
                                        "not_found", [])):
        with feeds.Feed(ana.house.server, "POST", "/chat/query", ana.token,
                        {**fields, "stream": True}) as feed:
            refused(feed.response, status, code, *more)


@pytest.mark.parametrize("message, text", [("{fail_after:2} a b c", "a b"),
                                           ("{error:overloaded}", "")])
def test_what_fails_later_is_an_event(ana, message, text):
    with ana.stream(message) as feed:
        assert feed.response.status == 200
        events = feeds.check_events(feed.rest())
    run = events[-1].data["run"]
    assert events[-1].type == "run.failed" and run["status"] == "failed"
    assert run["error"]["code"] == ("upstream_error" if text else "overloaded")
    assert run["error"]["status"] == (502 if text else 503)
    assert {"type", "title", "status", "detail", "code"} <= set(run["error"])
    assert feeds.written(events) == text == text_of(run["message"])
    assert run["message"]["stop_reason"] == "error" and ana.run(run) == run


@pytest.mark.parametrize("text", [
    "a\r\nb\nc\rd\n\n\r\r", "data: x\n\nid: 99\nevent: run.completed\ndata: {}\n\n", "\0 \x00",
    "\u2028 \u2029 \u0085 \ufeff", "\"quotes\" \\ back\\nslash", ": ping\n\n", "\x01 \x1f \x7f",
    "🦀 🧑‍🚀 e\u0301 \U0010ffff", "<script> </script> ]]>", "\tlead trail \n"])
def test_no_content_breaks_a_frame(ana, text):
    with ana.stream(text) as feed:
        events = feeds.check_events(feed.rest())
    assert feeds.written(events) == text
    assert text_of(events[-1].data["run"]["message"]) == text
    assert feeds.frames(ana.events(feed.run_id)) == feeds.frames(events)


def test_many_readers_get_the_same_bytes(ana):
    run = ana.begin("{first_delay_ms:500} {words:60} {delay_ms:10}")

    def read(number):
        if number % 3 == 0:
            return ana.events(run)
        if number % 3 == 1:
            people.until(lambda: (ana.run(run)["message"] or {"content": []})["content"])
        return ana.events(run)
    everybody = people.at_once(40, read)
    assert {feeds.frames(events) for events in everybody} == {feeds.frames(ana.events(run))}
    assert feeds.written(everybody[0]) == words(60)


def test_head_opens_no_feed(ana):
    run = ana.begin(SLOW)
    path = f"/v1/api/chat/runs/{run['id']}/events"
    with wire.Connection(ana.house.server.address) as connection:
        for _ in range(3):
            connection.send(wire.request_bytes("HEAD", path,
                                               {"Authorization": f"Bearer {ana.token}"}))
            while b"\r\n\r\n" not in connection.received:
                connection.received += connection.socket.recv(65536)
            head, _, connection.received = connection.received.partition(b"\r\n\r\n")
            response = wire.parse_head(head)
            assert response.status == 200
            assert response.header("content-type") == HEADERS["content-type"]
        assert connection.is_silent(0.5), "nothing follows on a head"
    ana.cancel(run)


def test_a_connection_is_good_for_more_after_a_stream(ana):
    run = ana.ask("hello")
    with ana.follow(run) as feed:
        feeds.check_events(feed.rest())
        if not feed.response.closes:
            answer = feed.ask("GET", f"/v1/api/chat/runs/{run['id']}",
                              {"Authorization": f"Bearer {ana.token}"})
            assert answer.json() == run


def test_silence_is_broken_by_a_ping(ana):
    with ana.stream("{first_delay_ms:60000} late") as feed:
        feed.next()
        began = time.monotonic()
        assert feed._next_frame() == feeds.PING
        assert time.monotonic() - began < 20
        ana.cancel(feed.run_id)
        assert feed.rest()[-1].type == "run.cancelled"
    assert b"ping" not in feeds.frames(ana.events(feed.run_id))
