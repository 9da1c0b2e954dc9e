"""A wall clock that is set while the server runs: expiry uses the time since boot, so that nothing expired
comes back and nothing valid is lost."""
import datetime
import os
import shutil
import subprocess

import pytest

import people
import program
from people import refused


@pytest.fixture(name="clock")
def wall_clock(tmp_path):
    """Shifts the wall clock of servers that are started with it, also while they run, by seconds."""
    compiler = next(filter(None, map(shutil.which, ("clang-19", "clang", "cc"))))
    library = tmp_path / "wall_clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library,
                    program.ROOT / "tests/wall_clock.c"], check=True)
    file = tmp_path / "offset"

    def set_off(**by):
        written = tmp_path / "offset.new"
        seconds = int(datetime.timedelta(**by).total_seconds())
        written.write_text(f"{seconds}\n", encoding="utf-8")
        os.replace(written, file)
    set_off()
    set_off.environment = {"LD_PRELOAD": str(library), "WALL_CLOCK_OFFSET": str(file)}
    return set_off


def from_now(seconds):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def opened(start, clock, directory):
    return people.House(start("--data", directory, settings=people.ROOMY,
                              environment=clock.environment))


def test_a_clock_that_is_set_back_revives_nothing(start, clock, tmp_path):
    house = opened(start, clock, tmp_path / "data").set_up()
    short = house.make_token(house.admin, expires_at=from_now(3))["token"]
    lasting = house.make_token(house.admin, expires_at=from_now(1800), scopes=["account"])["token"]
    people.until(lambda: not house.works(short))
    clock(hours=-1)
    people.until(lambda: people.at(house.ask("POST", "/audit", house.command_line, {
        "note": "set back"}).json()["at"]) < datetime.datetime.now().timestamp() - 3000)
    assert not house.works(short) and house.works(lasting)
    answer = house.ask("POST", "/tokens", house.admin, {"name": "n", "expires_at": from_now(-60)})
    assert people.faults(answer) == [("#/expires_at", "in_the_past")]
    house.server.stop()
    again = opened(start, clock, tmp_path / "data")
    assert not again.works(short) and again.works(lasting), "the next server of this boot knows it"


def test_a_clock_that_jumps_ahead_ends_nothing(start, clock, tmp_path):
    house = opened(start, clock, tmp_path / "data").set_up()
    token = house.make_token(house.admin, expires_at=from_now(3600), scopes=["account"])["token"]
    key = {"Idempotency-Key": "kept"}
    made = house.ask("POST", "/chat/sessions", house.admin, {}, key).json()
    clock(days=30)
    assert house.works(token) and house.works(house.admin)
    house.login("olga")  # Each login removes expired rows, if it may.
    assert house.refresh(house.operator["refresh_token"]).status == 200
    again = house.ask("POST", "/chat/sessions", house.admin, {}, key)
    assert again.header("idempotency-replayed") == "true" and again.json()["id"] == made["id"]
    house.server.stop()
    house = opened(start, clock, tmp_path / "data")
    assert house.works(token), "nor for the next server of this boot"
    clock()
    assert house.works(token)
    refused(house.ask("GET", "/me", people.invented_token()), 401, "invalid_token")
