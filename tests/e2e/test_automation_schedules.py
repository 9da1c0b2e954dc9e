"""Due times of schedules as previews show them: over clock changes, by the calendar, and what is refused."""
import datetime
import functools
import random
import time

import pytest

import chats
import people
import program
from automations import SETTINGS, automator
from people import at, faults, refused
from schedule import oracle

PATTERNS = 200
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Cairo",
         "Pacific/Chatham", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "America/Havana", "Asia/Beirut",
         "Africa/Casablanca", "Europe/Dublin", "America/Scoresbysund", "America/Nuuk", "Asia/Gaza", "EST5EDT",
         "UTC", "Etc/GMT+5", "Pacific/Kiritimati"]


@pytest.fixture(name="ana", scope="module")
def one_user():
    with chats.house(SETTINGS) as house:
        yield automator(house, "ana")


def preview(person, trigger, **fields):
    return person.request("POST", "/automations/preview", {
        "name": "P", "message": "hello", "trigger": {"type": "schedule", "time_zone": "UTC", **trigger}, **fields})


def times(person, cron, begin, count=100, zone="UTC", **more):
    """The occurrences strictly after a time."""
    response = preview(person, {"cron": cron, "time_zone": zone, **more}, count=count, **{"from": begin})
    assert response.status == 200, response.body
    return response.json()["occurrences"]


def seconds_of(ask):
    """Of the quickest of some tries: other programs may need the cores for a while."""
    took = []
    while len(took) < 50 and (not took or took[-1] >= 0.05):
        time.sleep(0.02 * min(len(took), 10))
        begun = time.perf_counter()
        ask()
        took.append(time.perf_counter() - begun)
    return min(took)


def days(occurrences):
    return [each["scheduled_for"][:10] for each in occurrences]


def test_a_time_that_comes_twice_fires_the_first_time(ana):
    found = times(ana, "30 2 * * *", "2027-10-30T12:00:00Z", 2, "Europe/Berlin")
    assert [(each["scheduled_for"], each["note"]) for each in found] == [
        ("2027-10-31T00:30:00.000Z", "first_of_two"), ("2027-11-01T01:30:00.000Z", None)]
    assert found[0]["local"] == "2027-10-31T02:30:00+02:00"


@pytest.mark.parametrize("day, begin, hours", [("2027-11-07", "2027-11-07T03:59:59Z", 25),
                                               ("2027-03-14", "2027-03-14T04:59:59Z", 23)])
def test_every_hour_follows_real_time(ana, day, begin, hours):
    found = [each for each in times(ana, "*/20 * * * *", begin, zone="America/New_York")
             if each["local"].startswith(day)]
    assert len(found) == hours * 3
    moments = [at(each["scheduled_for"]) for each in found]
    assert {after - before for before, after in zip(moments, moments[1:])} == {1200}


def test_random_patterns_are_as_an_oracle_says(ana):
    chance = random.Random(20270328)
    changes_of = functools.cache(lambda zone: list(oracle.changes_of(zone, 2027)))
    fired = noted = 0
    for number in range(PATTERNS):
        zone = ZONES[number % len(ZONES)]
        around = chance.choice(changes_of(zone) or [oracle.seconds(datetime.datetime(2027, 7, 1))])
        after = around - chance.randint(0, 50 * 3600)
        case = oracle.Case(zone, oracle.pattern_near(chance), 1, None, after + 60 * 86400, after, 100)
        ask = functools.partial(preview, ana, {"cron": case.cron, "time_zone": zone, "ends_at": text_of(case.ends_at)},
                                count=100, **{"from": text_of(after)})
        response = ask()
        assert program.IS_SANITIZED or seconds_of(ask) < 0.05, case
        right = [each.split(" ") for each in oracle.expected(case).split(",") if each]
        if response.status == 422:
            assert faults(response) == [("#/trigger/cron", "never_fires")] and not right, case
            continue
        found = response.json()["occurrences"]
        assert [[str(int(at(each["scheduled_for"]))), *([each["note"]] if each["note"] else [])]
                for each in found] == right, case
        fired += bool(right)
        noted += any(each["note"] for each in found)
    assert fired > PATTERNS // 3 and noted > PATTERNS // 50, "the oracle would agree with anything"


def text_of(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_patterns_are_as_a_calendar_says(ana):
    begin = "2027-01-01T00:00:00Z"
    assert days(times(ana, "0 9 L * *", begin, 4)) == ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]
    assert days(times(ana, "0 9 * * FRI#L", begin, 3)) == ["2027-01-29", "2027-02-26", "2027-03-26"]
    assert days(times(ana, "0 9 * * MON#1", begin, 3)) == ["2027-01-04", "2027-02-01", "2027-03-01"]
    assert days(times(ana, "0 0 29 2 *", begin, 2)) == ["2028-02-29", "2032-02-29"]
    assert days(times(ana, "0 0 29 2 *", "2096-03-01T00:00:00Z", 1)) == ["2104-02-29"]
    # From a Wednesday: of this week, and of every other one after it.
    fortnight = times(ana, "0 9 * * MON,WED", begin, 4, every_weeks=2, starts_at="2027-01-06T00:00:00Z")
    assert days(fortnight) == ["2027-01-06", "2027-01-18", "2027-01-20", "2027-02-01"]
    either = preview(ana, {"cron": "0 9 13 * FRI"}, count=4, **{"from": begin}).json()
    assert days(either["occurrences"]) == ["2027-01-01", "2027-01-08", "2027-01-13", "2027-01-15"]
    assert len(either["warnings"]) == 1


@pytest.mark.parametrize("cron, code", [
    *((each, "invalid_cron") for each in (
        "0 0 * * * *", "* * * *", "60 * * * *", "*/0 * * * *", "5-1 * * * *", "5/10 * * * *", "@daily",
        "0 24 * * *", "0 0 0 * *", "0 0 32 * *", "0 0 * 13 *", "0 0 * * 8", "0 0 ? * *", "0 0 15W * *",
        "0 0 * * FRI#6", "0 0 * * FOO", "-1 * * * *", "* * * * *\n", "１ * * * *")),
    ("", "too_short"), ("0 0 30 2 *", "never_fires"), ("0 0 31 4,6,9,11 *", "never_fires")])
def test_patterns_that_are_refused(ana, cron, code):
    for response in (preview(ana, {"cron": cron}), create(ana, {"cron": cron})):
        assert ("#/trigger/cron", code) in faults(response)


@pytest.mark.parametrize("zone", ["Berlin", "+01:00", "localtime", "libc:localtime", "Fixed/UTC+01:00:00",
                                  "../../etc/passwd", "Europe/berlin", "Factory", "posixrules",
                                  "posix/Europe/Berlin", "right/UTC", "/usr/share/zoneinfo/UTC", "UTC\0", "Europe",
                                  ""])
def test_time_zones_that_are_refused(ana, zone):
    for response in (preview(ana, {"cron": "0 9 * * *", "time_zone": zone}),
                     create(ana, {"cron": "0 9 * * *", "time_zone": zone})):
        assert faults(response) == [("#/trigger/time_zone", "unknown_time_zone" if zone else "too_short")]


def test_a_time_zone_is_required(ana):
    response = ana.request("POST", "/automations", {"name": "P", "message": "hello",
                                                    "trigger": {"type": "schedule", "cron": "0 9 * * *"}})
    assert faults(response) == [("#/trigger/time_zone", "required")]


def create(person, trigger):
    return person.request("POST", "/automations", {
        "name": "P", "message": "hello", "trigger": {"type": "schedule", "time_zone": "UTC", **trigger}})


def test_the_next_times_of_an_automation(ana):
    made = create(ana, {"cron": "0 9 * * *"}).json()
    listed = people.until(lambda: ana.get(f"/automations/{made['id']}/occurrences?limit=3"))["data"]
    assert listed[0]["scheduled_for"] == made["next_at"] and len(listed) == 3
    later = ana.get(f"/automations/{made['id']}/occurrences?limit=1&from={listed[0]['scheduled_for']}")["data"]
    assert later == [listed[1]], "strictly after"


def test_the_next_times_have_pages(ana):
    made, other = [create(ana, {"cron": "0 9 * * *", "ends_at": "2031-01-01T00:00:00Z"}).json() for _ in range(2)]
    path, begin = f"/automations/{made['id']}/occurrences", "2030-12-01T00:00:00Z"
    whole = ana.get(f"{path}?from={begin}&limit=100")
    assert days(whole["data"]) == [f"2030-12-{day:02}" for day in range(1, 32)]
    assert (whole["has_more"], whole["next_cursor"]) == (False, None)
    for limit in (1, 7, 30, 31):
        assert ana.pages(path, limit, **{"from": begin}) == whole["data"]
    first = ana.request("GET", f"{path}?from={begin}")
    assert len(first.json()["data"]) == 20 and first.json()["has_more"] and 'rel="next"' in first.header("link")
    cursor = first.json()["next_cursor"]
    for wrong in (f"/automations/{other['id']}/occurrences?from={begin}&after={cursor}", f"{path}?after={cursor}",
                  f"{path}?after=x"):
        refused(ana.request("GET", wrong), 400, "invalid_cursor")
    [fault] = refused(ana.request("GET", f"{path}?from=soon"), 422, "validation_failed", "errors")["errors"]
    assert (fault["parameter"], fault["code"]) == ("from", "wrong_format")
