#!/usr/bin/env python3
"""The delay of the first event of a streamed chat completion through Parley, compared with nginx as a proxy,
and whether any event is lost:

    bench/relay_streams.py [--streams 300]

One stream after the other, requested directly, through nginx without buffering, and through Parley, which
also checks token and limit; they take turns, and the figure is the median of the added time. Then 64 streams
at once of 64 events each, 20 ms apart. The proxies are pinned to the first core, the model's server
(relay_model.py) to the second. Fails if Parley adds more than twice the time of nginx, if an event is lost,
or if a peer is missing."""
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
from contenders import Parley, missing_tools, version_of
from relay_vs_nginx import PATH, QUESTION, NginxAnswers, parley, token_of

BAR, GOAL_US = 2.0, 60
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
        self.received += self.socket.recv(65536)
        if not self.received.startswith(b"HTTP/1.1 200"):
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


def first_events(ports, token, streams):
    """Median microseconds to the first event, by name."""
    asking = {name: Asking(port, token, max_tokens=4, seed=0) for name, port in ports.items()}
    times = {name: [] for name in ports}
    for number in range(streams + WARMING):
        for name in list(ports)[::1 if number % 2 == 0 else -1]:
            times[name].append(asking[name].time_to_first() * 1e6)
    return {name: statistics.median(each[WARMING:]) for name, each in times.items()}


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
    return AT_ONCE * EVENTS - sum(one.events for one in asking)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=300)
    options = parser.parse_args()
    lacking = missing_tools("nginx", "taskset")
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (tools/setup bench)")
    print(f"nginx {version_of('nginx')}, {Parley.version()}; {options.streams} streams each")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        model = stack.enter_context(relay_model.Streaming(core=1))
        theirs = stack.enter_context(NginxAnswers(
            "nginx", folder, 0, "proxy_pass http://model; proxy_http_version 1.1; "
            "proxy_set_header Connection ''; proxy_buffering off;",
            f"upstream model {{ server 127.0.0.1:{model.port}; keepalive 128; }}"))
        ours = stack.enter_context(parley(folder, model))
        for contender in (model, theirs, ours):
            print(f"  {contender.command}")
        token = token_of(ours, folder)
        medians = first_events({"direct": model.port, "nginx": theirs.port, "parley": ours.port},
                               token, options.streams)
        lost = lost_events(ours.port, token)
    added = {name: median - medians["direct"] for name, median in medians.items()}
    for name, median in medians.items():
        print(f"  {name:8} {median:7.0f} µs to the first event, {added[name]:.0f} µs of it added")
    print(f"  {AT_ONCE} streams at once: {lost} of {AT_ONCE * EVENTS} events lost")
    passed = added["parley"] <= BAR * added["nginx"] and lost == 0
    print(f"{'passed' if passed else 'FAILED'}: {added['parley'] / added['nginx']:.2f} times what nginx "
          f"adds, at most {BAR} is the bar; {added['parley']:.0f} µs, {GOAL_US} is the goal")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
