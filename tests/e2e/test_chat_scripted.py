"""The scripted model, line by line: authors of clients test with it."""
import time

import pytest

import chats
import feeds
from chats import text_of, words
from people import refused

CODES = {"upstream_error": 502, "upstream_timeout": 504, "overloaded": 503,
         "model_unavailable": 503, "storage_unavailable": 503, "shutting_down": 503}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def reply(person, message, **more):
    """The text and the reason for its end; plain and stream must agree."""
    run = person.ask(message, model="scripted", **more)
    text, reason = text_of(run["message"]), run["message"]["stop_reason"]
    events = person.events(run)
    assert feeds.written(events) == text
    assert run["usage"]["output_tokens"] == sum(event.type == "message.delta" for event in events)
    return text, reason


def deltas(person, message, **more):
    with person.stream(message, **more) as feed:
        return [event.delta for event in feeds.check_events(feed.rest())[1:-1]]


def test_it_says_what_it_was_told_word_by_word(ana):
    assert deltas(ana, "It is what it is") == ["It", " is", " what", " it", " is"]
    assert deltas(ana, "one") == ["one"]
    assert deltas(ana, [{"type": "text", "text": "two "}, {"type": "text", "text": "parts"}]) == [
        "two", " parts"]
    for text in ("  two  spaces  ", "line\nbreak and\ttab", "trailing ", " leading"):
        assert "".join(deltas(ana, text)) == text
    assert reply(ana, "the same") == reply(ana, "the same") == ("the same", "end_turn")


def test_a_number_of_words(ana):
    for count in (1, 2, 10, 1000):
        assert reply(ana, f"{{words:{count}}}") == (words(count), "end_turn")
    assert deltas(ana, "{words:3}") == ["w1", " w2", " w3"]
    assert reply(ana, "nothing of this {words:2} is said") == ("w1 w2", "end_turn")
    run = ana.ask("{words:20000}")
    assert text_of(run["message"]) == words(20_000)
    assert run["usage"]["output_tokens"] == 20_000


@pytest.mark.parametrize("message, expected", [
    ("a {delay_ms:0} b", "a b"), ("{delay_ms:0} a", "a"), ("a {delay_ms:0}", "a "),
    ("a{delay_ms:0}b", "ab"), ("a {delay_ms:0}  b", "a  b"), ("{delay_ms:0}{delay_ms:0} a", "a"),
    ("{delay_ms:0} {first_delay_ms:0} a b", "a b"), ("{delay_ms:0}\na", "\na")])
def test_a_directive_is_taken_out_with_one_space_after_it(ana, message, expected):
    assert reply(ana, message) == (expected, "end_turn")


@pytest.mark.parametrize("text", [
    "{words:20001}", "{words:-1}", "{words:x}", "{words:}", "{words}", "{words:1.5}", "{words: 5}",
    "{words:99999999999999999999}", "{delay_ms:60001} a", "{delay_ms:}", "{first_delay_ms:60001}",
    "{delay_ms:-5}", "{fail_after:-1}", "{fail_after:x}", "{error:not_found}", "{error:}",
    "{error}", "{error:internal}", "{error:rate_limited}", "{max_tokens:5}", "{unknown}",
    "{unknown:5} a", "{}", "{", "}", "{{", "}}", "{words:5", "words:5}", "{Words:5}", "{ words:5}",
    "{{unknown}}",
    "{fail_after}", "{delay_ms}"])
def test_what_is_no_directive_stays_in_the_text(ana, text):
    for message in (text, f"a {text} b"):
        assert reply(ana, message) == (message, "end_turn")


def test_the_largest_numbers_are_directives(ana):
    for message in ("{first_delay_ms:60000} a", "{delay_ms:60000} a b"):
        with ana.stream(message) as feed:
            feed.next()
            ana.cancel(feed.run_id)
            events = feed.rest()
        assert events[-1].type == "run.cancelled"
        assert feeds.written(events) in ("", "a")


def test_delays(ana):
    began = time.monotonic()
    assert reply(ana, "{delay_ms:100} a b c d")[0] == "a b c d"
    assert 0.3 <= time.monotonic() - began < 20
    began = time.monotonic()
    assert reply(ana, "{first_delay_ms:500} a b c d")[0] == "a b c d"
    assert 0.5 <= time.monotonic() - began < 20


def test_several_directives_together(ana):
    assert reply(ana, "{delay_ms:5} {words:6} {first_delay_ms:5} {max_tokens}") == (
        words(3), "max_tokens")
    problem = refused(ana.query("{words:9} {fail_after:4} {delay_ms:1}"), 502, "upstream_error",
                      "run_id", "session_id")
    assert text_of(ana.run(problem["run_id"])["message"]) == words(4)


@pytest.mark.parametrize("code", CODES)
def test_it_fails_with_any_code_of_502_503_504(ana, code):
    response = ana.query(f"{{error:{code}}} never said")
    problem = refused(response, CODES[code], code, "run_id", "session_id")
    if CODES[code] == 503:
        assert int(response.header("retry-after")) >= 1
    run = ana.run(problem["run_id"])
    assert run["status"] == "failed" and run["error"]["code"] == code
    events = ana.events(run)
    assert [event.type for event in events] == ["run.created", "run.failed"]


def test_it_fails_after_some_words(ana):
    for after in (0, 1, 5):
        problem = refused(ana.query(f"{{fail_after:{after}}} {{words:10}}"), 502, "upstream_error",
                          "run_id", "session_id")
        events = ana.events(problem["run_id"])
        assert [event.type for event in events[1:-1]] == ["message.delta"] * after
        assert feeds.written(events) == words(after) and events[-1].type == "run.failed"


def test_half_of_the_words(ana):
    for count, half in ((10, 5), (5, 2), (3, 1), (2, 1)):
        assert reply(ana, f"{{max_tokens}} {{words:{count}}}") == (words(half), "max_tokens")
    assert reply(ana, "{max_tokens} one two three four five") == ("one two", "max_tokens")
    assert reply(ana, "{max_tokens} one") == ("", "max_tokens"), "half of one is nothing"


@pytest.mark.parametrize("message", ["{words:0}", "{delay_ms:5}", "{delay_ms:5} {delay_ms:5} "])
def test_an_empty_reply_completes_without_deltas(ana, message):
    with ana.stream(message) as feed:
        events = feeds.check_events(feed.rest())
    assert [event.type for event in events] == ["run.created", "run.completed"]
    run = events[-1].data["run"]
    assert text_of(run["message"]) == "" and run["message"]["stop_reason"] == "end_turn"
    assert run["usage"]["output_tokens"] == 0
    assert ana.ask("and on", session_id=run["session_id"])["status"] == "completed"


def test_what_a_failed_run_has_used(ana):
    """Unknown usage is never reported as 0."""
    ended = {}
    for message in ("{fail_after:2} one two three", "{error:overloaded} one two three"):
        problem = ana.query(message).json()
        ended[message] = ana.run(problem["run_id"])
    assert [run["usage"] for run in ended.values()] == [
        {"input_tokens": 4, "output_tokens": output, "total_tokens": 4 + output,
         "cached_input_tokens": 0} for output in (2, 0)]


def test_a_text_may_stop_it_without_a_list(ana):
    assert reply(ana, "{words:9}", stop=" w4") == ("w1 w2 w3", "stop_sequence")


@pytest.mark.parametrize("stop, expected", [
    (["w4"], "w1 w2 w3 "), ([" w4"], "w1 w2 w3"), (["3 w4 w"], "w1 w2 w"), (["w1"], ""),
    (["w9", "w5", "w7"], "w1 w2 w3 w4 "), (["2", "w2"], "w1 "), (["w"], "")])
def test_a_stop_sequence_ends_the_reply_before_it(ana, stop, expected):
    run = ana.ask("{words:10}", stop=stop)
    assert (text_of(run["message"]), run["message"]["stop_reason"]) == (expected, "stop_sequence")
    assert feeds.written(ana.events(run)) == expected
    again = ana.ask("{words:10} {delay_ms:5}", stop=stop)
    assert text_of(again["message"]) == expected


def test_a_stop_sequence_that_does_not_come(ana):
    for stop in (["x"], ["w10 w11"], ["W1"], ["w1  w2"]):
        run = ana.ask("{words:10}", stop=stop)
        assert (text_of(run["message"]), run["message"]["stop_reason"]) == (words(10), "end_turn")
        assert feeds.written(ana.events(run)) == words(10)


def test_the_most_tokens_that_are_wanted(ana):
    assert reply(ana, "{words:10}", max_output_tokens=4) == (words(4), "max_tokens")
    assert reply(ana, "{words:10}", max_output_tokens=1) == ("w1", "max_tokens")
    assert reply(ana, "{words:10}", max_output_tokens=11) == (words(10), "end_turn")
    assert reply(ana, "a b c d e", max_output_tokens=2) == ("a b", "max_tokens")
    assert len(reply(ana, "a " * 40_000)[0].split()) == 40_000, "only if sent"


def test_the_last_question_alone_is_answered(ana):
    first = ana.ask("{words:3}")
    run = ana.ask("{max_tokens} now this instead, please", session_id=first["session_id"])
    assert text_of(run["message"]) == "now this"
    session = ana.request("POST", "/chat/sessions", {"instructions": "{words:50} Be long."}).json()
    assert text_of(ana.ask("short", session_id=session["id"])["message"]) == "short"


def test_sampling_changes_nothing(ana):
    expected = ("always the same", "end_turn")
    for more in ({"temperature": 2}, {"temperature": 0}, {"top_p": 0.1}, {"seed": 1}, {"seed": 2}):
        assert reply(ana, "always the same", **more) == expected
