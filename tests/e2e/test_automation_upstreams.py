"""Automations whose model is on another server: which failures are repeated, and when."""
import pytest

import automations
import chats
import people
import upstream_ways as ways
import upstreams
from automations import automator, created, ended, row, started
from people import at
from stopwatch import Stopwatch

LATE = 5  # Seconds that a busy machine may take. The next thing that could begin an attempt comes after a minute.


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


def settings_for(mock, folder, *hows, **more):
    return {**automations.SETTINGS, **upstreams.settings_of(mock, upstreams.write_key(folder), *hows, **more)}


@pytest.fixture(name="ana", scope="module")
def one_user(mock, tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    settings = settings_for(mock, folder, "status429", "too_long", "status500", "cut")
    settings |= upstreams.settings_of(mock, upstreams.write_key(folder), "hang", first_token_timeout_s=1)
    with chats.house(settings) as house:
        yield automator(house, "ana")


def waited(run):
    """Seconds between the attempts of a run."""
    return [at(after["started_at"]) - at(before["completed_at"])
            for before, after in zip(run["attempts"], run["attempts"][1:])]


@pytest.mark.parametrize("how, code", [("status500", "upstream_error"), ("cut", "upstream_error"),
                                       ("hang", "upstream_timeout")])
def test_failures_that_may_pass_are_repeated_in_time(ana, how, code):
    watch = Stopwatch()
    made = created(ana, model=how, retry={"max_attempts": 3, "backoff_s": 1})
    run = ended(ana, started(ana, made))
    assert run["status"] == "failed" and run["error"]["code"] == code
    assert [each["error"]["code"] for each in run["attempts"]] == [code] * 3
    first, second = waited(run)
    late = LATE + watch.withheld()
    assert 1 <= first < 1 + late and 2 <= second < 2 + late


def test_a_server_that_asks_for_time_gets_it(ana, mock):
    watch = Stopwatch()
    made = created(ana, model="status429", retry={"max_attempts": 2, "backoff_s": 1})
    run = ended(ana, started(ana, made))
    assert [each["error"]["code"] for each in run["attempts"]] == ["overloaded"] * 2
    [wait] = waited(run)
    assert ways.RETRY_AFTER <= wait < ways.RETRY_AFTER + LATE + watch.withheld()
    assert len(mock.asked("status429")) == 2


def test_other_failures_are_not_repeated(ana, mock):
    run = ended(ana, started(ana, created(ana, model="too_long", retry={"max_attempts": 3, "backoff_s": 1})))
    assert run["status"] == "failed" and run["error"]["code"] == "message_too_long"
    assert len(run["attempts"]) == 1 == len(mock.asked("too_long"))


def test_an_attempt_that_a_crash_has_interrupted_is_repeated(start, tmp_path, mock):
    house = chats.LastingHouse(start, tmp_path / "data", settings_for(mock, tmp_path, "silent"))
    ana = automator(house, "ana")
    run = started(ana, created(ana, model="silent", retry={"max_attempts": 2, "backoff_s": 1}))
    running = people.until(lambda: row(ana, run)["run_id"])
    with ana.follow(running) as feed:
        feed.until(lambda event: event.delta == ways.WORDS[1])
    house.kill()
    house.come_back()
    again = people.until(lambda: len((now := row(ana, run))["attempts"]) == 2 and now)
    assert [each["status"] for each in again["attempts"]] == ["interrupted", "running"]
    assert waited(again)[0] >= 1
    assert ana.request("POST", f"/automation_runs/{run['id']}/cancel").json()["status"] == "cancelled"
    assert len([each for each in ana.messages(again["session_id"]) if each["role"] == "user"]) == 1
