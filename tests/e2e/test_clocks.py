"""A wall clock that is set while the server runs: expiry uses the time since boot, so that nothing expired
comes back and nothing valid is lost."""
import datetime

import automations
import chats
import hooks
import people
from people import refused


def from_now(seconds):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def opened(start, clock, directory, settings=None):
    return people.House(start("--data", directory, settings=settings or people.ROOMY,
                              environment=clock.environment))


def set_back_one_hour(clock, house):
    clock(hours=-1)
    people.until(lambda: people.at(house.ask("POST", "/audit", house.command_line, {
        "note": "set back"}).json()["at"]) < datetime.datetime.now().timestamp() - 3000)


def test_a_clock_that_is_set_back_revives_nothing(start, clock, tmp_path):
    house = opened(start, clock, tmp_path / "data").set_up()
    short = house.make_token(house.admin, expires_at=from_now(6))["token"]
    lasting = house.make_token(house.admin, expires_at=from_now(1800), scopes=["account"])["token"]
    people.until(lambda: not house.works(short))
    set_back_one_hour(clock, house)
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


def test_a_clock_that_is_set_back_revives_no_replaced_secret_of_a_hook(start, clock, tmp_path):
    house = opened(start, clock, tmp_path / "data", chats.ROOMY).set_up()
    ana = chats.Person(house, house.make_token(house.admin, scopes=automations.SCOPES)["token"])
    made = hooks.created(ana)
    path = f"/automations/{made['id']}"

    def rotate(overlap):
        return ana.request("POST", path + "/hook/rotate", {"overlap_s": overlap}).json()["hook"]["secret"]

    def until():
        return ana.get(path)["hook"]["old_secret_until"]
    second = rotate(5)
    people.until(lambda: until() is None)
    assert hooks.call(house, made).status == 401
    set_back_one_hour(clock, house)
    assert hooks.call(house, made).status == 401 and until() is None
    assert hooks.call(house, made, secret=second).status == 202
    third = rotate(600)
    assert until() is not None, "an overlap that begins now lasts as long as it should"
    for secret in (second, third):
        assert hooks.call(house, made, secret=secret).status == 202
    assert hooks.call(house, made).status == 401


def test_a_clock_that_jumps_ahead_removes_no_backup(start, clock, tmp_path):
    directory = tmp_path / "data"
    house = opened(start, clock, directory).set_up()

    def backup():
        response = house.ask("POST", "/backups", house.command_line)
        assert response.status == 200, response.body
        return response.json()["file"]
    made = [backup()]
    clock(days=30)
    made.append(backup())
    house.server.stop()
    house = opened(start, clock, directory)
    made.append(backup())
    assert all((directory / name).exists() for name in made)
