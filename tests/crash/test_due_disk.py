"""Automations that are due while the disk is full: each due time is entered once when there is room, late or by
the rule for missed times."""
import contextlib
import time

import chats
import crashes
import people
import pytest
from automations import automator, created, created_due, ended, every_ten_minutes, in_seconds, rows
from people import at, refused
from test_disk_faults import only_test_builds, small_room

AT_ONCE = 5  # Automations that are due in the same second.
SETTINGS = {**crashes.settings(), "limits.chat": 100, "limits.general": 500, "limits.automation": 100,
            "store.min_free_mib": 0}


class Disk:
    """A server whose disk can be filled, by the test build or in fact."""

    def __init__(self, start, directory, clock, fill=None):
        def start_one(*arguments, **options):
            return start(*arguments, environment=clock.environment, **options)
        self.house = chats.LastingHouse(start_one, directory, SETTINGS)
        self.person = automator(self.house, "ana")
        self._spare = created(self.person)
        self._fill = fill or self._break

    @contextlib.contextmanager
    def _break(self):
        crashes.break_disk(self.house.server, fault="disk_full")
        yield
        crashes.break_disk(self.house.server, fault="none")

    @contextlib.contextmanager
    def full(self):
        """Also the log of the database has no room left then, which is reused in its size."""
        with self._fill():
            while self.person.request("POST", "/chat/sessions", {"instructions": "x" * 60_000}).status != 503:
                pass
            while any(answer.status != 503 for answer in small_changes(self.person, self._spare)):
                pass
            yield


@pytest.fixture(name="disk", params=[pytest.param("test build", marks=only_test_builds), "full"])
def disk_that_can_be_full(request, start, clock, tmp_path):
    if request.param == "test build":
        return Disk(start, tmp_path / "data", clock)
    place = request.getfixturevalue("small_disk")
    return Disk(start, place / "data", clock, lambda: small_room(place, left=0))


def small_changes(person, automation):
    """The responses to them."""
    path = f"/automations/{automation['id']}"
    return [person.request(*each) for each in (
        ("POST", "/chat/query", {"message": "not now"}), ("POST", "/chat/sessions", {}),
        ("POST", "/automations", {"name": "n", "message": "m"}), ("POST", path + "/runs", {}),
        ("PATCH", path, {"name": "another"}), ("PATCH", "/me", {"display_name": "Ana"}))]


def check_refusals(person, made):
    """Reading goes on."""
    for response in small_changes(person, made):
        refused(response, 503, "storage_unavailable")
        assert int(response.header("retry-after")) >= 1
    assert person.get("/chat/sessions")["data"]
    assert person.get(f"/automations/{made['id']}") == made
    assert rows(person, made) == []


@contextlib.contextmanager
def full_when_due(disk):
    """Some automations; more time if the disk was not full before they were due."""
    for seconds in (10, 30, 60, 180):
        due = {"type": "schedule", "at": in_seconds(seconds), "time_zone": "UTC"}
        made = [created(disk.person, message="one two three", trigger=due) for _ in range(AT_ONCE)]
        with disk.full():
            if time.time() < at(made[0]["next_at"]):
                yield made
                return
    raise AssertionError("the disk was never full in time")


def ids(entries):
    return [each["id"] for each in entries]


def events_of(person, row):
    return [event["type"] for event in person.pages("/events", types="automation.run.*")
            if event["data"]["id"] == row["id"]]


def check_run(person, row):
    """It asked one question, and ended once."""
    row = ended(person, row)
    assert row["status"] == "completed" and len(row["attempts"]) == 1, row
    assert len(person.messages(row["session_id"])) == 2
    assert events_of(person, row) == ["automation.run.queued", "automation.run.completed"]
    return row


def test_what_is_due_on_a_full_disk_is_entered_late_and_once(disk):
    ana = disk.person
    ana.ask("before")
    with full_when_due(disk) as made:
        while time.time() < at(made[0]["next_at"]) + 2.5:
            check_refusals(ana, made[0])
            time.sleep(0.2)
    done = []
    for each in made:
        people.until(lambda each=each: rows(ana, each))
        [row] = rows(ana, each)
        assert row["scheduled_for"] == each["next_at"]
        assert at(row["created_at"]) > at(each["next_at"]) + 2
        done.append(check_run(ana, row))
        assert ana.get(f"/automations/{each['id']}")["state"] == "ended"
    next_one = created_due(ana, 2)
    people.until(lambda: rows(ana, next_one))
    disk.house.kill()
    disk.house.come_back()
    check_run(ana, rows(ana, next_one)[0])
    assert [ids(rows(ana, each)) for each in made] == [[row["id"]] for row in done]


def test_what_is_missed_on_a_full_disk_is_caught_up_with_as_configured(disk, clock):
    ana = disk.person
    ana.ask("before")
    made = {rule: created(ana, message="one two three", overlap="queue", catch_up=rule, trigger=every_ten_minutes())
            for rule in ("none", "latest", "all")}
    first = at(made["none"]["next_at"])
    with disk.full():
        clock(minutes=50)  # Over five due times; the next one is in about five minutes.
        until = time.monotonic() + 2.5
        while time.monotonic() < until:
            check_refusals(ana, made["all"])
            time.sleep(0.2)
    found = {rule: people.until(lambda each=each: rows(ana, each))[::-1] for rule, each in made.items()}
    for rule, missed in (("none", 5), ("latest", 4), ("all", 0)):
        assert [at(row["scheduled_for"]) for row in found[rule]] == [first + 600 * number for number in range(5)]
        assert {row["status"] for row in found[rule][:missed]} <= {"missed"}
        for row in found[rule][:missed]:
            assert events_of(ana, row) == ["automation.run.missed"]
        done = [check_run(ana, row) for row in found[rule][missed:]]
        assert [row["started_at"] for row in done] == sorted(row["started_at"] for row in done)
    clock()  # Back: nothing is due again.
    time.sleep(2.5)
    for rule, each in made.items():
        assert ids(rows(ana, each)[::-1]) == ids(found[rule])
