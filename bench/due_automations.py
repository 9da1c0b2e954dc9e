#!/usr/bin/env python3
"""Many automations that are due at the same moment:

    bench/due_automations.py [--automations 10000] [--users 100] [--seconds 10]

Each user follows the event log: the time from the due time to the event that the run was entered counts, as the
client sees it. Before, and again from the due time on, another process sends 100 requests per second of other
users (account, sessions, a question to the scripted model); times count from the moment when each was due.
Fails if the 99th percentile of entering is over a second, or that of the other requests is more than twice the
one before."""
import argparse
import concurrent.futures
import datetime
import multiprocessing
import selectors
import socket
import sys
import time

import house
from health_while_decoding import percentile, report

BAR_SECONDS = 1.0
BAR_RATIO = 2.0
PER_SECOND = 100
PLACES = 16  # The number of automations that run at the same time.
QUEUED = b"event: automation.run.queued"
TIME_TO_PREPARE = 5
SCOPES = ["automation:read", "automation:write", "chat:read", "chat:write"]


def whole_response(connection):
    """The status of a response with Content-Length; its body is read."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    left = int(lengths[0].split(b":")[1]) - len(body)
    while left > 0:
        left -= len(connection.recv(min(left, 65536)))
    return int(head.split(b" ")[1])


def create(home, token, count, due):
    body = {"name": "Digest", "message": "Good morning on {{run.local_date}}.", "trigger": {
        "type": "schedule", "cron": f"{due.minute} {due.hour} * * *", "time_zone": "UTC"}}
    with home.connect() as connection:
        for _ in range(count):
            connection.sendall(house.request("POST", "/automations", token, body))
            if whole_response(connection) != 201:
                raise RuntimeError("an automation was refused")


class Watchers:
    """An event stream for each user."""

    def __init__(self, home, tokens):
        self._selector = selectors.DefaultSelector()
        for token in tokens:
            connection = home.connect()
            connection.sendall(house.request(
                "GET", "/events?after=latest&types=automation.run.queued", token).replace(
                    b"\r\n\r\n", b"\r\nAccept: text/event-stream\r\n\r\n"))
            self._selector.register(connection, selectors.EVENT_READ, [b""])

    def entered(self, count, due, patience):
        """The seconds from the due time to each event."""
        times = []
        while len(times) < count and time.time() < due + patience:
            for key, _ in self._selector.select(0.1):
                rest = key.data[0] + key.fileobj.recv(1 << 20)
                now = time.time() - due
                times += [now] * rest.count(QUEUED)
                key.data[0] = rest[rest.rfind(b"\n") + 1:][-len(QUEUED) + 1:]
        return times


def ask(address, requests, seconds, into):
    """Sends the seconds from due time to response, in order."""
    connections = [socket.create_connection(address) for _ in range(8)]
    took = []
    begin = time.perf_counter()
    for number in range(seconds * PER_SECOND):
        due = begin + number / PER_SECOND
        time.sleep(max(0, due - time.perf_counter()))
        connection = connections[number % len(connections)]
        connection.sendall(requests[number % len(requests)])
        if whole_response(connection) not in (200, 202):
            raise RuntimeError("a request was refused")
        took.append(time.perf_counter() - due)
    into.put(took)


class Asker:
    """Other requests, by a process of their own."""

    def __init__(self, home, token, seconds):
        self._queue = multiprocessing.SimpleQueue()
        requests = [house.request("GET", "/me", token),
                    house.request("GET", "/chat/sessions", token),
                    house.request("POST", "/chat/query", token, {"message": "hello"})]
        self._process = multiprocessing.Process(
            target=ask, args=(home.server.address, requests, seconds, self._queue), daemon=True)

    def start(self):
        self._process.start()

    def times(self):
        return self._queue.get()


def measure(home, options):
    owners = [home.add(f"owner{number}") for number in range(options.users)]
    tokens = [home.token_for(owner, scopes=SCOPES)["token"] for owner in owners]
    other = home.token_for(home.add("other"))["token"]
    each = options.automations // options.users
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(
        seconds=max(30, options.automations / 150))
    far = soon.replace(second=0, microsecond=0) + datetime.timedelta(minutes=1)
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda token: create(home, token, each, far), tokens))
    due = far.timestamp()
    if due - time.time() < options.seconds + TIME_TO_PREPARE:
        sys.exit("creating the automations took too long; the machine is busy")
    watchers = Watchers(home, tokens)
    before, after = (Asker(home, other, options.seconds) for _ in range(2))
    before.start()
    alone = before.times()
    time.sleep(max(0, due - time.time()))
    after.start()
    entered = watchers.entered(each * options.users, due, 60)
    return entered, alone, after.times()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--automations", type=int, default=10_000)
    parser.add_argument("--users", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    most = options.automations // options.users
    with house.House(settings=[f"automations.max_per_user={most}", f"automations.max_concurrent={PLACES}"]) as home:
        print("parley:", home.version, "\n$", home.server.command, flush=True)
        entered, alone, beside = measure(home, options)
    wanted = most * options.users
    if len(entered) != wanted:
        sys.exit(f"{len(entered)} of {wanted} runs were entered within a minute")
    report("entered after", entered)
    report("others, before", alone)
    report("others, beside", beside)
    ratio = percentile(beside, .99) / percentile(alone, .99)
    in_time = percentile(entered, .99) <= BAR_SECONDS
    print(f"p99 of entering {'ok' if in_time else 'MISSED'} (bar {BAR_SECONDS:.0f} s); p99 of others "
          f"{ratio:.1f} times {'ok' if ratio <= BAR_RATIO else 'MISSED'} (bar {BAR_RATIO:.0f} times)")
    sys.exit(0 if in_time and ratio <= BAR_RATIO else 1)


if __name__ == "__main__":
    main()
