"""Due times of live automations while the server is off or stopped, the clock is set, and automations are changed
in their due second."""
import signal
import time

import pytest

import chats
import people
from automations import (SCOPES, SETTINGS, automator, created, created_due, ended, every_ten_minutes, in_seconds, rows,
                         started)
from people import at

TEN_MINUTES = 600


@pytest.fixture(name="house")
def house_with_a_clock(start, clock, tmp_path):
    def start_one(*arguments, **options):
        return start(*arguments, environment=clock.environment, **options)
    return chats.LastingHouse(start_one, tmp_path / "data", SETTINGS)


@pytest.fixture(name="ana")
def one_user(house):
    return automator(house, "ana")


def once_in(seconds):
    return {"type": "schedule", "at": in_seconds(seconds), "time_zone": "UTC"}


def with_each_rule(person):
    trigger = every_ten_minutes()
    return {rule: created(person, message="one two three", overlap="queue", catch_up=rule, trigger=trigger)
            for rule in ("none", "latest", "all")}


def oldest_first(person, automation):
    return rows(person, automation)[::-1]


def check_caught_up(person, made, count):
    """These due times are in the ledger, each once: missed, or run in order."""
    for rule, runs in (("none", 0), ("latest", 1), ("all", count)):
        first = at(made[rule]["next_at"])
        found = people.until(lambda each=made[rule]: oldest_first(person, each))
        assert [at(row["scheduled_for"]) for row in found] == [first + TEN_MINUTES * n for n in range(count)]
        missed, run = found[:count - runs], [ended(person, row) for row in found[count - runs:]]
        assert {row["status"] for row in missed} <= {"missed"} and {row["status"] for row in run} <= {"completed"}
        assert [row["started_at"] for row in run] == sorted(row["started_at"] for row in run)
        assert all(len(row["attempts"]) == 1 for row in run)


def test_a_server_that_was_off_catches_up_as_configured(house, ana, clock):
    made = with_each_rule(ana)
    house.server.stop()
    clock(minutes=50)
    house.come_back()
    check_caught_up(ana, made, 5)
    due = [row["scheduled_for"] for row in ana.pages("/automation_runs")]
    assert len(due) == 15 and due == sorted(due, reverse=True), "of all automations, the newest due time first"
    house.restart()
    check_caught_up(ana, made, 5)


@pytest.mark.parametrize("late, of_none", [(10, "completed"), (70, "missed")])
def test_a_time_of_the_last_minute_is_late_and_not_missed(house, ana, clock, late, of_none):
    made = with_each_rule(ana)
    house.server.stop()
    clock(seconds=at(made["none"]["next_at"]) + late - time.time())
    house.come_back()
    for rule, each in made.items():
        [row] = people.until(lambda each=each: rows(ana, each))
        assert row["scheduled_for"] == each["next_at"]
        assert ended(ana, row)["status"] == (of_none if rule == "none" else "completed")


def test_many_missed_times_are_a_hundred_rows_and_a_number(house, ana, clock):
    # Not at once: a minute may begin before the server has ended.
    made = [created(ana, message="one", overlap="queue", trigger={
        "type": "schedule", "cron": "* * * * *", "starts_at": in_seconds(600), "time_zone": "UTC"}, **rule) for rule in (
            {"catch_up": "none"}, {"catch_up": "all", "catch_up_window_s": 600})]
    house.server.stop()
    clock(hours=4)
    house.come_back()
    for each, least in zip(made, (1, 10)):
        found = people.until(lambda each=each: oldest_first(ana, each))
        missed = [row for row in found if row["status"] == "missed"]
        late = found[len(missed):]
        assert len(missed) == 101 and [row["missed_count"] is None for row in missed] == [False] + [True] * 100
        assert least <= len(late) <= least + 1 and all(ended(ana, row)["status"] == "completed" for row in late)
        due = [at(row["scheduled_for"]) for row in found]
        assert due == [due[0] + 60 * number for number in range(len(due))]
        assert missed[0]["missed_count"] == (due[0] - at(each["next_at"])) / 60 + 1 > 60


def test_a_clock_that_jumps_ahead_and_back_fires_nothing_again(ana, clock):
    made = with_each_rule(ana)
    clock(minutes=120)
    check_caught_up(ana, made, 12)
    clock(minutes=60)
    time.sleep(2.5)
    clock()
    time.sleep(2.5)
    check_caught_up(ana, made, 12)
    for each in made.values():
        now = ana.get(f"/automations/{each['id']}")
        assert at(now["next_at"]) == at(each["next_at"]) + 12 * TEN_MINUTES
    # A new due time counts by the clock as it is now.
    soon = created_due(ana, 2)
    [row] = people.until(lambda: rows(ana, soon))
    assert row["scheduled_for"] == soon["next_at"] and ended(ana, row)["status"] == "completed"


def test_a_clock_that_is_set_back_an_hour_delays_what_is_due(ana, clock):
    done = created_due(ana, 2)
    [first] = people.until(lambda: rows(ana, done))
    later = created(ana, trigger=every_ten_minutes())
    clock(hours=-1)
    time.sleep(2.5)
    assert [row["id"] for row in rows(ana, done)] == [first["id"]] and rows(ana, later) == []
    assert ended(ana, started(ana, later))["status"] == "completed", "by hand it runs at once"
    clock(minutes=9)
    [row, _] = people.until(lambda: len(found := rows(ana, later)) == 2 and found)
    assert row["scheduled_for"] == later["next_at"]


def test_a_stopped_server_enters_what_was_due_meanwhile_once(house, ana):
    made = [created_due(ana, 2) for _ in range(5)]
    house.server.signal(signal.SIGSTOP)
    time.sleep(max(0, at(made[-1]["next_at"]) + 3 - time.time()))
    house.server.signal(signal.SIGCONT)
    # In a shared database it has lost its rights meanwhile, and gets them back.
    people.until(lambda: ana.request("GET", "/automations").status == 200)
    for each in made:
        [row] = people.until(lambda one=each: rows(ana, one))
        assert row["scheduled_for"] == each["next_at"]
        row = ended(ana, row)
        assert row["status"] == "completed" and len(row["attempts"]) == 1, "late, not missed"


def test_edits_in_the_due_second(ana):
    """A row has the message of its revision, whether it was entered before the edit or after it."""
    due = once_in(20)  # Time to create them all, also on a busy machine.
    made = [created(ana, message="one", trigger=due) for _ in range(24)]
    moment = at(made[0]["next_at"])

    def edit(number):
        time.sleep(max(0, moment + (number - 12) * 0.02 - time.time()))
        change = {"message": "two"} if number % 2 else {"paused": True}
        assert ana.request("PATCH", f"/automations/{made[number]['id']}", change).status == 200
    people.at_once(len(made), edit)
    last = created_due(ana, 2)
    people.until(lambda: rows(ana, last))
    for number, each in enumerate(made):
        found = rows(ana, each)
        if number % 2:
            [row] = found
            assert row["message"] == {1: "one", 2: "two"}[row["revision"]]
        else:
            assert len(found) <= 1
        for row in found:
            assert row["scheduled_for"] == each["next_at"] and ended(ana, row)["status"] == "completed"


def test_nothing_is_due_while_its_user_is_disabled(house, ana):
    owner = house.add("dora")
    dora = chats.Person(house, house.token_for(owner, scopes=SCOPES)["token"])
    made = created_due(dora, 8)  # It must not be due before.
    assert house.ask("PATCH", f"/users/{owner['id']}", house.admin, {"disabled": True}).status == 200
    later = created_due(ana, max(1, at(made["next_at"]) + 1 - time.time()))
    people.until(lambda: rows(ana, later))
    assert house.ask("PATCH", f"/users/{owner['id']}", house.admin, {"disabled": False}).status == 200
    after = created_due(dora, 2)
    people.until(lambda: rows(dora, after))
    assert rows(dora, made) == []
