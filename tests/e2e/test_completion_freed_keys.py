"""Idempotency-Key of stored completions after failed runs: as for /chat/query, a key is free again if the model had
not begun."""
import itertools

import pytest

import chats
import people
from completions import post, refused
from test_chat_freed_keys import PASSING
from test_chat_idempotency import by, limit_class


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house, number=itertools.count()):
    return chats.somebody(house, f"ana{next(number)}")


def shape(person, runs):
    """What these runs have left: the size of their one session, its messages, and how the runs ended."""
    session, = {run["session_id"] for run in runs}
    messages = [(message["role"], chats.text_of(message), len(message["sibling_ids"]))
                for message in person.messages(session)]
    ends = [(run["status"], run["error"]["code"], run["message"]["stop_reason"]) for run in runs]
    return person.get(f"/chat/sessions/{session}")["message_count"], messages, ends


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@pytest.mark.parametrize("code", PASSING)
def test_a_failure_before_the_first_word_frees_the_key(ana, code, stream):
    message = f"{{error:{code}}} x"
    answers = [post(ana, message, by("key"), store=True, stream=stream) for _ in range(2)]
    for answer in answers:
        assert answer.status in (502, 503, 504)
        refused(answer, answer.status, code)
        assert answer.header("idempotency-replayed") is None
        assert answer.header("x-should-retry") is None, "it may be asked again"
        assert limit_class(answer) == "chat", "it is asked anew"
    runs = [ana.run(answer.header("x-run-id")) for answer in answers]
    assert runs[0]["id"] != runs[1]["id"]
    assert len(ana.pages("/chat/sessions")) == 1
    # One question with two answers.
    assert runs[0]["user_message"]["id"] == runs[1]["user_message"]["id"]
    assert shape(ana, runs)[0] == 3
    asked = [ana.query(message, by("other")).json() for _ in range(2)]
    assert shape(ana, runs) == shape(ana, [ana.run(each["run_id"]) for each in asked])


def test_a_failure_that_is_told_again_does_not_say_when_to_retry(ana):
    """The second call joins the run of the first one, and fails with it."""
    message = "{first_delay_ms:6000} {error:overloaded} x"

    def ask_or_join(number):
        if number == 1:
            people.until(lambda: ana.get("/chat/runs?status=running")["data"])
        return post(ana, message, by("key"), store=True)
    first, joined = people.at_once(2, ask_or_join)
    for answer in (first, joined):
        refused(answer, 503, "overloaded")
    assert joined.header("x-run-id") == first.header("x-run-id")
    assert first.header("idempotency-replayed") is None and int(first.header("retry-after")) >= 1
    assert joined.header("idempotency-replayed") == "true" and joined.header("retry-after") is None
