#!/usr/bin/env python3
"""The memory of an idle connection, and of an open stream:

    bench/idle_connections.py [--rounds 5] [--connections 9000] [idle] [streams]

- idle: each connection has had one request answered.
- streams: each is a running answer of the scripted model, which has sent its first word and writes the next one a minute
  later; the memory is that of the connection, the run and its stream.

A few seconds later the server's resident memory is compared with the value before them, which excludes the memory of the
kernel. A server is measured once: a round starts a new one. llama-server has a thread for each connection; with fewer
of them, it is measured as far as it answers."""
import argparse
import contextlib
import pathlib
import resource
import selectors
import socket
import sys
import tempfile
import time

import contenders
import embedded_model
import event_streams
import house
import results

SETTLING_SECONDS = 5
WARMING = 1000
USERS = 20
OF_LLAMA_SERVER = 500
PATIENCE = 10  # Seconds; if an answer takes longer, a server has no room for the connection.
REQUEST = b"GET %s HTTP/1.1\r\nHost: bench\r\n\r\n"


def ask(connection, path):
    connection.sendall(REQUEST % path)
    received = b""
    while not received.endswith(b"}"):
        more = connection.recv(4096)
        if not more:
            raise RuntimeError("the server closed a connection")
        received += more


def let_idle(connections, seconds):
    """Waits, and checks that the server neither sends nor closes anything."""
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection, selectors.EVENT_READ)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if selector.select(left):
                raise RuntimeError("the server closed a connection that it should have kept")


def idle(server, path, count, warming=WARMING, settling=SETTLING_SECONDS):
    """Bytes for each of so many idle connections."""
    address, pid = ("127.0.0.1", server.port), server.process.pid
    with contextlib.ExitStack() as stack:
        with socket.create_connection(address, PATIENCE) as first:
            for _ in range(warming):
                ask(first, path)
        before = contenders.resident_bytes(pid)
        opened = []
        for number in range(count):
            try:
                opened.append(stack.enter_context(socket.create_connection(address, PATIENCE)))
                ask(opened[-1], path)
            except TimeoutError:
                raise RuntimeError(f"does not answer connection {number + 1} while {number} are open") from None
        let_idle(opened, settling)
        return (contenders.resident_bytes(pid) - before) / count


def measure_idle(options, turn):
    with tempfile.TemporaryDirectory() as folder:
        with contenders.Parley(pathlib.Path(folder), logging=False, core=None,
                               settings=["server.loops=2", "server.max_connections=100000"]) as server:
            if turn == 0:
                results.used(server.name, server.version(), server.command)
            return idle(server, b"/healthz", options.connections) / 1024


def streams_of(home, tokens, count, message):
    made = [event_streams.Stream(home.server.address, tokens[number % len(tokens)], *message) for number in range(count)]
    crowd = event_streams.Crowd()
    for stream in made:
        crowd.add(stream)
    return crowd, made


def read_until(crowd, true, seconds):
    end = time.monotonic() + seconds
    while not true():
        crowd.read_for(0.2)
        if crowd.faults or time.monotonic() > end:
            raise RuntimeError((crowd.faults or ["not all streams have begun"])[0][:500])


def measure_streams(options):
    """KiB for each of so many open streams."""
    with house.House(settings=["server.loops=2"]) as home:
        tokens = home.tokens(USERS)
        for _ in range(WARMING // 100):
            crowd, made = streams_of(home, tokens, 100, (2, 0))
            read_until(crowd, lambda: not crowd.streams, 60)
        before = house.resident_bytes(home.pid)
        crowd, made = streams_of(home, tokens, options.connections, (3, 60_000))
        read_until(crowd, lambda: all(stream.arrivals for stream in made), 120)
        crowd.read_for(SETTLING_SECONDS)
        each = (house.resident_bytes(home.pid) - before) / options.connections / 1024
        if crowd.faults or len(crowd.streams) != options.connections:
            raise RuntimeError((crowd.faults or ["a stream has ended"])[0][:500])
        for stream in made:
            stream.close()
    return each


def measure_llama_server(options):
    """With fewer connections, and once: it is no peer that counts here."""
    results.absent("B8/streams", "llama-server", "computes only as many streams as it has slots")
    programs, weights = embedded_model.made("--tools"), embedded_model.made("--weights")
    if not programs or not weights:
        results.absent("B8/idle", "llama-server", "tools/llama --tools failed")
        return
    try:
        with tempfile.TemporaryDirectory() as folder, \
                embedded_model.LlamaServer(pathlib.Path(folder), programs, weights) as server:
            results.used(server.name, embedded_model.version_of(programs), server.command)
            # It closes a connection after 100 requests, and after 5 s.
            each = idle(server, b"/health", min(OF_LLAMA_SERVER, options.connections), 50, 1) / 1024
            print(f"llama-server, {OF_LLAMA_SERVER} connections: {each:.1f} KiB each")
            results.record("B8/idle", server.name, each)
    except (RuntimeError, OSError) as fault:
        results.absent("B8/idle", "llama-server", fault)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=9000)
    parser.add_argument("parts", nargs="*", metavar="PART", help="idle, streams; both unless named")
    options = parser.parse_args()
    parts = options.parts or ["idle", "streams"]

    lacking = contenders.missing_tools()
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (make build)")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < options.connections + 200:
        sys.exit(f"the system allows {most} open files, too few for {options.connections} connections (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    for number in range(options.rounds):
        for part, measure in (("idle", lambda: measure_idle(options, number)), ("streams", lambda: measure_streams(options))):
            if part in parts:
                each = measure()
                print(f"{number + 1}. {options.connections} {part}: {each:.2f} KiB each", flush=True)
                results.record(f"B8/{part}", results.PARLEY, each, number)
    if "idle" in parts:
        measure_llama_server(options)
    sys.exit(results.verdict(*(f"B8/{part}" for part in parts)))


if __name__ == "__main__":
    main()
