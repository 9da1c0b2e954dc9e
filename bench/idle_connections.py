#!/usr/bin/env python3
"""The memory of an idle connection:

    bench/idle_connections.py [--connections 5000]

Each connection has had one request answered; three seconds later the server's resident memory is compared
with the value before them, which excludes the memory of the kernel. Fails over 6 KiB each."""
import argparse
import pathlib
import resource
import selectors
import socket
import sys
import tempfile
import time

from contenders import Parley, missing_tools

BAR_BYTES = 6 * 1024
IDLE_SECONDS = 3
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n"


def resident_bytes(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def ask(connection):
    connection.sendall(REQUEST)
    received = b""
    while not received.endswith(b"}"):
        received += connection.recv(4096)


def let_idle(connections, seconds):
    """Waits, and checks that the server neither sends nor closes anything."""
    selector = selectors.DefaultSelector()
    for connection in connections:
        selector.register(connection, selectors.EVENT_READ)
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if selector.select(left):
            sys.exit("the server closed a connection that it should have kept")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--connections", type=int, default=5000)
    count = parser.parse_args().connections

    lacking = missing_tools()
    if lacking:
        sys.exit(f"missing: {', '.join(lacking)} (make build)")
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < count + 200:
        sys.exit(f"the system allows {most} open files, too few for {count} connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    with tempfile.TemporaryDirectory() as folder:
        with Parley(pathlib.Path(folder), logging=False, core=None,
                    settings=["server.loops=2", "server.max_connections=100000"]) as parley:
            address = ("127.0.0.1", parley.port)
            with socket.create_connection(address) as first:
                for _ in range(1000):
                    ask(first)
            before = resident_bytes(parley.process.pid)
            connections = []
            for _ in range(count):
                connections.append(socket.create_connection(address))
                ask(connections[-1])
            let_idle(connections, IDLE_SECONDS)
            after = resident_bytes(parley.process.pid)
            for connection in connections:
                connection.close()
    each = (after - before) / count
    print(f"{Parley.version()}: {count} idle keep-alive connections, "
          f"{before / 2**20:.1f} MiB before, {after / 2**20:.1f} MiB with them: "
          f"{each / 1024:.2f} KiB each")
    passed = each <= BAR_BYTES
    print(f"{'passed' if passed else 'FAILED'}: at most {BAR_BYTES // 1024} KiB is the bar")
    sys.exit(not passed)


if __name__ == "__main__":
    main()
