"""Backups of a store under load: each shows the state of one moment."""
import collections
import contextlib
import os
import sqlite3
import time

import crashes
import data
import ledger
import program

CLIENTS = 64


class Following:
    """Reads the ledger while the clients write it."""

    def __init__(self, file):
        self._file = open(file, "rb")

    def wait_for(self, more):
        """Waits until they have recorded this many more answers."""
        self._file.seek(0, os.SEEK_END)
        deadline = time.monotonic() + program.PATIENCE
        while more > 0:
            assert time.monotonic() < deadline, "the load does not come forward"
            read = self._file.read(100_000)
            more -= read.count(b"\n")
            if not read:
                time.sleep(0.01)  # So that the load has the cores.

    def close(self):
        self._file.close()


def check_copy(events, entries, began, ended):
    """All notes that were acknowledged before the backup began are there, none that was sent after its end,
    and for each client a prefix of its notes."""
    stored = {event["id"]: event for event in events}
    for entry in ledger.acknowledged(entries):
        if entry.at < began:
            assert stored.get(entry.event["id"]) == entry.event, f"lost: {entry}"
    notes = {event["target"] for event in events if event["action"] == "note"}
    of_client = collections.defaultdict(list)
    for entry in entries:
        of_client[ledger.who_wrote(entry.note)[0]].append(entry)
    for client, sent in of_client.items():
        there = [entry.note in notes for entry in sent]
        assert there == sorted(there, reverse=True), f"client {client}: a hole in {there}"
    assert notes <= {entry.note for entry in entries}
    assert entries[-1].at > ended and entries[-1].note not in notes, "the load went on"


def test_a_backup_while_clients_write_is_of_one_moment(start, tmp_path):
    life = crashes.Life(start, tmp_path)
    server = life.start()
    taken = []  # (file, time of the request, time of completion).
    with crashes.Clients() as clients, contextlib.closing(Following(life.ledger)) as answers:
        clients.begin(server, life.directory, life.ledger, CLIENTS, seed="backup")
        for number in range(crashes.how_often(2, 10)):
            answers.wait_for(500)
            began = time.monotonic()
            if number % 2 == 0:
                answer = data.ask(server, life.directory, "POST", "/v1/api/backups")
                assert answer.status == 200, answer
                file = life.directory / answer.json()["file"]
            else:
                file = tmp_path / f"backup {number}.db"
                made = program.run("backup", file, "--data", life.directory, "--json")
                assert made.returncode == 0, made
            taken.append((file, began, time.monotonic()))
        answers.wait_for(500)
        clients.stop()
        result = clients.result()
    server.stop()
    assert result["acknowledged"] == result["sent"]
    entries = ledger.read(life.ledger)
    ledger.compare(entries, data.events_on_disk(life.directory))
    for number, (file, began, ended) in enumerate(taken):
        with contextlib.closing(sqlite3.connect(file)) as copy:
            assert copy.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        restored = tmp_path / f"restored {number}"
        done = program.run("restore", file, "--data", restored, "--json")
        assert done.returncode == 0, done
        check_copy(data.events_on_disk(restored), entries, began, ended)
    last = start("--data", restored, settings=crashes.settings())
    check_copy(data.events_over_http(last, restored), entries, began, ended)
    print(f"{len(taken)} backups while {CLIENTS} clients left {len(entries)} notes")
