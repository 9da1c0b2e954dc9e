"""Data of earlier versions: the present program opens it, says the same about it, and goes on with it."""
import contextlib
import hashlib
import pathlib
import sqlite3

import pytest

import chats
import hooks
import people
import program
import recorded
import totp

FILES = sorted(pathlib.Path(__file__).parent.glob("*.sql"))
MOMENTARY = {"last_used_at", "request_id"}  # They change by asking.


def check_same(now, before, path):
    """Later versions may say more, but nothing else."""
    if isinstance(before, dict):
        for name in before.keys() - MOMENTARY:
            check_same(now[name], before[name], f"{path}.{name}")
    elif isinstance(before, list):
        assert len(now) == len(before), path
        for number, entry in enumerate(before):
            check_same(now[number], entry, f"{path}[{number}]")
    else:
        assert now == before, path


def check_secrets(house, token, secrets):
    """What is sealed or found by a hash still works."""
    called = hooks.call(house, {"hook": secrets["hook"]}, {}, {"Idempotency-Key": "first"})
    assert called.status == 200, "the same run: " + called.body.decode()
    assert hooks.call(house, {"hook": secrets["hook"]}, {}, {"Idempotency-Key": "second"}).status == 202
    people.refused(house.try_login("bo"), 401, "second_factor_required")
    assert house.login("bo", code=totp.App(secrets["totp"]).code())["user"]["username"] == "bo"
    assert house.login("bo", code=secrets["recovery_code"])["user"]["username"] == "bo"
    image = house.ask("GET", secrets["image"]["url"].removeprefix("/v1/api"), token)
    assert hashlib.sha256(image.body).hexdigest() == secrets["image"]["sha256"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_data_of_an_earlier_version(file, start, tmp_path):
    assert file.stat().st_size <= 200_000
    token, secrets, said = recorded.make(file, tmp_path / "data")
    assert len(said) > 10
    house = people.House(start("--data", str(tmp_path / "data"), settings=recorded.SETTINGS))
    for path, before in said:
        if path.startswith("/events"):  # Some follow the start.
            continue
        asked = path
        if path == "/me/usage":  # Without dates it shows the last 30 days.
            asked += f"?from={before['data'][-1]['date']}&to={before['data'][0]['date']}"
        check_same(house.get(asked, token), before, path)
    assert house.login("ana")["user"]["username"] == "ana"
    assert house.login("olga")["user"]["role"] == "operator"
    ana = chats.Person(house, token)
    session = next(entry["id"] for path, page in said if path.startswith("/chat/sessions?") for entry in page["data"])
    assert chats.text_of(ana.ask("Still there?", session_id=session)["message"]) == "Still there?"
    if secrets:
        check_secrets(house, token, secrets)
    house.server.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "data/parley.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    checked = program.run("doctor", "--data", str(tmp_path / "data"))
    assert "schema" not in checked.stderr, checked.stderr


def test_there_is_a_recording():
    assert FILES
