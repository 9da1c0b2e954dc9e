"""Data directories of earlier versions as text: SQL, and the small files beside the database. A recording also has
what the server said about its data, and the secrets of it.

To record the data of the present program, before a release:
    PYTHONPATH=tests $(tools/venv)/python tests/upgrade/recorded.py tests/upgrade/VERSION.sql"""
import base64
import contextlib
import json
import pathlib
import sqlite3
import sys
import tempfile

import automations
import chats
import hooks
import people
import program
import totp
import upstreams

FILES = ("client-token",)  # The others follow from the database, or from the start.
SETTINGS = {"model.default": "scripted"}
IMAGE = b"\x89PNG\r\n\x1a\nof an earlier version"
# Every kind of data that a user sees. {} is the id of each entry of the list before it.
PATHS = ("/me", "/tokens", "/chat/sessions?limit=100", "/chat/sessions/{}/messages?limit=100", "/chat/runs?limit=100",
         "/automations", "/automations/{}/runs", "/webhooks", "/me/usage", "/events?limit=100")


def asked(house, token):
    """What the server says: [(path, response), …]."""
    said, ids = [], []
    for path in PATHS:
        for name in ids if "{}" in path else [""]:
            one = path.replace("{}", name)
            said.append((one, house.get(one, token)))
        if "{}" not in path:
            ids = [entry["id"] for entry in said[-1][1].get("data", []) if "id" in entry]
    return said


def protect(house, name):
    """A user with a second factor: (key of the app, a recovery code)."""
    login = house.add_and_login(name)["access_token"]
    key = house.ask("POST", "/me/totp", login, {"password": people.password_of(name)}).json()["secret"]
    confirmed = house.ask("POST", "/me/totp/confirm", login, {"code": totp.App(key).code()})
    assert confirmed.status == 200, confirmed.body
    return key, confirmed.json()["recovery_codes"][0]


def fill(house):
    """Gives a token of a user who has some of everything, and the secrets of what was made."""
    ana = chats.Person(house, house.token_for(house.add("ana", display_name="Ana Ünal"), scopes=[
        "chat:read", "chat:write", "account", "automation:read", "automation:write"])["token"])
    first = ana.ask("Why is the sky blue?\n'--; \u2028 \U0001f600")
    ana.ask("{words:200}", session_id=first["session_id"])
    ana.ask("Again, please", parent_message_id=first["message"]["id"])
    ana.query("{words:9} {fail_after:3}")
    kept = ana.ask("A second session", metadata={"k": "v"})["session_id"]
    assert ana.request("PATCH", f"/chat/sessions/{kept}", {"title": "Kept", "keep": True}).status == 200
    daily = automations.created(ana, name="daily")
    automations.ended(ana, automations.started(ana, daily))
    made = ana.request("POST", "/webhooks", {"url": "https://example.com/hear", "event_types": ["automation.*"]})
    assert made.status == 201, made.body
    disabled = ana.request("PATCH", f"/webhooks/{made.json()['id']}", {"state": "disabled"})
    assert disabled.status == 200, disabled.body
    hooked = hooks.created(ana, name="hooked", message="Called: {{run.key}}")
    assert hooks.call(house, hooked, {}, {"Idempotency-Key": "first", "Prefer": "wait=30"}).status == 200
    image = {"type": "image", "url": "data:image/png;base64," + base64.b64encode(IMAGE).decode()}
    asked_with = ana.ask([{"type": "text", "text": "What is this?"}, image], model="ok")
    key, recovery_code = protect(house, "bo")
    return ana.token, {"hook": hooked["hook"], "totp": key, "recovery_code": recovery_code,
                       "image": asked_with["user_message"]["content"][1]}


def statements_of(database):
    """Tables and their rows, then the rest; a virtual table, such as an index of words, keeps its rows in others."""
    yield "BEGIN"
    yield "PRAGMA writable_schema = ON"
    schema = database.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type <> 'table'").fetchall()
    for kind, name, sql in schema:
        if sql.startswith("CREATE VIRTUAL TABLE"):
            quoted = sql.replace("'", "''")
            yield f"INSERT INTO sqlite_schema VALUES ('{kind}', '{name}', '{name}', 0, '{quoted}')"
            continue
        if not name.startswith("sqlite_"):
            yield sql
        if kind == "table":
            columns = [row[1] for row in database.execute(f"PRAGMA table_info('{name}')")]
            values = " || ', ' || ".join(f'quote("{column}")' for column in columns)
            for row, in database.execute(f"SELECT {values} FROM '{name}'"):
                yield f"INSERT INTO '{name}' VALUES ({row})"
    yield "PRAGMA writable_schema = OFF"
    yield "COMMIT"


def record(file):
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data"
        with upstreams.mock() as mock, people.house("--data", str(data), settings={
                **SETTINGS, **upstreams.settings_of(mock, upstreams.write_key(pathlib.Path(folder)), "ok")}) as house:
            token, secrets = fill(house)
            said = asked(house, token)
        version = program.run("--version").stdout.strip()
        with contextlib.closing(sqlite3.connect(data / "parley.db")) as database, open(file, "w", encoding="utf-8") as out:
            out.write(f"-- A data directory of {version}\n-- token {token}\n-- secrets {json.dumps(secrets)}\n")
            for name in FILES:
                out.write(f"-- file {name} {(data / name).read_bytes().hex()}\n")
            for path, response in said:
                out.write(f"-- said {path} {json.dumps(response)}\n")
            for pragma in ("application_id", "user_version"):
                out.write(f"PRAGMA {pragma} = {database.execute(f'PRAGMA {pragma}').fetchone()[0]};\n")
            out.writelines(line + ";\n" for line in statements_of(database))


def make(file, data):
    """Makes a data directory of a recording; gives the token, the secrets and [(path, response), …]."""
    token, secrets, said, sql = "", {}, [], []
    data.mkdir(mode=0o700)
    for line in file.read_text(encoding="utf-8").split("\n"):
        kind, _, rest = line.removeprefix("-- ").partition(" ")
        if not line.startswith("-- ") or sql and not sql[-1].endswith(";"):
            sql.append(line)
        elif kind == "token":
            token = rest
        elif kind == "secrets":
            secrets = json.loads(rest)
        elif kind == "file":
            name, _, content = rest.partition(" ")
            (data / name).write_bytes(bytes.fromhex(content))
            (data / name).chmod(0o600)
        elif kind == "said":
            path, _, response = rest.partition(" ")
            said.append((path, json.loads(response)))
    with contextlib.closing(sqlite3.connect(data / "parley.db")) as database:
        database.executescript("\n".join(sql))
    (data / "parley.db").chmod(0o600)
    return token, secrets, said


if __name__ == "__main__":
    record(sys.argv[1])
