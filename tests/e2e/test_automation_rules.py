"""The rules of automations in their details: templates, pauses after failures, budgets, and repeated answers."""
import datetime

import pytest

import chats
import people
from automations import SCOPES, SETTINGS, automator, created, ended, row, rows, started
from people import faults

ONE_ATTEMPT = {"max_attempts": 1, "backoff_s": 1}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(SETTINGS) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def asked(person, message, variables, values):
    """The message of a run, and the answer to it."""
    made = created(person, message=message, variables=variables)
    run = started(person, made, {"variables": values}, 200, {"Prefer": "wait=30"})
    assert run["status"] == "completed", run
    return run["message"], chats.text_of(run["run"]["message"])


def test_unknown_fields_are_refused(ana):
    response = ana.request("POST", "/automations", {"name": "A", "message": "b", "surprise": 1, "retry": {"more": 2}})
    assert set(faults(response)) == {("#/surprise", "unknown_field"), ("#/retry/more", "unknown_field")}


def test_a_value_is_text_and_no_template(ana):
    variables = [{"name": "text"}, {"name": "other", "default": "no"}]
    assert asked(ana, "{{text}}!", variables, {"text": "{{other}} {{text}}"})[0] == "{{other}} {{text}}!"
    # It is the model that reads this.
    assert asked(ana, "Say {{text}}", variables, {"text": "{words:5}"}) == ("Say {words:5}", chats.words(5))
    assert asked(ana, r"\{{text}} {{text}}", variables, {"text": "x"})[0] == "{{text}} x"
    assert asked(ana, "{{text}}", variables, {"text": {"a": [1, "ü", None]}})[0] == '{"a":[1,"ü",null]}'


def test_values_have_a_size(ana):
    text = {"name": "text", "required": True, "max_bytes": 10}
    strict = created(ana, message="{{text}}", variables=[text])
    path = f"/automations/{strict['id']}/runs"
    assert faults(ana.request("POST", path, {"variables": {"text": "x" * 11}})) == [("#/variables/text", "too_long")]
    assert faults(ana.request("POST", path, {"variables": {}})) == [("#/variables/text", "required")]
    assert rows(ana, strict) == []
    # Cut between characters: the third one of four bytes does not fit.
    assert asked(ana, "{{text}}", [{**text, "cut": True}], {"text": "😀" * 5})[0] == "😀😀"


def test_it_pauses_after_ten_failures_and_resumes_with_the_next_time(house):
    owner = house.add("tess")
    tess = chats.Person(house, house.token_for(owner, scopes=SCOPES, test=True)["token"])
    made = created(tess, message="{error:upstream_error}", retry=ONE_ATTEMPT, overlap="allow",
                   trigger={"type": "schedule", "cron": "0 * * * *", "time_zone": "UTC"})
    path = f"/automations/{made['id']}"
    first = datetime.datetime.fromtimestamp(people.at(made["next_at"]), datetime.timezone.utc)

    def move(hours):
        now = (first + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        assert tess.request("PUT", "/test_clock", {"now": now}).status == 200
    for hour in range(10):
        assert tess.get(path)["state"] == "active"
        move(hour)
        people.until(lambda count=hour + 1: len(rows(tess, made, status="failed")) == count)
    paused = tess.get(path)
    assert (paused["state"], paused["pause_reason"], paused["consecutive_failures"]) == ("paused", "failures", 10)
    assert [event["data"]["id"] for event in tess.pages("/events", types="automation.paused")] == [made["id"]]
    move(20)
    assert len(rows(tess, made)) == 10, "nothing is due while it is paused"
    resumed = tess.request("PATCH", path, {"paused": False, "message": "fine"}).json()
    assert (resumed["state"], resumed["consecutive_failures"]) == ("active", 0)
    assert people.at(resumed["next_at"]) == first.timestamp() + 21 * 3600
    move(21)
    assert len(rows(tess, made)) == 11 and ended(tess, rows(tess, made)[0])["status"] == "completed"


def test_twenty_at_once_stay_within_the_budget(ana):
    made = created(ana, message="{first_delay_ms:300} {words:400}", overlap="allow", max_output_tokens=400,
                   output_tokens_per_day=1000)
    answers = people.at_once(20, lambda _: started(ana, made))
    done = [ended(ana, each) for each in answers]
    completed = [each for each in done if each["status"] == "completed"]
    assert len(completed) == 2, "each has reserved 400, and used all of it"
    assert {(each["status"], each["skip_reason"]) for each in done} == {("completed", None), ("skipped", "budget")}
    assert sum(each["usage"]["output_tokens"] for each in completed) <= 1000


def test_attempts_are_answers_to_one_question(ana):
    made = created(ana, message="{words:3} {error:upstream_error}", retry={"max_attempts": 3, "backoff_s": 1})
    run = ended(ana, started(ana, made))
    runs = [ana.run(attempt["run_id"]) for attempt in row(ana, run)["attempts"]]
    assert len({each["id"] for each in runs}) == 3
    assert len({each["user_message"]["id"] for each in runs}) == 1, "siblings below one question"
    assert len({each["session_id"] for each in runs}) == 1
