"""A server with generous limits for measurements, and users who chat on it."""
import json
import pathlib
import shutil
import socket
import sys
import tempfile
import urllib.request

import contenders

sys.path.insert(0, str(contenders.ROOT / "tests"))
try:
    import people  # pylint: disable=wrong-import-position
except ModuleNotFoundError as missing:
    sys.exit(f"missing: {missing.name} (start it with $(tools/venv)/python, as make bench does)")

# Limits of a second: the higher a limit, the fewer users fit into the limiter's file.
ROOMY = ["server.loops=0", "server.max_connections=100000", "limits.window_s=1",
         "limits.chat=200000", "limits.general=200000", "limits.auth=20000", "auth.access_ttl_s=86400",
         "model.default=scripted", "runs.max_concurrent=10000", "runs.max_queued=10000",
         "runs.timeout_s=600"]


def processor_seconds(pid):
    return contenders.processor_seconds(pid)


def resident_bytes(pid):
    return contenders.resident_bytes(pid)


def open_files(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def threads(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))


def late_loops(metrics):
    """How often an event loop was late by more than 5 ms."""
    with urllib.request.urlopen(metrics, timeout=10) as response:
        text = response.read().decode()
    lines = [line.rpartition(" ") for line in text.splitlines() if line.startswith("parley_loop_lag_seconds_")]
    return (sum(float(count) for name, _, count in lines if "_count{" in name)
            - sum(float(count) for name, _, count in lines if name.endswith('le="0.005"}')))


class House(people.House):
    """A server in a temporary directory."""

    def __init__(self, folder=None, settings=()):
        lacking = contenders.missing_tools()
        if lacking:
            sys.exit(f"missing: {', '.join(lacking)} (make build)")
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="parley-bench-", dir=folder))
        server = contenders.Parley(self._folder, logging=False, core=None,
                                   settings=[*ROOMY, *settings])
        self.server = server
        server.address = ("127.0.0.1", server.port)
        server.data = self._folder / "data"
        try:  # It answers a moment before all its files exist.
            people.until((server.data / "server-address").exists)
            super().__init__(server)
            self.set_up()
        except BaseException:
            self.__exit__()
            raise

    def setup_code(self):
        people.until((self.server.data / "setup-link").exists)
        return self.file("setup-link").partition("#setup=")[2]

    @property
    def pid(self):
        return self.server.process.pid

    @property
    def version(self):
        return self.server.version()

    def tokens(self, count):
        """Tokens of this many new users."""
        return [self.token_for(self.add(f"user{number}"))["token"] for number in range(count)]

    def connect(self):
        connection = socket.create_connection(self.server.address)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Sends the signal twice, so that it does not wait for running runs."""
        try:
            self.server.process.terminate()
            self.server.__exit__()
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)


def request(method, path, token, body=None):
    """The bytes of a request; the path is relative to /v1/api."""
    payload = b"" if body is None else json.dumps(body).encode()
    head = (f"{method} /v1/api{path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
            + (f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n"
               if body is not None else "") + "\r\n")
    return head.encode() + payload
