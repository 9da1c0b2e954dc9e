#!/usr/bin/env python3
"""Questions of many clients, each stored and synced with its answer before the response; compared with a bare SQLite
program that runs the same statements in batches of the same sizes, in a copy of the same database:

    bench/durable_questions.py [--rounds 5] [--seconds 3] [--clients 64] [--users 32]

They take turns on the same disk. Each question begins a session; its answer is one word of the scripted model. The server
shares the machine with the load generator (wrk), the bare program has it alone. The statements of the bare program are
those that store the newest question of the server, with other names and numbers."""
import argparse
import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

import house
import question_load
import results
from contenders import ROOT, Parley, free_port, missing_tools, version_of
from durable_operations import PEER, Batches

ROW = "B9/questions"
FIRST = 1_000_000_000  # Positions of the bare program begin beyond all others.
POSITION, ASKED, ANSWERED = f"{FIRST}+?1", f"{FIRST}+2*?1", f"{FIRST}+2*?1+1"
SESSION, QUESTION, ANSWER, RUN = "'ses_'||?3", "'msg_q'||?3", "'msg_a'||?3", "'run_'||?3"


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''").replace("\n", " ") + "'"
    return str(value)


class Example:
    """The rows of the newest question that has been answered."""

    def __init__(self, database):
        self._database = database
        database.row_factory = sqlite3.Row
        self.run, = self._rows("SELECT * FROM runs WHERE status = 'completed' ORDER BY position DESC LIMIT 1")
        self.session, = self._rows("SELECT * FROM sessions WHERE position = ?", self.run["session"])
        self.branch, = self._rows("SELECT * FROM branches WHERE session = ?", self.run["session"])
        self.question, self.answer = self._rows("SELECT * FROM messages WHERE session = ? ORDER BY depth",
                                                self.run["session"])
        self.frames, = self._rows("SELECT * FROM frames WHERE run = ?", self.run["position"])
        self.events = self._rows("SELECT * FROM events WHERE owner = ? AND (subject = ? OR subject = ?) ORDER BY number",
                                 self.run["owner"], self.session["id"], self.run["id"])
        if len(self.events) != 3:
            raise RuntimeError(f"a question has {len(self.events)} events instead of 3")

    def _rows(self, sql, *values):
        return [dict(row) for row in self._database.execute(sql, values)]


def insert(table, row, **changes):
    """The statement that adds such a row, with expressions for some columns."""
    missing = set(changes) - set(row)
    if missing:
        raise RuntimeError(f"{table} has no column {missing}")
    values = {name: changes.get(name, literal(value)) for name, value in row.items()}
    return f"INSERT INTO {table} ({', '.join(map(literal_name, values))}) VALUES ({', '.join(values.values())})"


def literal_name(column):
    return f'"{column}"'


def event(row, number):
    about_session = row["subject"].startswith("ses_")
    return insert("events", row, number=f"{FIRST}+3*?1+{number}", id=f"'evt_{number}'||?3", at_ms="?2",
                  subject=SESSION if about_session else RUN,
                  session=SESSION if row["session"] else "''")


def take_numbers(row, count):
    return f"UPDATE event_heads SET last_number = last_number + {count} WHERE owner = {row['owner']}"


def statements(example):
    """Those of a question, and those of its answer."""
    run = example.run
    begin = [
        insert("sessions", example.session, position=POSITION, id=SESSION, activity=POSITION, message_count="1",
               newest_message=QUESTION, created_ms="?2", updated_ms="?2", last_message_ms="?2"),
        insert("branches", example.branch, branch=POSITION, session=POSITION),
        insert("messages", example.question, position=ASKED, id=QUESTION, session=POSITION, branch=POSITION,
               created_ms="?2"),
        insert("runs", run, position=POSITION, id=RUN, session=POSITION, question=ASKED, answer=ANSWER,
               status="'running'", created_ms="?2", started_ms="?2", completed_ms="NULL", kept_since_ms="NULL",
               frames_kept="0"),
        take_numbers(run, 2), event(example.events[0], 0), event(example.events[1], 1)]
    end = [
        insert("messages", example.answer, position=ANSWERED, id=ANSWER, session=POSITION, branch=POSITION,
               parent=ASKED, run=RUN, created_ms="?2"),
        "UPDATE runs SET status = 'completed', completed_ms = ?2, kept_since_ms = ?2, frames_kept = 1,"
        f" last_number = {run['last_number']} WHERE position = {POSITION}",
        insert("frames", example.frames, run=POSITION),
        f"UPDATE sessions SET activity = {POSITION}, message_count = message_count + 1, newest_message = {ANSWER},"
        f" last_message_ms = ?2, updated_ms = ?2, revision = revision + 1 WHERE position = {POSITION}",
        "UPDATE token_usage SET requests = requests + 1, input_tokens = input_tokens + 1,"
        f" output_tokens = output_tokens + 1 WHERE user = {literal(example.session['user'])}"
        f" AND test = 0 AND model = {literal(run['model'])}",
        take_numbers(run, 1), event(example.events[2], 2)]
    return begin, end


class RawSqlite:
    """The bare program, and its copy of the database."""

    def __init__(self, database, folder):
        name = "bench_durable_raw_questions"
        subprocess.run([ROOT / "tools/build", "release", name], check=True, stdout=subprocess.DEVNULL)
        self.program = ROOT / "build/release" / name
        self._copy, self._statements, self._first = folder / "raw.db", folder / "statements", 0
        with contextlib.closing(sqlite3.connect(database)) as source, contextlib.closing(
                sqlite3.connect(self._copy)) as copy:
            source.backup(copy)
            begin, end = statements(Example(copy))
            self._statements.write_text("\n".join([*begin, "--", *end]) + "\n", "utf-8")

    def measure(self, sizes, seconds):
        said = subprocess.run(
            [self.program, self._copy, str(seconds), str(self._first), self._statements], text=True, check=True,
            input="\n".join(map(str, sizes)), stdout=subprocess.PIPE).stdout
        result = json.loads(said)
        self._first = result["next"]
        return result


def measure_parley(port, script, metrics, options):
    """Questions per second, and the sizes of the commits."""
    batches = Batches(metrics)
    begun = time.monotonic()
    count = question_load.ask([port], script, options.clients, options.seconds)
    return count / (time.monotonic() - begun), batches.sizes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--users", type=int, default=32)
    parser.add_argument("--folder", help="on the disk to be measured; a temporary one by default")
    options = parser.parse_args()
    lacking = missing_tools("wrk", "clang++-19")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup build bench)")
    metrics = f"127.0.0.1:{free_port()}"
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-bench-", dir=options.folder))
    try:
        with house.House(options.folder, [f"metrics.listen={metrics}"]) as home:
            metrics = f"http://{metrics}/metrics"
            script = question_load.write_script(folder / "ask.lua", home.tokens(options.users))
            question_load.ask([home.server.port], script, options.clients, 1)  # Warm-up.
            raw = RawSqlite(home.server.data / "parley.db", folder)
            results.used("wrk", version_of("wrk"))
            results.used(home.server.name, Parley.version(), home.server.command)
            for number in range(options.rounds):
                rate, sizes = measure_parley(home.server.port, script, metrics, options)
                theirs = raw.measure(sizes, options.seconds)
                its_rate = theirs["questions"] / theirs["seconds"]
                print(f"  {number + 1}. parley {rate:7,.0f}/s   raw SQLite {its_rate:7,.0f}/s, "
                      f"{theirs['cpu'] / theirs['questions'] * 1e6:.0f} µs CPU each   "
                      f"batches of {sum(sizes) / len(sizes):.1f} changes", flush=True)
                results.record(ROW, home.server.name, rate, number)
                results.record(ROW, PEER, its_rate, number)
            results.used(PEER, theirs["sqlite"], raw.program)
    finally:
        shutil.rmtree(folder)
    sys.exit(results.verdict(ROW))


if __name__ == "__main__":
    main()
