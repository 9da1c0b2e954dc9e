#!/usr/bin/env python3
"""Stored questions on one server with SQLite, on one with PostgreSQL, and on three that share a database:

    bench/shared_servers.py [--rounds 5] [--seconds 5] [--clients 24]

Each question begins a session, and its answer of the scripted model is stored before the response. They take
turns on the same machine, which they share with the load generator (wrk) and with PostgreSQL, so three servers
do not answer more than one: the figure is the CPU time of a question, PostgreSQL's included, and how it grows."""
import argparse
import contextlib
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import contenders
from followed_runs import seconds_of_postgres

sys.path.insert(0, str(contenders.ROOT / "tests"))
import chats  # pylint: disable=wrong-import-position
import people  # pylint: disable=wrong-import-position
import postgres  # pylint: disable=wrong-import-position
import program  # pylint: disable=wrong-import-position
from replicas import Replicas  # pylint: disable=wrong-import-position

SETTINGS = {"limits.window_s": 1, "limits.chat": 20000, "limits.general": 20000, "runs.max_concurrent": 10000,
            "server.max_connections_per_address": 0}
SCRIPT = """\
wrk.method = "POST"
wrk.body = '{{"message":"Where does the river begin?","model":"scripted"}}'
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer {token}"
"""


class Group:
    """Servers that share a database, and the script of their clients."""

    def __init__(self, name, servers, token, folder, shared):
        self.name, self.servers, self._shared = name, servers, shared
        self._script = folder / f"{name}.lua".replace(" ", "-")
        self._script.write_text(SCRIPT.format(token=token), encoding="utf-8")
        self.rates, self.own, self.database = [], [], []

    def _seconds(self):
        return sum(contenders.processor_seconds(each.pid) for each in self.servers)

    def load(self, clients, seconds):
        """One round."""
        before, database = self._seconds(), seconds_of_postgres(postgres.shared())
        begun = time.monotonic()
        each = max(1, clients // len(self.servers))
        running = [subprocess.Popen(
            ["wrk", "-t1", f"-c{each}", f"-d{seconds}s", "-s", self._script,
             f"http://127.0.0.1:{server.address[1]}/v1/api/chat/query"],
            stdout=subprocess.PIPE, text=True) for server in self.servers]
        said = [process.communicate()[0] for process in running]
        took = time.monotonic() - begun
        if any("Non-2xx" in text for text in said):
            raise RuntimeError("\n".join(said))
        count = sum(int(re.search(r"(\d+) requests in", text)[1]) for text in said)
        self.rates.append(count / took)
        self.own.append((self._seconds() - before) / count * 1e6)
        self.database.append((seconds_of_postgres(postgres.shared()) - database) / count * 1e6 if self._shared else 0)


@contextlib.contextmanager
def groups(folder):
    started = []

    def start(*arguments, **more):
        started.append(program.Program(*arguments, **more))
        return started[-1]
    try:
        alone = start("--data", str(folder / "alone"), settings={**chats.ROOMY, **SETTINGS})
        house = people.House(alone).set_up()
        made = [Group("SQLite, 1 server", [alone], house.token_for(house.add("ana"))["token"], folder, False)]
        for count in (1, 3):
            place = folder / str(count)
            place.mkdir()
            shared = Replicas(start, place, count, SETTINGS)
            made.append(Group(f"PostgreSQL, {count} server{'s' * (count > 1)}", shared.servers, shared.token, folder, True))
        yield made
    finally:
        for each in started:
            each.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=24)
    options = parser.parse_args()
    lacking = contenders.missing_tools()
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (make build)")
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder, groups(pathlib.Path(folder)) as all_of_them:
        for number in range(options.rounds):
            for group in all_of_them[number % 3:] + all_of_them[:number % 3]:
                group.load(options.clients, options.seconds)
        print(f"{'':24}{'per second':>12}{'(quartiles)':>16}{'µs, servers':>14}{'µs, database':>14}")
        for group in all_of_them:
            low, middle, high = statistics.quantiles(group.rates, n=4)
            print(f"{group.name:24}{middle:>12.0f}{f'{low:.0f} to {high:.0f}':>16}"
                  f"{statistics.median(group.own):>14.0f}{statistics.median(group.database):>14.0f}")


if __name__ == "__main__":
    main()
