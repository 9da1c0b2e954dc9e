"""Completions that are stored: runs like any other."""
import itertools
import json

import pytest

import chats
import completions
import people
import upstreams
from completions import complete, post, refused, text_of, user


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"models.tiny.engine": "scripted", "models.tiny.context": 100}) as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house, number=itertools.count()):
    return chats.somebody(house, f"ana{next(number)}")


def stored(person, said, **more):
    return complete(person, said, store=True, **more)


def test_a_run_like_any_other(ana):
    response = post(ana, "Hello there", store=True, metadata={"k": "v"}, temperature=0.5)
    completion = response.json()
    assert text_of(completion) == "Hello there"
    run = ana.run(response.header("x-run-id"))
    assert run["status"] == "completed" and run["metadata"] == {"k": "v"}
    assert completion["metadata"] == {"k": "v", "session_id": run["session_id"],
                                      "run_id": run["id"]}
    assert completion["id"] == "chatcmpl-" + run["id"].removeprefix("run_")
    assert completion["usage"]["total_tokens"] == run["usage"]["total_tokens"]
    session = ana.get(f"/chat/sessions/{run['session_id']}")
    assert session["title"] == "Hello there" and session["message_count"] == 2
    assert [chats.text_of(message) for message in ana.messages(session)] == ["Hello there"] * 2


def test_a_stream(ana):
    data = completions.chunks(ana, "{words:3} {delay_ms:10}", store=True,
                              stream_options={"include_usage": True})
    assert completions.written(data) == chats.words(3)
    assert data[-1]["usage"]["completion_tokens"] == 3
    run = ana.run(data[0]["metadata"]["run_id"])
    assert chats.text_of(run["message"]) == chats.words(3)
    assert all("metadata" not in chunk for chunk in data[1:])
    assert completions.written(completions.chunks(ana, "{words:20000}", store=True)) == (
        chats.words(20_000))
    assert completions.written(completions.chunks(ana, "{words:0}", store=True)) == ""


def test_what_was_said_before_has_bounds(ana):
    """Each turn is stored as a message and has the limits of one."""
    def conversation(*sizes):
        turns = [{"role": role, "content": "x" * size}
                 for size, role in zip(sizes, itertools.cycle(("user", "assistant")))]
        return [*turns, user("and now?")]
    most = 131_072
    for sizes in ((most + 1, 1), (1, most + 1), (1, 1, 1, most + 1), (most,) * 8 + (1, 1)):
        refused(post(ana, conversation(*sizes), store=True), 400, "validation_failed", "messages")
    # Consecutive messages of one speaker are one turn.
    long = [user("x" * most), user("y"), {"role": "assistant", "content": "z"}, user("and now?")]
    refused(post(ana, long, store=True), 400, "validation_failed", "messages")
    assert ana.pages("/chat/sessions") == []
    completion = stored(ana, conversation(*(most,) * 8))
    session = ana.get("/chat/sessions/" + completion["metadata"]["session_id"])
    assert session["message_count"] == 10


def test_a_new_conversation_has_at_most_500_earlier_turns(ana):
    """All of them are written in one transaction, which delays all other writes."""
    def turns(count):
        return [{"role": ("user", "assistant")[n % 2], "content": "x"} for n in range(count)] + [user("last")]

    assert text_of(stored(ana, turns(500))) == "last"
    refused(post(ana, turns(502), store=True), 400, "validation_failed", "messages")
    assert complete(ana, turns(502)), "nothing is stored"


def test_a_session_goes_on(ana):
    first = stored(ana, [{"role": "system", "content": "Be brief."},
                         {"role": "developer", "content": "And kind."}, user("one")])
    session = first["metadata"]["session_id"]
    assert ana.get(f"/chat/sessions/{session}")["instructions"] == "Be brief.\n\nAnd kind."
    history = [{"role": "system", "content": "Be long."}, user("one"),
               {"role": "assistant", "content": "changed"}, user("two")]
    second = stored(ana, history, metadata={"session_id": session})
    assert second["metadata"]["session_id"] == session
    assert [chats.text_of(message) for message in ana.messages(session)] == [
        "one", "one", "two", "two"]
    assert second["usage"]["prompt_tokens"] == 7, "it was shown what the session has"
    assert ana.get(f"/chat/sessions/{session}")["instructions"] == "Be brief.\n\nAnd kind."
    # The metadata of an answer can be sent back unchanged.
    again = stored(ana, "three", metadata=second["metadata"])
    assert again["metadata"]["session_id"] == session


def test_a_conversation_that_began_elsewhere(ana):
    said = [{"role": "assistant", "content": "Welcome"}, user("one"), user("more"),
            {"role": "assistant", "content": "two"}, user("three")]
    first = stored(ana, said)
    session = first["metadata"]["session_id"]
    kept = ana.messages(session)
    assert [chats.text_of(message) for message in kept] == [
        "Welcome", "one\n\nmore", "two", "three", "three"]
    assert [message["role"] for message in kept] == ["assistant", "user"] * 2 + ["assistant"]
    assert "run_id" not in kept[2] and kept[4]["run_id"] == first["metadata"]["run_id"]
    assert first["usage"]["prompt_tokens"] == complete(ana, said)["usage"]["prompt_tokens"], (
        "it was shown what was said")
    about = ana.get(f"/chat/sessions/{session}")
    assert about["title"] == "one more" and about["message_count"] == 5
    assert text_of(stored(ana, "four", metadata={"session_id": session})) == "four"


def test_sessions_of_others(ana, house):
    session = stored(ana, "mine")["metadata"]["session_id"]
    ben = chats.somebody(house, "ben")
    theirs = post(ben, "yours?", store=True, metadata={"session_id": session})
    never = post(ben, "yours?", store=True, metadata={"session_id": "ses_never"})
    refused(theirs, 404, "not_found")
    assert theirs.body == never.body


def test_a_session_that_is_being_answered(ana):
    run = ana.begin("{first_delay_ms:60000} hello")
    refused(post(ana, "me too", store=True, metadata={"session_id": run["session_id"]}), 409,
            "session_busy")
    ana.cancel(run)


def test_who_leaves_changes_nothing(ana):
    with completions.streaming(ana, "{words:5} {delay_ms:100}", store=True) as response:
        run = response.headers["x-run-id"]
        next(response.iter_text())
    assert chats.text_of(ana.ended(run)["message"]) == chats.words(5)


def ended_early(error, run, code):
    assert set(error) == completions.ERROR_FIELDS | {"run_id"}, error
    assert (error["code"], error["type"], error["run_id"]) == (code, "invalid_request_error", run)


def test_a_run_that_is_cancelled_in_mid_stream(ana):
    with completions.streaming(ana, "{words:3} {delay_ms:60000}", store=True) as response:
        pieces = response.iter_text()
        seen = next(pieces)
        run = response.headers["x-run-id"]
        ana.cancel(run)
        seen += "".join(pieces)
    *data, last = [json.loads(event) for event in completions.events_in(seen)]
    assert completions.written(data) == "w1" and data[-1]["choices"][0]["finish_reason"] is None
    ended_early(last["error"], run, "run_cancelled")


@pytest.mark.parametrize("stream", [False, True])
def test_a_run_that_is_cancelled_before_it_says_anything(ana, stream):
    key = {"Idempotency-Key": f"cancelled {stream}".replace(" ", "-")}
    message = "{first_delay_ms:60000} x"

    def ask_or_cancel(number):
        if number == 0:
            return post(ana, message, key, store=True, stream=stream)
        runs = people.until(lambda: ana.get("/chat/runs?status=running")["data"])
        ana.cancel(runs[0])
        return runs[0]["id"]
    response, run = people.at_once(2, ask_or_cancel)
    for answer in (response, post(ana, message, key, store=True, stream=stream)):
        assert answer.status == 409, answer.body
        ended_early(answer.json()["error"], run, "run_cancelled")
        assert answer.header("x-should-retry") == "false"
        assert answer.header("x-run-id") == run


def test_a_run_that_is_cancelled_in_the_middle(ana):
    """A client that waits for the whole answer gets none, as it was not completed."""
    def ask_or_cancel(number):
        if number == 0:
            return post(ana, "{words:3} {delay_ms:60000}", store=True)
        run, = people.until(lambda: ana.get("/chat/runs?status=running")["data"])
        people.until(lambda: (ana.run(run)["message"] or {}).get("content"))
        return ana.cancel(run)
    answer, run = people.at_once(2, ask_or_cancel)
    assert answer.status == 409, answer.body
    ended_early(answer.json()["error"], run["id"], "run_cancelled")
    assert answer.header("x-should-retry") == "false" and answer.header("x-run-id") == run["id"]
    assert chats.text_of(ana.ended(run)["message"]) == "w1", "what was written is kept"


def test_a_run_that_was_interrupted(start, tmp_path):
    """By a restart of the server: the model on the other server cannot continue. A stream tells what was kept."""
    with upstreams.mock() as other:
        house = chats.LastingHouse(
            start, tmp_path / "data",
            upstreams.settings_of(other, upstreams.write_key(tmp_path), "silent"))
        ana = chats.somebody(house, "ana")
        key = {"Idempotency-Key": "interrupted"}
        with completions.streaming(ana, "hello", key, store=True, model="silent") as response:
            run = response.headers["x-run-id"]
            pieces, seen = response.iter_text(), ""
            while json.dumps(upstreams.WORDS[1]) not in seen:
                seen += next(pieces)
            house.kill()
        house.come_back()
        assert ana.ended(run)["status"] == "interrupted" and ana.run(run)["usage"] is None
        answer = post(ana, "hello", key, store=True, model="silent")
        assert answer.status == 409, answer.body
        ended_early(answer.json()["error"], run, "run_interrupted")
        assert answer.header("x-should-retry") == "false"
        with completions.streaming(ana, "hello", key, store=True, model="silent") as response:
            assert response.status_code == 200 and response.headers["x-run-id"] == run
            assert response.headers["idempotency-replayed"] == "true"
            response.read()
        *events, last = completions.events_in(response.text)
        assert "[DONE]" not in events and last != "[DONE]"
        data = [json.loads(event) for event in events]
        assert completions.written(data) == "".join(upstreams.WORDS[:2]) == chats.text_of(ana.run(run)["message"])
        assert {chunk["choices"][0]["finish_reason"] for chunk in data} == {None}
        assert set(json.loads(last)) == {"error"}
        ended_early(json.loads(last)["error"], run, "run_interrupted")


def test_ids_in_metadata_do_not_count(ana):
    own = {f"k{number}": "v" for number in range(16)}
    first = stored(ana, "one", metadata=own)
    second = stored(ana, "two", metadata=first["metadata"])
    assert second["metadata"]["session_id"] == first["metadata"]["session_id"]
    assert second["metadata"]["run_id"] != first["metadata"]["run_id"]
    assert ana.run(second["metadata"]["run_id"])["metadata"] == own
    refused(post(ana, "three", store=True, metadata={**own, "one": "more"}), 400,
            "validation_failed", "metadata")


def test_the_order_of_keys_does_not_matter(ana):
    key = {"Idempotency-Key": "order", "Content-Type": "application/json"}

    def sent(body):
        return completions.request(ana, "POST", "/chat/completions", body.encode(), key)
    first = sent('{"model":"scripted","store":true,"messages":[{"role":"user","content":"hi"}],'
                 '"metadata":{"a":"1","b":"2"}}')
    again = sent('{"metadata":{"b":"2","a":"1"},"messages":[{"content":"hi","role":"user"}],'
                 '"stream":false,"store":true,"model":"scripted"}')
    assert first.status == 200 and again.json() == first.json()
    assert again.header("idempotency-replayed") == "true"
    other = sent('{"model":"scripted","store":true,"messages":[{"role":"user","content":"hi"}],'
                 '"metadata":{"a":"2","b":"1"}}')
    refused(other, 422, "idempotency_mismatch")


def test_one_key_one_run(ana):
    key = {"Idempotency-Key": "once"}
    first = post(ana, "hello", key, store=True)
    again = post(ana, "hello", key, store=True)
    assert first.json() == again.json() and again.header("idempotency-replayed") == "true"
    assert again.header("ratelimit").startswith('"general"')
    assert completions.written(completions.chunks(ana, "hello", key, store=True)) == "hello"
    refused(post(ana, "other", key, store=True), 422, "idempotency_mismatch")
    assert text_of(complete(ana, "other", key)) == "other", "without store it means nothing"
    assert len(ana.get("/chat/sessions")["data"]) == 1
    refused(post(ana, "hello", {"Idempotency-Key": "a b"}, store=True), 400,
            "invalid_idempotency_key")


def test_a_failed_run_again(ana):
    key = {"Idempotency-Key": "failed"}
    for _ in range(2):
        response = post(ana, "{words:9} {fail_after:2}", key, store=True)
        refused(response, 502, "upstream_error")
    assert chats.text_of(ana.run(response.header("x-run-id"))["message"]) == chats.words(2)


def test_what_cannot_be_stored(ana):
    refused(post(ana, "x" * 131_073, store=True), 400, "validation_failed", "messages")
    refused(post(ana, "", store=True), 400, "validation_failed", "messages")
    refused(post(ana, [{"role": "system", "content": "x" * 65_537}, user("hi")], store=True), 400,
            "validation_failed", "messages")
    refused(post(ana, "many " * 90, store=True, model="tiny"), 400, "context_length_exceeded",
            "messages")
    assert ana.get("/chat/sessions")["data"] == []
