"""Idempotency-Key: a question that is sent again is not asked again."""
import itertools
import re

import pytest

import chats
import feeds
import people
from chats import text_of, words
from people import refused

SLOW = "{words:12} {delay_ms:300}"  # A busy machine must find it running.
NUMBERS = itertools.count()


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"limits.general": 5000}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(name="key")
def new_key():
    return f"key-{next(NUMBERS)}"


def by(key):
    return {"Idempotency-Key": key}


def limit_class(response):
    return re.match(r'"(\w+)"', response.header("ratelimit-policy"))[1]


def replayed(response, status=200):
    """Checks that a response repeats an earlier one; returns its body."""
    assert response.status == status, response.body
    assert response.header("idempotency-replayed") == "true"
    assert limit_class(response) == "general"
    return response.json()


def sessions_of(person):
    return [session["id"] for session in person.pages("/chat/sessions")]


def test_the_same_question_gives_the_same_run(ana, key):
    first = ana.query("only once", by(key), metadata={"a": "b"})
    assert first.status == 200 and first.header("idempotency-replayed") is None
    assert limit_class(first) == "chat"
    before = sessions_of(ana)
    for same in (key, f'"{key}"', key):
        again = ana.query("only once", by(same), metadata={"a": "b"})
        assert replayed(again) == first.json()
    assert sessions_of(ana) == before
    run = first.json()
    assert len(ana.messages(run["session_id"])) == 2


def test_in_a_session_that_went_on_the_first_run_is_given_again(ana, key):
    session = ana.ask("begin")["session_id"]
    first = ana.ask("with a key", by(key), session_id=session)
    ana.ask("later", session_id=session)
    running = ana.begin("{words:300} {delay_ms:100}", session_id=session)
    assert replayed(ana.query("with a key", by(key), session_id=session)) == first
    ana.cancel(running)


def test_each_form_can_be_had_again_in_each_form(ana, key):
    kept = {}
    for number, form in enumerate(("plain", "stream", "background")):
        own = f"{key}-{number}"
        if form == "stream":
            with ana.stream("say this", by(own)) as feed:
                assert feed.response.header("idempotency-replayed") is None
                run = feeds.check_events(feed.rest())[-1].data["run"]
        elif form == "plain":
            run = ana.ask("say this", by(own))
        else:
            run = ana.ended(ana.begin("say this", by(own)))
        kept[own] = run
    for own, run in kept.items():
        assert replayed(ana.query("say this", by(own))) == run
        assert replayed(ana.query("say this", by(own), background=True)) == run, "it has ended"
        with ana.stream("say this", by(own)) as feed:
            assert feed.response.header("idempotency-replayed") == "true"
            assert limit_class(feed.response) == "general" and feed.run_id == run["id"]
            events = feeds.check_events(feed.rest())
        assert feeds.frames(events) == feeds.frames(ana.events(run))
        assert events[-1].data["run"] == run


def test_one_that_still_runs_is_joined(ana, key):
    run = ana.begin(SLOW, by(key))
    location = f"/v1/api/chat/runs/{run['id']}"
    again = ana.query(SLOW, by(key), background=True)
    assert replayed(again, 202)["id"] == run["id"] and again.header("location") == location

    def join(number):
        if number < 3:
            with ana.stream(SLOW, by(key)) as feed:
                return feed.response, feeds.check_events(feed.rest())
        return ana.query(SLOW, by(key)), None
    answers = people.at_once(6, join)
    ended = ana.run(run)
    assert ended["status"] == "completed" and text_of(ended["message"]) == words(12)
    for response, events in answers[:3]:
        assert response.header("idempotency-replayed") == "true"
        assert feeds.frames(events) == feeds.frames(answers[0][1]), "all, from the first"
        assert events[-1].data["run"] == ended
    for response, _ in answers[3:]:
        assert replayed(response) == ended
    assert replayed(ana.query(SLOW, by(key), background=True)) == ended


def test_who_joins_may_wait_for_a_while_only(ana, key):
    run = ana.begin("{words:300} {delay_ms:100}", by(key))
    again = ana.query("{words:300} {delay_ms:100}", {**by(key), "Prefer": "wait=1"})
    assert replayed(again, 202)["id"] == run["id"]
    assert again.header("preference-applied") == "wait=1"
    ana.cancel(run)
    ended = ana.ended(run)
    assert replayed(ana.query("{words:300} {delay_ms:100}", by(key))) == ended


def test_of_many_at_once_one_is_asked(ana, key):
    before = len(sessions_of(ana))
    answers = people.at_once(16, lambda number: ana.query("{delay_ms:20} just one", by(key)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    first = [answer for answer in answers if answer.header("idempotency-replayed") is None]
    assert len(first) == 1 and len(sessions_of(ana)) == before + 1
    # Requests that arrive before the first one is stored are not known to be replays.
    assert {limit_class(answer) for answer in answers if answer not in first} <= {
        "general", "chat"}


def test_another_body_is_refused(ana, key):
    run = ana.ask("the body", by(key), temperature=1, metadata={"a": "b"})
    others = [{"message": "the body ", "temperature": 1, "metadata": {"a": "b"}},
              {"message": "the body", "temperature": 1},
              {"message": "the body", "temperature": 0.5, "metadata": {"a": "b"}},
              {"message": "the body", "temperature": 1, "metadata": {"a": "c"}},
              {"message": "the body", "temperature": 1, "metadata": {"a": "b"},
               "session_id": run["session_id"]},
              {"message": "the body", "temperature": 1, "metadata": {"a": "b"}, "seed": 1},
              {"parent_message_id": run["user_message"]["id"]}]
    for other in others:
        refused(ana.request("POST", "/chat/query", other, by(key)), 422, "idempotency_mismatch")
    assert replayed(ana.query("the body", by(key), temperature=1, metadata={"a": "b"})) == run
    assert len(ana.messages(run["session_id"])) == 2


def test_a_failed_run_fails_again_in_the_same_words(ana, key):
    first = refused(ana.query("{fail_after:1} a b", by(key)), 502, "upstream_error", "run_id",
                    "session_id")
    again = ana.query("{fail_after:1} a b", by(key))
    problem = refused(again, 502, "upstream_error", "run_id", "session_id")
    assert again.header("idempotency-replayed") == "true"
    assert (problem["run_id"], problem["session_id"]) == (first["run_id"], first["session_id"])
    assert problem["detail"] == first["detail"]
    response = ana.query("{fail_after:1} a b", by(key), background=True)
    assert replayed(response)["status"] == "failed"


@pytest.mark.parametrize("bad", ["", '""', "x" * 256, '"' + "x" * 256 + '"', "two words", "\xe9",
                                 "a\tb"])
def test_keys_that_will_not_do(ana, bad):
    before = sessions_of(ana)
    for path, body in (("/chat/query", {"message": "x"}), ("/chat/sessions", {})):
        refused(ana.request("POST", path, body, by(bad)), 400, "invalid_idempotency_key")
    refused(ana.query("x", {"Idempotency-Key": "a", "IDEMPOTENCY-KEY": "a"}), 400,
            "invalid_idempotency_key")
    assert sessions_of(ana) == before


@pytest.mark.parametrize("good", ["x", "!~#$%&'()*+,-./:;<=>?@[]^_`{|}", "y" * 255,
                                  '"' + "z" * 255 + '"'])
def test_keys_that_will_do(ana, good):
    run = ana.ask("x", by(good))
    assert replayed(ana.query("x", by(good))) == run


def test_elsewhere_it_is_ignored(ana):
    for bad in ("", "x" * 256):
        assert ana.request("GET", "/me", headers=by(bad)).status == 200
    run = ana.ask("x")
    path = f"/chat/sessions/{run['session_id']}"
    for title in ("one", "two"):
        answer = ana.request("PATCH", path, {"title": title}, by("patch"))
        assert answer.status == 200 and answer.json()["title"] == title
        assert answer.header("idempotency-replayed") is None


def test_refusals_bind_nothing(ana, key):
    session = ana.ask("begin")["session_id"]
    running = ana.begin("{words:300} {delay_ms:100}", session_id=session)
    attempts = [("", {}), ("x", {"temperature": 9}), ("x", {"model": "nothing"}),
                ("x", {"session_id": session}), ("x", {"session_id": "ses_" + "0" * 28})]
    for message, more in attempts:
        response = ana.query(message, by(key), **more)
        assert 400 <= response.status < 500 and response.status != 401, response.body
        assert response.header("idempotency-replayed") is None
    ana.cancel(running)
    ana.ended(running)
    response = ana.query("now", by(key), session_id=session)
    assert response.status == 200 and response.header("idempotency-replayed") is None


def test_everybody_has_keys_of_their_own(house, ana, key):
    bob = chats.somebody(house, "bob")
    mine, theirs = ana.ask("hello", by(key)), bob.ask("hello", by(key))
    assert mine["id"] != theirs["id"]
    assert replayed(ana.query("hello", by(key))) == mine
    assert replayed(bob.query("hello", by(key))) == theirs
    user = house.get("/me", ana.token)
    second = chats.Person(house, house.token_for(user)["token"])
    assert replayed(second.query("hello", by(key))) == mine, "a key is a user's, not a token's"


def test_a_session_is_made_once(ana, key):
    body = {"title": "only once", "metadata": {"a": "b"}}
    first = ana.request("POST", "/chat/sessions", body, by(key))
    assert first.status == 201 and first.header("idempotency-replayed") is None
    again = ana.request("POST", "/chat/sessions", body, by(f'"{key}"'))
    assert replayed(again, 201)["id"] == first.json()["id"]
    assert again.header("location") == first.header("location")
    refused(ana.request("POST", "/chat/sessions", {"title": "other"}, by(key)), 422,
            "idempotency_mismatch")
    refused(ana.query("x", by(key)), 422, "idempotency_mismatch")
    run = ana.ask("x", by(key + "-query"))
    refused(ana.request("POST", "/chat/sessions", {}, by(key + "-query")), 422,
            "idempotency_mismatch")
    assert replayed(ana.query("x", by(key + "-query"))) == run


def test_what_was_deleted_is_not_made_again(ana, key):
    run = ana.ask("to be deleted", by(key))
    made = ana.request("POST", "/chat/sessions", {"title": "x"}, by(key + "-session")).json()
    for name in (run["session_id"], made["id"]):
        assert ana.request("DELETE", f"/chat/sessions/{name}").status == 204
    for options in ({}, {"stream": True}, {"background": True}):
        refused(ana.query("to be deleted", by(key), **options), 404, "not_found")
    refused(ana.request("POST", "/chat/sessions", {"title": "x"}, by(key + "-session")), 404,
            "not_found")


def test_a_replay_needs_no_room_in_its_class():
    with chats.house({"limits.chat": 3}) as house:
        ana = chats.somebody(house, "ana")
        run = ana.ask("first", by("a"))
        ana.ask("second")
        ana.ask("third")
        problem = ana.query("fourth")
        assert problem.status == 429 and problem.json()["violated-policies"] == ["chat"]
        for _ in range(5):
            assert replayed(ana.query("first", by("a"))) == run
        assert ana.query("first", by("b")).status == 429


@pytest.mark.parametrize("end", ["restart", "kill"])
def test_it_survives_the_end_of_the_server(start, tmp_path, end):
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(house, "ana")
    run = ana.ask("before", by("ended"))
    made = ana.request("POST", "/chat/sessions", {}, by("session")).json()
    running = ana.begin(SLOW, by("running"))
    ana.when(running, "running")
    if end == "kill":
        house.kill()
        house.come_back()
    else:
        house.restart()
    assert replayed(ana.query("before", by("ended"))) == run
    assert replayed(ana.request("POST", "/chat/sessions", {}, by("session")), 201)["id"] == (
        made["id"])
    refused(ana.query("after", by("ended")), 422, "idempotency_mismatch")
    joined = replayed(ana.query(SLOW, by("running")))
    assert joined["id"] == running["id"] and joined["status"] == "completed"
    assert text_of(joined["message"]) == words(12)
    assert len(ana.messages(running["session_id"])) == 2
