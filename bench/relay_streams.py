#!/usr/bin/env python3
"""The delay of the first event of a streamed chat completion through Parley, compared with nginx as a proxy,
whether any event is lost, and the CPU time of an event:

    bench/relay_streams.py [--rounds 5] [--streams 150]

One stream after the other, requested directly, through nginx without buffering, and through Parley, which
also checks token and limit; they take turns, and the figure of a round is the difference of the medians. Then 64
streams at once of 64 events each, 20 ms apart: their CPU time tells how many events a core can pass on. The proxies are
pinned to the first core, the model's server (relay_model.py) to the second."""
import argparse
import contextlib
import json
import pathlib
import selectors
import socket
import statistics
import sys
import tempfile
import time

import relay_model
import results
from contenders import Parley, missing_tools, running_seconds, version_of
from relay_vs_nginx import PATH, QUESTION, NginxAnswers, parley, token_of

AT_ONCE, EVENTS, APART_MS = 64, 64, 20
WARMING = 20


class Asking:
    """A persistent connection for streams."""

    def __init__(self, port, token, **more):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        body = json.dumps({**QUESTION, "stream": True, **more}).encode()
        self.request = (f"POST {PATH} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
                        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                        ).encode() + body
        self.received = b""

    def ask(self):
        self.received = b""
        self.socket.sendall(self.request)

    def read(self):
        more = self.socket.recv(65536)
        self.received += more
        if not more or not self.received.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"not a stream: {self.received[:500]!r}")

    @property
    def events(self):
        return self.received.count(b"data: {")

    @property
    def ended(self):
        return self.received.endswith(b"0\r\n\r\n")

    def time_to_first(self):
        """Seconds."""
        begun = time.perf_counter()
        self.ask()
        while not self.events:
            self.read()
        took = time.perf_counter() - begun
        while not self.ended:
            self.read()
        return took


def first_events(asking, streams):
    """Median microseconds to the first event, by name."""
    times = {name: [] for name in asking}
    for number in range(streams):
        for name in list(asking)[::1 if number % 2 == 0 else -1]:
            times[name].append(asking[name].time_to_first() * 1e6)
    return {name: statistics.median(each) for name, each in times.items()}


def measure_first(ports, token, options):
    asking = {name: Asking(port, token, max_tokens=4, seed=0) for name, port in ports.items()}
    first_events(asking, WARMING)
    for number in range(options.rounds):
        medians = first_events(asking, options.streams)
        print("  to the first event: " + ", ".join(f"{name} {each:.0f} µs" for name, each in medians.items()), flush=True)
        for name in ("parley", "nginx"):
            results.record("B2/first", name, medians[name] - medians["direct"], number)


def lost_events(port, token):
    """The number of missing events in many simultaneous streams."""
    asking = [Asking(port, token, max_tokens=EVENTS, seed=APART_MS) for _ in range(AT_ONCE)]
    with selectors.DefaultSelector() as waiting:
        for one in asking:
            waiting.register(one.socket, selectors.EVENT_READ, one)
            one.ask()
        while not all(one.ended for one in asking):
            for ready, _ in waiting.select():
                ready.data.read()
    for one in asking:
        one.socket.close()
    return AT_ONCE * EVENTS - sum(one.events for one in asking)


def measure_many(contenders, token, options):
    for number in range(options.rounds):
        for contender in contenders if number % 2 == 0 else contenders[::-1]:
            before = running_seconds(contender.process.pid)
            lost = lost_events(contender.port, token)
            used = running_seconds(contender.process.pid) - before
            print(f"  {AT_ONCE} streams through {contender.name}: {lost} of {AT_ONCE * EVENTS} events lost, "
                  f"{used / (AT_ONCE * EVENTS) * 1e6:.1f} µs CPU per event", flush=True)
            results.record("B2/lost", contender.name, lost, number)
            results.record("B2/events", contender.name, AT_ONCE * EVENTS / used, number)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--streams", type=int, default=150, help="in a round, one after the other")
    options = parser.parse_args()
    lacking = missing_tools("nginx", "taskset")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup bench)")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        model = stack.enter_context(relay_model.Streaming(core=1))
        theirs = stack.enter_context(NginxAnswers(
            "nginx", folder, 0, "proxy_pass http://model; proxy_http_version 1.1; "
            "proxy_set_header Connection ''; proxy_buffering off;",
            f"upstream model {{ server 127.0.0.1:{model.port}; keepalive 128; }}"))
        ours = stack.enter_context(parley(folder, model))
        results.used(ours.name, Parley.version(), ours.command)
        results.used(theirs.name, version_of("nginx"), theirs.command)
        token = token_of(ours, folder)
        measure_first({"direct": model.port, "nginx": theirs.port, "parley": ours.port}, token, options)
        measure_many([ours, theirs], token, options)
    sys.exit(results.verdict("B2/first", "B2/lost", "B2/events"))


if __name__ == "__main__":
    main()
