#!/usr/bin/env python3
"""The latency of /healthz while the embedded model computes 8 answers on all cores:

    bench/health_while_decoding.py [--seconds N]

100 requests per second, on two connections; times count from the moment when each was due. The client is a
separate process, with real-time priority if allowed (SCHED_FIFO), so that it does not measure itself. The
same client measures a process that only echoes, at the same time: that part is the kernel's. Fails if the
99th percentile is over 5 ms."""
import argparse
import json
import multiprocessing
import os
import selectors
import socket
import statistics
import sys
import time

import house

BAR_SECONDS = 0.005
PER_SECOND = 100
STREAMS = 8
MODEL = "smollm2-135m"
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n"


def first_of_all():
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        return True
    except PermissionError:
        return False


def connected(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask(port, request, seconds, offset, into):
    """Sends the seconds from due time to response, in order."""
    is_first = first_of_all()
    connections = [connected(port) for _ in range(2)]
    took = []
    begin = time.perf_counter() + offset / PER_SECOND
    for number in range(seconds * PER_SECOND):
        due = begin + number / PER_SECOND
        time.sleep(max(0, due - time.perf_counter()))
        connection = connections[number % 2]
        connection.sendall(request)
        if not connection.recv(4096):
            raise RuntimeError("the connection was closed")
        took.append(time.perf_counter() - due)
    into.put((is_first, took))


def echo(listener):
    selector = selectors.DefaultSelector()
    selector.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                selector.register(listener.accept()[0], selectors.EVENT_READ)
            elif received := key.fileobj.recv(4096):
                key.fileobj.sendall(received)
            else:
                selector.unregister(key.fileobj)


class Streams:
    """Running answers, read by the caller of read()."""

    def __init__(self, home):
        self._selector = selectors.DefaultSelector()
        self.tokens = 0
        for number, token in enumerate(home.tokens(STREAMS)):
            connection = home.connect()
            connection.sendall(house.request("POST", "/chat/query", token, {
                "message": f"Write a very long story about animal {number}.", "stream": True,
                "max_output_tokens": 4000}))
            self._selector.register(connection, selectors.EVENT_READ)

    def read(self, until):
        """The number of tokens that arrived before `until()`."""
        before = self.tokens
        while not until():
            for key, _ in self._selector.select(0.1):
                received = key.fileobj.recv(65536)
                if not received or b"event: run." in received and b"run.created" not in received:
                    raise RuntimeError("an answer has ended")
                self.tokens += received.count(b"event: message.delta")
        return self.tokens - before


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def report(what, times):
    figures = {"p50": statistics.median(times), "p90": percentile(times, .9),
               "p99": percentile(times, .99), "longest": max(times)}
    print(f"{what:20}", *(f" {name} {each * 1e3:6.2f} ms" for name, each in figures.items()), flush=True)


def measure(home, echo_port, streams, seconds):
    """Health and echo, requested at the same time by two processes, half a period apart."""
    askers = {}
    for name, port, request, offset in (("health", home.server.port, HEALTH, 0),
                                        ("echo", echo_port, b"x", 0.5)):
        askers[name] = (queue := multiprocessing.SimpleQueue(), multiprocessing.Process(
            target=ask, args=(port, request, seconds, offset, queue), daemon=True))
    for _, process in askers.values():
        process.start()
    begin = time.perf_counter()
    tokens = streams.read(lambda: not any(queue.empty() for queue, _ in askers.values()))
    rate = tokens / (time.perf_counter() - begin)
    return rate, *(queue.get() for queue, _ in askers.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20)
    seconds = parser.parse_args().seconds
    listener = socket.create_server(("127.0.0.1", 0))
    multiprocessing.Process(target=echo, args=(listener,), daemon=True).start()
    with house.House(settings=[f"model.default={MODEL}"]) as home:
        print("parley:", home.version, "\n$", home.server.command, flush=True)
        streams = Streams(home)
        streams.read(lambda: streams.tokens >= STREAMS * 4)
        rate, (is_first, health), (_, raw) = measure(home, listener.getsockname()[1], streams, seconds)
    print(json.dumps({"asker_before_all": is_first, "tokens_per_second": round(rate, 1)}))
    report("echo, nothing else", raw)
    report("/healthz", health)
    met = percentile(health, .99) <= BAR_SECONDS
    print(f"p99 of /healthz {'ok' if met else 'MISSED'} (bar {BAR_SECONDS * 1e3:.0f} ms)")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
