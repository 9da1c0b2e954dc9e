"""The time zone database of a server: a newer one counts from the next start on, one that lacks a zone pauses its
automations, and operators are told if it is missing or old."""
import datetime
import json
import pathlib
import shutil
import time

import pytest

import chats
import people
import program
import wire
from automations import SETTINGS, automator, created, ended, rows, started
from people import at, faults

REAL = pathlib.Path("/usr/share/zoneinfo")
NEW = f"{datetime.date.today().year}a"
NINE = {"type": "schedule", "cron": "0 9 * * *", "time_zone": "Europe/Berlin"}


class Database:
    """A folder with some zones. Servers that are started with `environment` use it."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {"TZDIR": str(folder)}

    def write(self, version=NEW, **zones):
        """The zones by name (with __ for /), each with the name of the real zone whose rules it has."""
        shutil.rmtree(self.folder, ignore_errors=True)
        lines = [f"# version {version}"] if version else []
        for name, real in zones.items():
            name = name.replace("__", "/")
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(REAL / real, self.folder / name)
            lines.append(f"Z {name} 0 - %z")
        self.folder.mkdir(exist_ok=True)
        (self.folder / "tzdata.zi").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(name="database")
def zone_database(tmp_path):
    return Database(tmp_path / "zones")


@pytest.fixture(name="house")
def house_with_a_database(start, database, tmp_path):
    database.write(Europe__Berlin="Asia/Tokyo", UTC="UTC")

    def start_one(*arguments, **options):
        return start(*arguments, environment=database.environment, **options)
    return chats.LastingHouse(start_one, tmp_path / "data", SETTINGS)


@pytest.fixture(autouse=True)
def no_full_hour():
    """The automations of these tests are due at full hours: none must come during a test."""
    left = 3600 - time.time() % 3600
    if left < 45:
        time.sleep(left + 0.1)


def hour(text):
    return datetime.datetime.fromtimestamp(at(text), datetime.timezone.utc).hour


def test_a_newer_database_counts_from_the_next_start_on(house, database):
    ana = automator(house, "ana")
    made = created(ana, trigger=NINE)
    other = created(ana, trigger={**NINE, "time_zone": "UTC"})
    assert hour(made["next_at"]) == 0
    database.write(Europe__Berlin="Africa/Lagos", UTC="UTC")
    assert ana.get(f"/automations/{made['id']}") == made
    house.restart()
    path = f"/automations/{made['id']}"
    people.until(lambda: hour(ana.get(path)["next_at"]) == 8)
    assert ana.get(path) == made | {"next_at": ana.get(path)["next_at"]}, "nothing else has changed"
    [first] = ana.get(path + "/occurrences?limit=1")["data"]
    assert first["scheduled_for"] == ana.get(path)["next_at"]
    assert ana.get(f"/automations/{other['id']}") == other
    assert [event["type"] for event in ana.pages("/events", types="automation.*")] == ["automation.created"] * 2


def test_an_automation_whose_zone_is_gone_is_paused(house, database):
    ana = automator(house, "ana")
    made = created(ana, trigger=NINE, message="{{run.local_time}}")
    path = f"/automations/{made['id']}"
    database.write(UTC="UTC")
    house.restart()
    people.until(lambda: ana.get(path)["state"] == "paused")
    paused = ana.get(path)
    assert (paused["pause_reason"], paused["next_at"]) == ("time_zone", None)
    assert [event["data"]["id"] for event in ana.pages("/events", types="automation.paused")] == [made["id"]]
    assert faults(ana.request("PATCH", path, {"paused": False})) == [("#/trigger/time_zone", "unknown_time_zone")]
    run = ended(ana, started(ana, made))
    assert run["status"] == "completed" and run["message"] == run["scheduled_for"][11:16], "in UTC"
    for change in ({"paused": True}, {"name": "Other"}):
        changed = ana.request("PATCH", path, change).json()
        assert (changed["state"], changed["pause_reason"]) == ("paused", "time_zone")
        assert (changed["trigger"], changed["overlap"]) == (made["trigger"], "skip")
    resumed = ana.request("PATCH", path, {"paused": False, "trigger": {**NINE, "time_zone": "UTC"}}).json()
    assert resumed["state"] == "active" and hour(resumed["next_at"]) == 9
    assert [each["id"] for each in rows(ana, made)] == [run["id"]]
    assert ended(ana, started(ana, made))["status"] == "completed"


def ready(server):
    with wire.Connection(server.address) as connection:
        response = connection.ask("GET", "/readyz")
    assert response.status == 200, "schedules alone do not work, or late"
    return response.json()


def examined(database):
    told = program.run("doctor", "--json", "--listen", "127.0.0.1:0", "--set", "metrics.listen=off", "--data",
                       database.folder.parent / "none", env=program.clean_environment(**database.environment))
    assert told.returncode == 0, told
    [found] = [line for line in map(json.loads, told.stdout.splitlines()) if line["check"] == "time zones"]
    return found


def test_operators_are_told_of_an_old_database(start, database):
    database.write("2019c", UTC="UTC")
    told = ready(start(environment=database.environment))
    assert told["status"] == "ready" and len(told["warnings"]) == 1
    found = examined(database)
    assert "2019c" in told["warnings"][0] and found["finding"] == told["warnings"][0]
    assert found["verdict"] == "warn" and "tzdata" in found["advice"]
    database.write(UTC="UTC")
    assert examined(database) == {"check": "time zones", "verdict": "ok", "finding": "version " + NEW}


def test_operators_are_told_of_a_missing_database(start, database):
    database.write(None)
    server = start(environment=database.environment, settings=people.ROOMY)
    [warning] = ready(server)["warnings"]
    assert "no time zone database" in warning and examined(database)["finding"] == warning
    ana = automator(people.House(server).set_up(), "ana")
    assert faults(ana.request("POST", "/automations", {"name": "A", "message": "b", "trigger": NINE})) == [
        ("#/trigger/time_zone", "unknown_time_zone")]
    assert ended(ana, started(ana, created(ana)))["status"] == "completed", "all else works"
