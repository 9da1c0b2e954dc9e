"""Idempotency-Key after failed runs and broken streams: when a key is free again, and the result of a replay.
"""
import itertools

import pytest

import chats
import feeds
import people
from people import refused
from test_chat_idempotency import by, limit_class, replayed, sessions_of

SLOW = "{words:12} {delay_ms:100}"
NUMBERS = itertools.count()


@pytest.fixture(name="ana", scope="module")
def somebody():
    with chats.house() as house:
        yield chats.somebody(house, "ana")


@pytest.fixture(name="key")
def new_key():
    return f"key-{next(NUMBERS)}"


PASSING = ("upstream_error", "upstream_timeout", "overloaded", "model_unavailable",
           "storage_unavailable", "shutting_down")


@pytest.mark.parametrize("code", PASSING)
def test_a_failure_before_the_first_word_frees_the_key(ana, key, code):
    message = f"{{error:{code}}} again"
    before = len(sessions_of(ana))
    problems = []
    for _ in range(3):
        response = ana.query(message, by(key))
        assert response.status in (502, 503, 504), response.body
        assert response.header("idempotency-replayed") is None
        assert limit_class(response) == "chat", "it is asked anew"
        problems.append(response.json())
    assert len({problem["run_id"] for problem in problems}) == 3
    assert len({problem["session_id"] for problem in problems}) == 1
    assert len(sessions_of(ana)) == before + 1
    # One question with three answers.
    runs = [ana.run(problem["run_id"]) for problem in problems]
    assert len({run["user_message"]["id"] for run in runs}) == 1
    question, answer = ana.messages(problems[0]["session_id"])
    assert question["id"] == runs[0]["user_message"]["id"]
    assert answer["sibling_ids"] == [run["message"]["id"] for run in runs]
    # Another body is a new question, and uses the key.
    other = ana.ask("something else", by(key))
    assert other["session_id"] != problems[0]["session_id"]
    assert replayed(ana.query("something else", by(key))) == other
    refused(ana.query(message, by(key)), 422, "idempotency_mismatch")


def test_a_freed_key_names_the_new_run(ana, key):
    """In one session, and with many requests at once: one of them starts the run, the others join it."""
    message = "{first_delay_ms:3000} {error:overloaded} x"  # All have asked again before it fails again.
    session = ana.ask("begin")["session_id"]
    refused(ana.query(message, by(key), session_id=session), 503, "overloaded", "run_id",
            "session_id")
    answers = people.at_once(6, lambda number: ana.query(
        message, by(key), session_id=session, background=True))
    assert {answer.status for answer in answers} == {202}, answers
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert [answer.header("idempotency-replayed") for answer in answers].count(None) == 1
    ana.ended(answers[0].json())
    assert len(ana.messages(session)) == 4


def test_a_replayed_failure_does_not_say_when_to_retry(ana, key):
    message = "{first_delay_ms:3000} {error:overloaded} x"
    run = ana.begin(message, by(key))
    joined = ana.query(message, by(key))
    refused(joined, 503, "overloaded", "run_id", "session_id")
    assert joined.json()["run_id"] == run["id"]
    assert joined.header("idempotency-replayed") == "true"
    assert joined.header("retry-after") is None
    first = ana.query(message, by(key))
    assert first.header("idempotency-replayed") is None and first.header("retry-after")


@pytest.mark.parametrize("message", ["{words:30}", SLOW])
def test_a_replayed_stream_goes_on_after_an_event(ana, key, message):
    """For an ended run, and for a running one."""
    run = ana.ask(message, by(key)) if message != SLOW else ana.begin(message, by(key))
    whole = None
    for number in (0, 1, 5):
        with ana.stream(message, {**by(key), "Last-Event-ID": str(number)}) as feed:
            assert feed.response.header("idempotency-replayed") == "true"
            events = feeds.check_events(feed.rest(), number)
        whole = whole or ana.events(run)
        assert feeds.frames(events) == feeds.frames(whole[number:])
    last = {**by(key), "Last-Event-ID": str(len(whole))}
    assert ana.query(message, last, stream=True).status == 204
    for bad in ("x", "-1", "1.5", ""):
        refused(ana.query(message, {**by(key), "Last-Event-ID": bad}, stream=True), 400,
                "invalid_request")
    # A new question has no events that the client could have seen.
    with ana.stream("new", {**by(key + "-new"), "Last-Event-ID": "3"}) as feed:
        assert feeds.written(feeds.check_events(feed.rest())) == "new"
