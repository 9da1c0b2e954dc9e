"""Budgets: the output tokens that a user may use in a day, reserved before an answer and settled after it."""
import pytest

import automations
import chats
import completions
import people
import program
import upstreams


@pytest.fixture(scope="module")
def house():
    with chats.house() as opened:
        yield opened


def set_budget(house, user, tokens):
    response = house.ask("PATCH", f"/users/{user['id']}", house.admin, {"budget": {"output_tokens_per_day": tokens}})
    assert response.status == 200, response.body
    assert response.json()["budget"] == {"output_tokens_per_day": tokens}


def thrifty(house, name, tokens):
    user = house.add(name)
    assert user["budget"] == {"output_tokens_per_day": None}
    set_budget(house, user, tokens)
    return user, chats.Person(house, house.token_for(user)["token"])


def refused(response):
    problem = people.refused(response, 429, "budget_used_up")
    assert 0 < int(response.header("retry-after")) <= 86_400
    return problem


def test_runs_keep_within_the_budget(house):
    _, ana = thrifty(house, "ana", 10)
    refused(ana.query("{words:3}", model="scripted", max_output_tokens=11))
    ana.ask("{words:4}", model="scripted", max_output_tokens=10)
    refused(ana.query("{words:7}", model="scripted", max_output_tokens=7))
    ana.ask("{words:6}", model="scripted", max_output_tokens=6)
    refused(ana.query("one", model="scripted"))
    assert len(ana.pages("/chat/sessions")) == 2, "a refused question stores nothing"


def test_answers_at_the_same_time_reserve(house):
    _, ben = thrifty(house, "ben", 1000)
    runs = [ben.begin("{first_delay_ms:60000} hello", model="scripted", max_output_tokens=500) for _ in range(2)]
    refused(ben.query("one", model="scripted", max_output_tokens=1))
    for run in runs:
        ben.cancel(run)
    people.until(lambda: ben.query("one", model="scripted", max_output_tokens=100).status == 200)


def test_what_is_not_stored_counts(house):
    _, eva = thrifty(house, "eva", 10)
    assert completions.post(eva, "one two three four", max_tokens=10).status == 200
    response = completions.post(eva, "one", max_tokens=10)
    assert response.status == 429 and response.json()["error"]["code"] == "insufficient_quota"
    people.until(lambda: completions.post(eva, "one two three", max_tokens=6).status == 200)
    response = completions.request(eva, "POST", "/responses", {
        "model": "scripted", "input": "one", "store": False, "max_output_tokens": 10})
    assert response.status == 429 and response.json()["error"]["code"] == "insufficient_quota"


def test_what_is_passed_on_counts(tmp_path):
    with upstreams.mock() as mock, chats.house(
            upstreams.settings_of(mock, upstreams.write_key(tmp_path), "ok")) as house:
        _, ana = thrifty(house, "ana", 100)
        for body in ({"max_tokens": 101}, {"max_completion_tokens": 60, "n": 2}, {"max_tokens": 1, "n": 101},
                     {"max_tokens": 1, "n_predict": 101}):
            response = completions.post(ana, "hi", model="ok", **body)
            assert response.status == 429, response.body
        # Some servers read these as numbers, too.
        for name, value in (("max_tokens", "100000"), ("max_tokens", 5.5), ("n", "2"), ("n_predict", 1e3)):
            response = completions.post(ana, "hi", model="ok", **{"max_completion_tokens": 1, name: value})
            assert response.status == 400 and response.json()["error"]["param"] == name, response.body
        assert not mock.questions
        assert completions.post(ana, "hi", model="ok", max_tokens=100).status == 200


def test_a_raised_or_cleared_budget_counts_at_once(house):
    user, kim = thrifty(house, "kim", 1)
    refused(kim.query("one two", model="scripted", max_output_tokens=2))
    set_budget(house, user, 2)
    kim.ask("one two", model="scripted", max_output_tokens=2)
    refused(kim.query("one", model="scripted"))
    set_budget(house, user, None)
    kim.ask("one two three", model="scripted")


def test_a_retry_with_its_key_needs_no_budget(house):
    _, lea = thrifty(house, "lea", 3)
    key = {"Idempotency-Key": "once"}
    first = lea.ask("one two three", headers=key, model="scripted", max_output_tokens=3)
    assert lea.ask("one two three", headers=key, model="scripted", max_output_tokens=3)["id"] == first["id"]


def test_only_operators_set_budgets(house):
    user, max_ = thrifty(house, "max", 5)
    people.refused(max_.request("PATCH", f"/users/{user['id']}", {"budget": {"output_tokens_per_day": None}}),
                   403, "insufficient_scope", "required_scope")
    assert max_.get("/me")["budget"] == {"output_tokens_per_day": 5}
    for wrong, code in ((0, "out_of_range"), (-1, "out_of_range"), ("5", "wrong_type"), (1.5, "wrong_type")):
        response = house.ask("PATCH", f"/users/{user['id']}", house.admin,
                             {"budget": {"output_tokens_per_day": wrong}})
        assert people.faults(response) == [("#/budget/output_tokens_per_day", code)]
    actions = [event["action"] for event in house.events(target=user["id"])]
    assert "user.budget_changed" in actions


def test_the_command(house):
    user = house.add("pia")
    data = house.server.data

    def command(*arguments):
        return program.run("user", "budget", "pia", *arguments, "--data", data)
    assert "budget=500" in command("500").stdout
    assert house.get(f"/users/{user['id']}", house.admin)["budget"]["output_tokens_per_day"] == 500
    assert "budget=500" in command().stdout
    for wrong in ("0", "-5", "many", "5x"):
        assert command(wrong).returncode != 0
    ended = command("none")
    assert ended.returncode == 0 and "budget" not in ended.stdout


def test_automations_skip_their_runs(house):
    user, _ = thrifty(house, "tom", 1)
    tom = chats.Person(house, house.token_for(user, scopes=automations.SCOPES)["token"])
    made = automations.created(tom, message="one two", model="scripted", max_output_tokens=2)
    row = automations.ended(tom, automations.started(tom, made))
    assert row["status"] == "skipped" and row["skip_reason"] == "budget"
    assert tom.pages("/chat/sessions") == []
