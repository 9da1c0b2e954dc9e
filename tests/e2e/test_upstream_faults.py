"""Failing models on other servers: a client always gets 502 or 504, a stream ends in `run.failed`, and
earlier text is kept."""
import pytest

import chats
import feeds
import upstream_ways as ways
import upstreams
from people import refused

# Before the first piece, and after one: (way, status, code).
AT_ONCE = [
    *((f"status{number}", 502, "upstream_error")
      for number in (201, 204, 302, 307, 401, 403, 404, 409, 418, 500, 502, 503, 504)),
    ("status429", 503, "overloaded"),
    ("too_long", 422, "message_too_long"),
    *((how, 502, "upstream_error")
      for how in ("tells_the_key", "garbage", "html", "unasked_json", "compressed", "endless_head")),
]
MIDWAY = ["garbage_event", "wrong_shape", "error_event", "huge_line", "invalid_utf8", "cut", "reset",
          "cut_in_a_line", "no_done", "filtered", "tools"]
TOO_SLOW = ["hang", "only_comments"]


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="house", scope="module")
def one_house(mock, tmp_path_factory):
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    settings = upstreams.settings_of(mock, key, *(how for how, _, _ in AT_ONCE), *MIDWAY,
                                     "endless_answer")
    settings |= upstreams.settings_of(mock, key, *TOO_SLOW, first_token_timeout_s=1,
                                      silence_timeout_s=1)
    # Its first words must come in time, also on a machine that was paused.
    settings |= upstreams.settings_of(mock, key, "silent", first_token_timeout_s=30, silence_timeout_s=4)
    with chats.house(settings) as opened:
        yield opened
        told = opened.server.log.text()
        assert ways.KEY not in told and ways.KEY[:16] not in told


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def failed_stream(person, model):
    """The run of a stream that fails, and its text."""
    with person.stream("Hello?", model=model) as feed:
        events, was_cut = feed.until_cut()
    if was_cut:  # A slow reader of much text.
        events += person.events({"id": feed.run_id}, after=events[-1].number)
    feeds.check_events(events)
    last = events[-1]
    assert last.type == "run.failed", last.data
    text = feeds.written(events)
    run = last.data["run"]
    assert [chats.text_of(message) for message in person.messages(run["session_id"])] == (
        ["Hello?", text]), "the session does not keep what was written"
    # Read again from the middle, it is the same.
    assert feeds.frames(person.events(run, 1)) == feeds.frames(events[1:])
    return run, text


@pytest.mark.parametrize("how, status, code", AT_ONCE, ids=[row[0] for row in AT_ONCE])
def test_a_failure_before_the_first_piece(ana, mock, how, status, code):
    answer = ana.query("Hello?", model=how)
    problem = answer.json()
    assert (answer.status, problem["code"]) == (status, code), problem
    assert "127.0.0.1" not in answer.body.decode(), "it names a host"
    if code == "overloaded":
        assert answer.header("retry-after") == str(ways.RETRY_AFTER)
        assert len(mock.asked(how)) == 1, "who asks for a long pause is not asked again"
    run, text = failed_stream(ana, how)
    assert (run["error"]["code"], text) == (code, "")
    # A request that may have been processed is not repeated.
    assert len(mock.asked(how)) == 2


@pytest.mark.parametrize("how", MIDWAY)
def test_a_failure_in_the_middle_keeps_what_was_written(ana, how):
    refused(ana.query("Hello?", model=how), 502, "upstream_error", "run_id", "session_id")
    run, text = failed_stream(ana, how)
    assert (run["error"]["code"], text) == ("upstream_error", ways.HALF)


def test_an_answer_without_end_is_cut_off(ana):
    run, text = failed_stream(ana, "endless_answer")
    assert run["error"]["code"] == "upstream_error"
    assert len(text) == 4 * 1024 * 1024


@pytest.mark.parametrize("how, text", [("hang", ""), ("only_comments", ""),
                                       ("silent", ways.HALF)])
def test_a_server_that_takes_too_long_is_not_waited_for(ana, how, text):
    assert ana.query("Hello?", model=how).json()["code"] == "upstream_timeout"
    run, written = failed_stream(ana, how)
    assert (run["error"]["code"], written) == ("upstream_timeout", text)


def test_the_operator_is_told_and_no_key(ana, house):
    told = house.server.log
    for model, level in (("status401", "error"), ("status404", "error"), ("cut", "warn")):
        ana.query("Hello?", model=model)
        told.wait_for(model=model, level=level)
    assert ways.KEY not in told.text()
