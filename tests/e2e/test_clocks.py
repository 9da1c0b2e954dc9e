"""A wall clock that is set while the server runs: expiry uses the time since boot, so that nothing expired
comes back and nothing valid is lost."""
import datetime

import people
from people import refused


def from_now(seconds):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def opened(start, clock, directory):
    return people.House(start("--data", directory, settings=people.ROOMY,
                              environment=clock.environment))


def test_a_clock_that_is_set_back_revives_nothing(start, clock, tmp_path):
    house = opened(start, clock, tmp_path / "data").set_up()
    short = house.make_token(house.admin, expires_at=from_now(6))["token"]
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
