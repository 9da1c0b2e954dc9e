"""Usage: requests and tokens by user, model and day, of everything that a model answers."""
import datetime
import json

import pytest

import chats
import completions
import people
import program
import upstreams
import wire

FIELDS = {"object", "date", "user_id", "model", "requests", "input_tokens", "output_tokens", "cached_input_tokens"}


@pytest.fixture(scope="module")
def house():
    with chats.house() as opened:
        yield opened


def own(person, **query):
    return person.pages("/me/usage", **query)


def counts(entries):
    """(requests, input, output) by model. Two entries of one model: a test ran over midnight."""
    found = {}
    for entry in entries:
        before = found.get(entry["model"], (0, 0, 0))
        now = (entry["requests"], entry["input_tokens"], entry["output_tokens"])
        found[entry["model"]] = tuple(map(sum, zip(before, now)))
    return found


def come_to(person, expected):
    """Usage of answers that are not stored comes a moment later."""
    people.until(lambda: counts(own(person)) == expected)


def test_runs_are_counted_when_they_end(house):
    ana = chats.somebody(house, "ana")
    assert own(ana) == []
    run = ana.ask("one two three", model="scripted")
    before = datetime.datetime.now(datetime.timezone.utc).date()
    entry, = own(ana)
    assert set(entry) == FIELDS and entry["object"] == "usage" and people.is_id(entry["user_id"], "usr")
    assert abs(datetime.date.fromisoformat(entry["date"]) - before) <= datetime.timedelta(days=1)
    assert counts([entry]) == {"scripted": (1, run["usage"]["input_tokens"], run["usage"]["output_tokens"])}
    key = {"Idempotency-Key": "once"}
    again = [ana.ask("four five", headers=key, model="scripted") for _ in range(2)]
    assert again[0]["id"] == again[1]["id"]
    assert counts(own(ana)) == {"scripted": (2, 3 + 2, 3 + 2)}


def test_answers_that_are_not_stored_are_counted(house):
    ben = chats.somebody(house, "ben")
    completions.complete(ben, "one two three")
    with completions.streaming(ben, "four five", stream=True) as response:
        response.read()
    response = completions.request(ben, "POST", "/responses", {"model": "scripted", "input": "six", "store": False})
    assert response.status == 200, response.body
    come_to(ben, {"scripted": (3, 6, 6)})


def test_what_is_passed_on_is_counted(tmp_path):
    with upstreams.mock() as mock, chats.house(
            upstreams.settings_of(mock, upstreams.write_key(tmp_path), "ok", "status500")) as house:
        ana = chats.somebody(house, "ana")
        assert completions.post(ana, "hi", model="ok").status == 200
        assert completions.post(ana, "hi", model="status500").status == 502
        come_to(ana, {"ok": (1, 11, 5), "status500": (1, 0, 0)})


def test_a_stream_without_usage_is_estimated(tmp_path):
    with upstreams.mock() as mock, chats.house(
            upstreams.settings_of(mock, upstreams.write_key(tmp_path), "no_usage")) as house:
        ana = chats.somebody(house, "ana")
        with completions.streaming(ana, "hi", model="no_usage") as response:
            assert response.status_code == 200 and response.read().endswith(b"data: [DONE]\n\n")
        requests, given, written = people.until(lambda: counts(own(ana)).get("no_usage"))
        assert (requests, given) == (1, 0) and 5 <= written <= 10, "the answer has 5 words"


def test_an_estimate_is_at_most_what_the_request_allows(tmp_path):
    with upstreams.mock() as mock, chats.house(
            upstreams.settings_of(mock, upstreams.write_key(tmp_path), "no_usage")) as house:
        ana = chats.somebody(house, "ana")
        assert ana.ask("hi", model="no_usage", max_output_tokens=2)["usage"]["output_tokens"] == 2
        with completions.streaming(ana, "hi", model="no_usage", max_tokens=3) as response:
            assert response.status_code == 200 and response.read().endswith(b"data: [DONE]\n\n")
        people.until(lambda: counts(own(ana))["no_usage"][::2] == (2, 2 + 3))


def test_an_answer_that_nobody_waits_for_is_estimated(tmp_path):
    with upstreams.mock() as mock, chats.house(
            upstreams.settings_of(mock, upstreams.write_key(tmp_path), "unheard")) as house:
        ana = chats.somebody(house, "ana")
        fields = {"Authorization": f"Bearer {ana.token}", "Content-Type": "application/json"}
        body = json.dumps(completions.body_of("hi", {"model": "unheard", "max_tokens": 1})).encode()
        with wire.Connection(house.server.address) as connection:
            connection.send(wire.request_bytes("POST", "/v1/chat/completions", fields, body))
            people.until(lambda: mock.questions)
        assert mock.left.acquire(timeout=program.PATIENCE)
        come_to(ana, {"unheard": (1, 0, 1)})


def test_a_deleted_conversation_is_still_counted(house):
    eva = chats.somebody(house, "eva")
    run = eva.ask("one two", model="scripted")
    assert eva.request("DELETE", f"/chat/sessions/{run['session_id']}").status == 204
    assert counts(own(eva)) == {"scripted": (1, 2, 2)}


def test_a_run_that_is_deleted_while_it_answers_is_counted(house):
    pia = chats.somebody(house, "pia")
    run = pia.begin("{first_delay_ms:60000} hello", model="scripted")
    pia.when(run, "running")
    assert pia.request("DELETE", f"/chat/sessions/{run['session_id']}").status == 204
    people.until(lambda: counts(own(pia)).get("scripted", (0,))[0] == 1)


def test_everybody_sees_their_own_and_operators_see_all(house):
    kim = chats.somebody(house, "kim")
    lea = chats.somebody(house, "lea")
    for person, question in ((kim, "one"), (lea, "one two")):
        person.ask(question, model="scripted")
    assert counts(own(kim)) == {"scripted": (1, 1, 1)} and counts(own(lea)) == {"scripted": (1, 2, 2)}
    people.refused(kim.request("GET", "/usage"), 403, "insufficient_scope", "required_scope")
    ids = {own(person)[0]["user_id"] for person in (kim, lea)}
    operator = chats.Person(house, house.admin)
    assert ids <= {entry["user_id"] for entry in operator.pages("/usage")}
    for user in ids:
        assert {entry["user_id"] for entry in operator.pages("/usage", user=user)} == {user}
    assert house.get("/usage?user=usr_none", house.admin)["data"] == []


def test_days_and_models_narrow_the_list(house):
    max_ = chats.somebody(house, "max")
    max_.ask("one", model="scripted")
    entry, = own(max_)
    assert own(max_, model="scripted") == own(max_, **{"from": entry["date"]}) == [entry]
    assert own(max_, model="other") == []
    assert own(max_, to="2020-01-31") == own(max_, **{"from": "2020-01-01", "to": "2020-12-31"}) == []
    for query, code in (("from=yesterday", "too_short"), ("from=2026-02-30", "wrong_format"),
                        ("to=31-01-2026", "wrong_format"), ("from=2026-02-01&to=2026-01-31", "out_of_range")):
        problem = people.refused(max_.request("GET", "/me/usage?" + query), 422, "validation_failed", "errors")
        assert [(error["parameter"], error["code"]) for error in problem["errors"]] == [(query.split("=")[0], code)]
    people.refused(max_.request("GET", "/me/usage?after=x"), 400, "invalid_cursor")


def test_pages_have_no_gap(tmp_path):
    hows = ("ok", "no_usage")
    key = upstreams.write_key(tmp_path)
    with upstreams.mock() as mock, chats.house(upstreams.settings_of(mock, key, *hows)) as house:
        ana = chats.somebody(house, "ana")
        ana.ask("one", model="scripted")
        for how in hows:
            ana.query("hi", model=how)
        assert sorted(entry["model"] for entry in ana.pages("/me/usage", limit=1)) == sorted(["scripted", *hows])


def test_test_mode_has_usage_of_its_own(house):
    user = house.add("tea")
    live = chats.Person(house, house.token_for(user)["token"])
    trial = chats.Person(house, house.token_for(user, test=True)["token"])
    trial.ask("one two three", model="scripted")
    assert counts(own(trial)) == {"scripted": (1, 3, 3)} and own(live) == []


def test_usage_survives_a_stop(start, tmp_path):
    house = chats.LastingHouse(start, str(tmp_path / "data"))
    ana = chats.somebody(house, "ana")
    completions.complete(ana, "one two three")
    house.server.stop()  # At once: what was counted in memory is stored now.
    house.come_back()
    assert counts(own(ana)) == {"scripted": (1, 3, 3)}
    ana.ask("one two", model="scripted")
    house.kill()
    house.come_back()
    assert counts(own(ana)) == {"scripted": (2, 5, 5)}
