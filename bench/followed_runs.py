#!/usr/bin/env python3
"""The cost of following runs of another server that shares the database:

    bench/followed_runs.py [--runs 500] [--per-second 20] [--seconds 10]

One server executes the runs. Clients read them there, then on another server, which follows them. Fails if that
server needs over 15% of a core for following and sending together, or if a stream has a gap. PostgreSQL's share is
printed, too."""
import argparse
import itertools
import pathlib
import re
import selectors
import socket
import sys
import tempfile
import time

import contenders

sys.path.insert(0, str(contenders.ROOT / "tests"))
import people  # pylint: disable=wrong-import-position
import postgres  # pylint: disable=wrong-import-position
import program  # pylint: disable=wrong-import-position
from replicas import Replicas  # pylint: disable=wrong-import-position

BAR = 0.15
NUMBER = re.compile(rb"\nid: (\d+)\n")


class Readers:
    """One stream for each run, read as fast as it comes."""

    def __init__(self, server, token, runs):
        self._selector = selectors.DefaultSelector()
        self._received = {}
        for run in runs:
            connection = socket.create_connection(server.address)
            connection.sendall(f"GET /v1/api/chat/runs/{run}/events?after=0 HTTP/1.1\r\nHost: bench\r\n"
                               f"Authorization: Bearer {token}\r\n\r\n".encode())
            self._selector.register(connection, selectors.EVENT_READ)
            self._received[connection] = bytearray()

    def read(self, seconds):
        """Several events at a time: so the reader needs little CPU time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in self._selector.select(0.1):
                self._received[key.fileobj] += key.fileobj.recv(1 << 18)
            time.sleep(0.2)

    def count(self):
        return sum(received.count(b"\nid: ") for received in self._received.values())

    def close(self):
        """No event may be missing."""
        for connection, received in self._received.items():
            connection.close()
            numbers = [int(number) for number in NUMBER.findall(received)]
            if numbers != list(range(1, len(numbers) + 1)):
                sys.exit(f"a stream has a gap: {numbers[:20]}")


def seconds_of_postgres(server):
    file = pathlib.Path(server.folder) / "data" / "postmaster.pid"
    return contenders.processor_seconds(file.read_text("utf-8").splitlines()[0])


class Meter:
    """CPU shares of both servers and the database, in cores."""

    def __init__(self, servers):
        self._read = [lambda one=each: contenders.processor_seconds(one.pid) for each in servers]
        self._read.append(lambda: seconds_of_postgres(postgres.shared()))

    def during(self, seconds, work):
        before = [each() for each in self._read]
        begun = time.monotonic()
        work(seconds)
        took = time.monotonic() - begun
        return [(each() - old) / took for each, old in zip(self._read, before)]


def share_with(options, two, meter, name, reading):
    """The shares while the server of this number is read."""
    words = 12 * options.seconds * options.per_second
    question = f"{{words:{words}}} {{delay_ms:{1000 // options.per_second}}}"
    runs = people.at_once(8, lambda _: [two.people[0].begin(question)["id"] for _ in range(options.runs // 8)])
    runs = list(itertools.chain.from_iterable(runs))
    readers = Readers(two.servers[reading], two.token, runs)
    readers.read(options.seconds)  # The events that were written before.
    before = readers.count()
    shares = meter.during(options.seconds, readers.read)
    per_second = (readers.count() - before) / options.seconds
    readers.close()
    print(f"{name}: {per_second:.0f} events per second, none missing")
    people.at_once(8, lambda number: [two.people[0].cancel(run) for run in runs[number::8]])
    people.until(lambda: two.query("SELECT count(*) FROM runs WHERE completed_ms IS NULL") == ["0"])
    # On a busy machine there are fewer events than were asked for.
    return [share * options.runs * options.per_second / per_second for share in shares]


def measure(options, folder):
    started = []

    def start(*arguments, **more):
        started.append(program.Program(*arguments, **more))
        return started[-1]
    try:
        two = Replicas(start, folder, 2, {
            "limits.window_s": 1, "runs.max_concurrent": 10000, "server.max_connections_per_address": 0})
        meter = Meter(two.servers)
        return {name: share_with(options, two, meter, name, reading)
                for reading, name in enumerate(("read where they run", "followed"))}
    finally:
        for each in started:
            each.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--per-second", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        shares = measure(options, pathlib.Path(folder))
    print(f"{options.runs} runs, {options.per_second} events per second each; shares of a core, if all came in time:")
    print(f"{'':22}{'executes':>10}{'follows':>10}{'PostgreSQL':>12}")
    for name, row in shares.items():
        print(f"{name:22}" + "".join(f"{share:>{width}.1%}" for share, width in zip(row, (10, 10, 12))))
    following = shares["followed"][1]
    sys.exit(0 if following <= BAR else f"{following:.1%} of a core is over {BAR:.0%}")


if __name__ == "__main__":
    main()
