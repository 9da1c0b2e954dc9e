#!/usr/bin/env python3
"""Whether a late page of a list is as fast as the first one:

    bench/pages.py [--rounds 5] [--sessions 100000] [--turns 10000] [--tries 101]

One user gets this many sessions, over HTTP by 64 connections, and a conversation of this many turns. All
pages of 50 are read once by their cursors, and every entry must occur once. Then the first and the last full
page are requested in turns on one connection, so often in a round, and their medians compared."""
import argparse
import json
import selectors
import statistics
import sys
import time

import house
import results

FIRST = "first page"
LIMIT = 50
CONNECTIONS = 64
# Long enough that a model's context holds some hundred turns, not all of them: this measures the listing of
# turns, not prompts.
QUESTION = "{words:1} " + "a " * 200


class Client:
    """One connection, one request at a time."""

    def __init__(self, home, token):
        self.socket = home.connect()
        self._token = token
        self._received = b""
        self._began = 0.0

    def send(self, method, path, body=None):
        self._received = b""
        self._began = time.perf_counter()
        self.socket.sendall(house.request(method, path, self._token, body))

    def receive(self):
        """Reads once; returns status and body if the response is complete, otherwise None."""
        more = self.socket.recv(1 << 20)
        if not more:
            sys.exit(f"FAILED: the server closed: {self._received[:500]!r}")
        self._received += more
        head, found, body = self._received.partition(b"\r\n\r\n")
        length = head.lower().partition(b"\r\ncontent-length: ")[2].split(b"\r\n")[0]
        if not found or len(body) < int(length):
            return None
        return int(head[9:12]), body

    def ask(self, method, path, body=None, status=200):
        """The response, and its time in seconds."""
        self.send(method, path, body)
        while not (answer := self.receive()):
            pass
        took = time.perf_counter() - self._began
        if answer[0] != status:
            sys.exit(f"FAILED: {method} {path} is {answer[0]}: {answer[1][:500]!r}")
        return json.loads(answer[1]), took


def make_sessions(home, token, count):
    begun = time.monotonic()
    numbers = iter(range(count))
    with selectors.DefaultSelector() as selector:

        def next_one(client):
            number = next(numbers, None)
            if number is None:
                selector.unregister(client.socket)
                client.socket.close()
            else:
                client.send("POST", "/chat/sessions", {"title": f"Session {number}"})

        for _ in range(CONNECTIONS):
            client = Client(home, token)
            selector.register(client.socket, selectors.EVENT_READ, client)
            next_one(client)
        while selector.get_map():
            for key, _ in selector.select():
                answer = key.data.receive()
                if answer and answer[0] != 201:
                    sys.exit(f"FAILED: no session: {answer}")
                if answer:
                    next_one(key.data)
    print(f"  {count:,} sessions in {time.monotonic() - begun:.1f} s")


def make_turns(client, count):
    """The session with a conversation of so many turns."""
    begun = time.monotonic()
    run, _ = client.ask("POST", "/chat/query", {"message": QUESTION, "model": "scripted"})
    for _ in range(count - 1):
        run, _ = client.ask("POST", "/chat/query", {
            "message": QUESTION, "model": "scripted", "session_id": run["session_id"]})
    print(f"  {count:,} turns in {time.monotonic() - begun:.1f} s")
    return run["session_id"]


def walk(client, path, count):
    """The paths of all full pages; checks that every entry occurs once."""
    seen, page_path, full = set(), f"{path}?limit={LIMIT}", []
    while page_path:
        page, _ = client.ask("GET", page_path)
        before = len(seen)
        seen.update(entry["id"] for entry in page["data"])
        if len(seen) - before != len(page["data"]):
            sys.exit(f"FAILED: {page_path} repeats an entry")
        if len(page["data"]) == LIMIT:
            full.append(page_path)
        page_path = page["has_more"] and f"{path}?limit={LIMIT}&after={page['next_cursor']}"
    if len(seen) != count:
        sys.exit(f"FAILED: {len(seen)} entries of {count} in {path}")
    return full


def compare(client, row, pages, options):
    for number in range(options.rounds):
        first, last = [], []
        for _ in range(options.tries):
            first.append(client.ask("GET", pages[0])[1])
            last.append(client.ask("GET", pages[-1])[1])
        one, other = statistics.median(first) * 1e6, statistics.median(last) * 1e6
        print(f"  {number + 1}. page 1 {one:,.0f} µs, page {len(pages):,} {other:,.0f} µs", flush=True)
        results.record(row, FIRST, one, number)
        results.record(row, results.PARLEY, other, number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tries", type=int, default=101)
    parser.add_argument("--folder", help="for the server's data; a temporary one by default")
    options = parser.parse_args()

    with house.House(options.folder) as home:
        results.used(home.server.name, home.version, home.server.command)
        many, talker = home.tokens(2)
        make_sessions(home, many, options.sessions)
        client = Client(home, many)
        pages = walk(client, "/chat/sessions", options.sessions)
        compare(client, "B9/sessions", pages, options)

        client = Client(home, talker)
        path = f"/chat/sessions/{make_turns(client, options.turns)}/messages"
        pages = walk(client, path, options.turns * 2)
        compare(client, "B9/messages", pages, options)
    sys.exit(results.verdict("B9/sessions", "B9/messages"))


if __name__ == "__main__":
    main()
