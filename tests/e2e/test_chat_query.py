"""Questions and their answers: plain, waited for, in the background, cancelled."""
import time

import pytest

import chats
import feeds
import people
from chats import text_of, words
from people import refused

LONG = "{words:500} {delay_ms:100}"  # 50 seconds: no test waits for its end.
NEVER = "{first_delay_ms:60000} hello"
NO_RUN = "run_0000000000000000000000000000"


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def check_run(run, status, text, stop_reason, question=None, metadata=None):
    """All fields of a run that has ended."""
    assert set(run) == chats.RUN_FIELDS and run["object"] == "chat.run"
    assert run["status"] == status and run["model"] == "scripted"
    assert people.is_id(run["id"], "run") and people.is_id(run["session_id"], "ses")
    assert run["queue_position"] is None and run["metadata"] == (metadata or {})
    times = [people.at(run[name]) for name in ("created_at", "started_at", "completed_at")]
    assert times == sorted(times) and abs(times[0] - time.time()) < 60
    user, answer = run["user_message"], run["message"]
    assert set(user) == chats.QUESTION_FIELDS and set(answer) == chats.ANSWER_FIELDS
    for message in (user, answer):
        assert message["object"] == "chat.message" and people.is_id(message["id"], "msg")
        assert message["session_id"] == run["session_id"] and people.at(message["created_at"])
        assert {part["type"] for part in message["content"]} <= {"text"}
        assert all(set(part) == {"type", "text"} for part in message["content"])
    assert user["role"] == "user" and answer["role"] == "assistant"
    assert answer["parent_id"] == user["id"] and answer["run_id"] == run["id"]
    assert answer["model"] == "scripted" and answer["stop_reason"] == stop_reason
    assert answer["metadata"] == {}
    assert text_of(answer) == text
    if question is not None:
        assert user["content"] == [{"type": "text", "text": question}]
        assert user["metadata"] == (metadata or {})
    if status == "completed":
        usage = run["usage"]
        assert set(usage) == chats.USAGE_FIELDS and all(type(n) is int for n in usage.values())
        assert usage["output_tokens"] == len(text.split()) and usage["input_tokens"] >= 1
        assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]
        assert 0 <= usage["cached_input_tokens"] <= usage["input_tokens"]
        assert run["error"] is None
    return run


def without_siblings(message):
    return {name: value for name, value in message.items() if name != "sibling_ids"}


def test_a_query_field_by_field(ana):
    metadata = {"k": "v", "ключ": "ü"}
    response = ana.query("Hello my world", metadata=metadata)
    assert response.status == 200 and response.header("content-type") == "application/json"
    assert response.header("cache-control") == "no-store"
    assert response.header("idempotency-replayed") is None
    run = check_run(response.json(), "completed", "Hello my world", "end_turn", "Hello my world",
                    metadata)
    assert run["user_message"]["parent_id"] is None
    assert ana.run(run) == run, "the same run is found again"
    for message in (run["user_message"], run["message"]):
        assert without_siblings(ana.get(f"/chat/messages/{message['id']}")) == message
    session = ana.get(f"/chat/sessions/{run['session_id']}")
    assert session["message_count"] == 2 and session["active_run_ids"] == []


def test_a_session_goes_on_where_it_ended(ana):
    first = ana.ask("one")
    second = check_run(ana.ask("two", session_id=first["session_id"]), "completed", "two",
                       "end_turn", "two")
    assert second["session_id"] == first["session_id"] and second["id"] != first["id"]
    assert second["user_message"]["parent_id"] == first["message"]["id"]
    third = ana.ask("three", parent_message_id=second["message"]["id"])
    assert third["session_id"] == first["session_id"], "a parent names its session"
    listed = ana.messages(first["session_id"])
    assert [text_of(message) for message in listed] == [
        "one", "one", "two", "two", "three", "three"]
    assert [without_siblings(message) for message in listed[2:4]] == [
        second["user_message"], second["message"]]
    assert ana.ask("alone")["session_id"] != first["session_id"]


def test_a_message_may_have_parts(ana):
    for count in (1, 2, 16):
        parts = [{"type": "text", "text": f"part {number} "} for number in range(count)]
        run = ana.ask(parts)
        assert run["user_message"]["content"] == parts
        assert text_of(run["user_message"]) == "".join(part["text"] for part in parts)
        assert ana.messages(run["session_id"])[0]["content"] == parts


def test_texts_are_kept_exactly(ana):
    for text in ("\0", "a\0b", "\r\n", " \t ", "\u2028\ufeff\U0001f980", "e\u0301 é", "\\u0041",
                 "<script>alert(1)</script>", "'; DROP TABLE messages; --", "\x7f\x1b[31m",
                 "\ud7ff"):
        run = ana.ask(text)
        assert run["user_message"]["content"] == [{"type": "text", "text": text}]
        assert ana.messages(run["session_id"])[0]["content"][0]["text"] == text


def test_a_run_in_the_background(ana):
    response = ana.query("{words:5} {delay_ms:100}", background=True, metadata={"a": "b"})
    assert response.status == 202
    run = response.json()
    assert response.header("location") == f"/v1/api/chat/runs/{run['id']}"
    assert set(run) == chats.RUN_FIELDS and run["status"] in ("queued", "running")
    assert run["completed_at"] is None and run["usage"] is None and run["error"] is None
    assert run["message"] is None or run["message"]["stop_reason"] is None
    assert text_of(run["user_message"]) == "{words:5} {delay_ms:100}"
    ended = check_run(ana.ended(run), "completed", words(5), "end_turn", metadata={"a": "b"})
    for name in ("id", "session_id", "created_at", "user_message", "metadata"):
        assert ended[name] == run[name]


def test_while_it_runs_the_message_grows(ana):
    run = ana.begin(LONG)

    def grown():
        now = ana.run(run)
        assert now["status"] in ("queued", "running"), "too slow to see it"
        return now if now["message"] and text_of(now["message"]) else None
    now = people.until(grown)
    assert words(500).startswith(text_of(now["message"])) and now["message"]["stop_reason"] is None
    assert now["usage"] is None and now["completed_at"] is None and now["queue_position"] is None
    assert set(now["message"]) == chats.ANSWER_FIELDS
    assert ana.get(f"/chat/sessions/{run['session_id']}")["active_run_ids"] == [run["id"]]
    later = people.until(lambda: text_of(ana.run(run)["message"])[len(text_of(now["message"])):])
    assert later
    ana.cancel(run)
    assert ana.ended(run)["message"]["id"] == now["message"]["id"]


@pytest.mark.parametrize("prefer", ["wait=1", "respond-async, wait=1", "WAIT=1", "wait=0"])
def test_who_does_not_want_to_wait_longer_is_told_where_to_look(ana, prefer):
    began = time.monotonic()
    response = ana.query(LONG, headers={"Prefer": prefer})
    assert response.status == 202 and time.monotonic() - began < 10
    assert response.header("preference-applied") == prefer[-6:].lower()
    run = response.json()
    assert response.header("location") == f"/v1/api/chat/runs/{run['id']}"
    assert set(run) == chats.RUN_FIELDS and run["status"] in ("queued", "running")
    if "1" in prefer:
        assert time.monotonic() - began >= 1
        people.until(lambda: (ana.run(run)["message"] or {}).get("content"))
        assert text_of(ana.run(run)["message"]).startswith("w1")
    ana.cancel(run)


@pytest.mark.parametrize("prefer", ["wait=20", "return=minimal", "wait=x", "wait", "wait=-1", ""])
def test_what_ends_sooner_is_answered_as_ever(ana, prefer):
    response = ana.query("{words:3} {delay_ms:30}", headers={"Prefer": prefer})
    assert response.status == 200 and text_of(response.json()["message"]) == words(3)


def test_a_failed_run_answers_as_its_problem(ana):
    response = ana.query("{fail_after:2} one two three")
    problem = refused(response, 502, "upstream_error", "run_id", "session_id")
    assert people.is_id(problem["run_id"], "run") and people.is_id(problem["session_id"], "ses")
    run = ana.run(problem["run_id"])
    assert run["session_id"] == problem["session_id"]
    check_run(run, "failed", "one two", "error")
    error = run["error"]
    assert error["code"] == "upstream_error" and error["status"] == 502
    assert {"type", "title", "detail"} <= set(error) and error["title"] == problem["title"]
    listed = ana.messages(problem["session_id"])
    assert [text_of(message) for message in listed] == ["{fail_after:2} one two three", "one two"]
    check_run(ana.ask("go on", session_id=problem["session_id"]), "completed", "go on", "end_turn")


def test_an_end_without_a_word_leaves_an_empty_answer(ana):
    problem = refused(ana.query("{error:upstream_error} lost"), 502, "upstream_error", "run_id",
                      "session_id")
    check_run(ana.run(problem["run_id"]), "failed", "", "error")
    again = ana.ask("once more", session_id=problem["session_id"])
    listed = ana.messages(again["session_id"])
    assert [message["role"] for message in listed] == ["user", "assistant"] * 2
    assert again["user_message"]["parent_id"] == listed[1]["id"]


def test_a_cancelled_run_keeps_what_it_has_written(ana):
    with ana.stream(LONG) as feed:
        seen = feed.until(lambda event: event.number > 3)
        began = time.monotonic()
        first = ana.cancel(feed.run_id)
        assert first["id"] == feed.run_id
        events = feeds.check_events(seen + feed.rest())
        assert time.monotonic() - began < 20
    assert events[-1].type == "run.cancelled"
    run = check_run(ana.ended(feed.run_id), "cancelled", feeds.written(events), "cancelled")
    assert run == events[-1].data["run"] and words(500).startswith(feeds.written(events))
    assert ana.cancel(run) == run == ana.cancel(run), "to cancel again changes nothing"
    assert ana.ask("next", session_id=run["session_id"])["status"] == "completed"


def test_cancelling_does_not_wait_for_the_first_word(ana):
    run = ana.begin(NEVER)
    began = time.monotonic()
    ana.cancel(run)
    check_run(ana.ended(run), "cancelled", "", "cancelled")
    assert time.monotonic() - began < 20


def test_who_waits_for_a_cancelled_run_gets_it(ana):
    def act(number):
        if number == 0:
            return ana.query(NEVER, session_id=session)
        waiting = people.until(lambda: ana.get(f"/chat/sessions/{session}")["active_run_ids"])
        return ana.cancel(waiting[0])
    session = ana.ask("hello")["session_id"]
    response, _ = people.at_once(2, act)
    assert response.status == 200
    check_run(response.json(), "cancelled", "", "cancelled")


def test_cancelling_what_has_ended_changes_nothing(ana):
    run = ana.ask("done")
    assert ana.cancel(run) == run == ana.run(run)
    failed = refused(ana.query("{error:overloaded}"), 503, "overloaded", "run_id", "session_id")
    assert ana.cancel(failed["run_id"])["status"] == "failed"
    refused(ana.request("POST", f"/chat/runs/{NO_RUN}/cancel"), 404, "not_found")


@pytest.mark.parametrize("leave", ["close", "reset"])
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "plain"])
def test_a_client_that_leaves_changes_nothing(ana, leave, stream):
    session = ana.ask("hello")["session_id"]
    message = "{words:20} {delay_ms:150}"  # A busy machine must see it run.
    with feeds.Feed(ana.house.server, "POST", "/chat/query", ana.token,
                    {"message": message, "session_id": session, "stream": stream}) as feed:
        active = people.until(lambda: ana.get(f"/chat/sessions/{session}")["active_run_ids"])
        getattr(feed, leave)()
    check_run(ana.ended(active[0]), "completed", words(20), "end_turn", message)


def test_scopes_of_chatting(house):
    user = house.add("scarce")
    reader = chats.Person(house, house.token_for(user, scopes=["chat:read"])["token"])
    writer = chats.Person(house, house.token_for(user, scopes=["chat:write"])["token"])
    both = chats.Person(house, house.token_for(user)["token"])
    run = both.ask("hello")
    session = f"/chat/sessions/{run['session_id']}"
    writing = [("POST", "/chat/query", {"message": "x"}), ("POST", "/chat/sessions", {}),
               ("PATCH", session, {"title": "x"}), ("DELETE", session, None),
               ("POST", f"/chat/runs/{run['id']}/cancel", None)]
    reading = [("GET", path, None) for path in (
        "/chat/sessions", session, session + "/messages", f"/chat/runs/{run['id']}",
        f"/chat/runs/{run['id']}/events", f"/chat/messages/{run['message']['id']}")]
    for person, asked, missing in ((reader, writing, "chat:write"), (writer, reading, "chat:read")):
        for each in asked:
            problem = refused(person.request(*each), 403, "insufficient_scope", "required_scope")
            assert problem["required_scope"] == missing, each
    assert reader.run(run) == run == both.run(run)
