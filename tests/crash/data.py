"""A data directory from outside: its content, the validity of its files, and changes of them."""
import contextlib
import datetime
import hashlib
import json
import pathlib
import shutil
import sqlite3
import tempfile

import wire

COLUMNS = ("id", "at_ms", "actor", "action", "target", "address", "request_id")


def token(directory):
    return (directory / "cli-token").read_text("utf-8").strip()


def ask(server, directory, method, target, body=None):
    """One request with the operator's token."""
    headers = {"Authorization": f"Bearer {token(directory)}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    with wire.Connection(server.address) as connection:
        return connection.ask(method, target, headers, b"" if body is None else
                              json.dumps(body).encode())


def leave_note(server, directory, text):
    return ask(server, directory, "POST", "/v1/api/audit", {"note": text})


def events_over_http(server, directory):
    """All events of a server, oldest first."""
    headers = {"Authorization": f"Bearer {token(directory)}"}
    newest_first = []
    target = "/v1/api/audit?limit=100"
    with wire.Connection(server.address) as connection:
        while target:
            page = connection.ask("GET", target, headers)
            assert page.status == 200, page
            listed = page.json()
            newest_first += listed["data"]
            target = listed["has_more"] and "/v1/api/audit?limit=100&after=" + listed["next_cursor"]
    return newest_first[::-1]


@contextlib.contextmanager
def copy_of_database(directory):
    """A connection to a copy of the files, so that reading changes nothing."""
    with tempfile.TemporaryDirectory() as place:
        for name in ("parley.db", "parley.db-wal"):
            if (directory / name).exists():
                shutil.copyfile(directory / name, pathlib.Path(place) / name)
        with contextlib.closing(sqlite3.connect(pathlib.Path(place) / "parley.db")) as database:
            yield database


def events_on_disk(directory):
    """All events in the files, oldest first, in the format of the API, after a check of the whole database.
    """
    with copy_of_database(directory) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = database.execute(f"SELECT {', '.join(COLUMNS)} FROM audit ORDER BY position")
        return [_as_on_the_wire(*row) for row in rows]


def _as_on_the_wire(name, at_ms, actor, action, target, address, request_id):
    at = datetime.datetime.fromtimestamp(at_ms // 1000, datetime.UTC)
    return {"object": "audit.event", "id": name, "actor": actor, "action": action, "target": target,
            "at": at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at_ms % 1000:03}Z", "address": address,
            "request_id": request_id}


def change(directory, statement, *values):
    """Changes the database of a stopped server, as another program would."""
    with contextlib.closing(sqlite3.connect(directory / "parley.db")) as database:
        with database:
            done = database.execute(statement, values)
            assert done.rowcount != 0, "nothing was changed"


def fingerprint(directory):
    """Every file with its mode and content, except for files that are not data: the lock, which names the
    last process, SQLite's index of its log (-shm), which is recreated at every start, and an empty log."""
    return {str(path.relative_to(directory)):
            (path.stat().st_mode, path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest())
            for path in sorted(directory.rglob("*"))
            if path.name != "lock" and not path.name.endswith(".db-shm")
            and not (path.name.endswith(".db-wal") and path.stat().st_size == 0)}
