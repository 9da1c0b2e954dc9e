#!/usr/bin/env python3
"""What the event log costs: questions of many clients, each stored and synced with its answer before the response, on the
same server with the log and without it:

    bench/event_log.py [--rounds 9] [--seconds 3] [--clients 32] [--users 32]

A question and its answer are three events of the user's log, written in the transactions that begin and end the run. In the
rounds without the log, triggers of the database drop what these statements write. The rounds take turns. The server shares
the machine with the load generator (wrk); the figures are the questions per second and the CPU time of the server for each."""
import argparse
import contextlib
import pathlib
import sqlite3
import statistics
import sys
import tempfile

import house
import question_load
from contenders import missing_tools, processor_seconds

TABLES = ("events", "event_heads")


class Log:
    """The event log in the database of a running server."""

    def __init__(self, database):
        self._database = database
        self._is_written = True

    def is_to_be(self, written):
        if written == self._is_written:
            return
        self._is_written = written
        statement = "DROP TRIGGER no_{0}" if written else \
            "CREATE TRIGGER no_{0} BEFORE INSERT ON {0} BEGIN SELECT RAISE(IGNORE); END"
        with contextlib.closing(sqlite3.connect(self._database, timeout=30)) as connection, connection:
            for table in TABLES:
                connection.execute(statement.format(table))

    def length(self):
        with contextlib.closing(sqlite3.connect(self._database, timeout=30)) as connection:
            return connection.execute("SELECT count(*) FROM events").fetchone()[0]


def measure(home, log, written, script, options):
    """Questions per second, and CPU seconds of each."""
    log.is_to_be(written)
    question_load.ask([home.server.port], script, options.clients, 1)  # The statements are prepared again.
    before, used = log.length(), processor_seconds(home.pid)
    count = question_load.ask([home.server.port], script, options.clients, options.seconds)
    used = processor_seconds(home.pid) - used
    if (log.length() > before) != written:
        raise RuntimeError(f"the log has {before}, then {log.length()} events")
    return count / options.seconds, used / count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--users", type=int, default=32)
    parser.add_argument("--folder", help="on the disk to be measured; a temporary one by default")
    options = parser.parse_args()
    if missing_tools("wrk"):
        sys.exit("missing: wrk (tools/setup build bench)")
    figures = {True: [], False: []}
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder, house.House(options.folder) as home:
        script = question_load.write_script(pathlib.Path(folder) / "ask.lua", home.tokens(options.users))
        question_load.ask([home.server.port], script, options.clients, 1)
        log = Log(home.server.data / "parley.db")
        for number in range(options.rounds):
            for written in (number % 2 == 0, number % 2 == 1):
                rate, used = measure(home, log, written, script, options)
                figures[written].append((rate, used))
                print(f"  {number + 1}. {'with' if written else 'without':7} the log {rate:7,.0f}/s, "
                      f"{used * 1e6:5.0f} µs CPU each", flush=True)
    with_log, without = ([statistics.median(column) for column in zip(*figures[written])] for written in (True, False))
    print(f"with the log {with_log[0] / without[0]:.2f} of the questions per second, "
          f"{with_log[1] / without[1]:.2f} of the CPU time (medians)")


if __name__ == "__main__":
    main()
