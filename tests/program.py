"""The program under test: starting it, reading its log, and checking its end.

PARLEY_BINARY names another build of it, such as build/dev/parley with its sanitizers. With
PARLEY_STORE=postgres, servers use PostgreSQL unless a test chooses its store. PARLEY_OLDER_BINARY names an
earlier version, for the tests of upgrades that need one."""
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import pytest

import postgres
import wire

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = (ROOT / os.environ.get("PARLEY_BINARY", "build/release/parley")).resolve()

OLDER_BINARY = os.environ.get("PARLEY_OLDER_BINARY")

# The features that it was built with.
_CODE = BINARY.read_bytes() if BINARY.is_file() else b""
CHECKS_VPTRS = b"__ubsan_vptr_type_cache" in _CODE
IS_SANITIZED = b"__asan_init" in _CODE or b"__tsan_init" in _CODE
del _CODE

# For tests with the same result in every build, such as documents: they run with the release only.
once = pytest.mark.skipif(IS_SANITIZED, reason="says the same of every build")

# With a sanitizer a process is far slower, especially at its end; no test measures by this.
PATIENCE = 120.0

# Both as a JSON object and as a line for people.
LISTENING = re.compile(r"""\b(metrics listening|listening)\b.*?\baddress(?:":"|=)([^\s",]+)""")
SANITIZER_REPORT = re.compile(r"(Address|Leak|Thread|Memory)Sanitizer|runtime error:|\bSUMMARY: ")


def allow_many_descriptors():
    """Lets this process open as many sockets as the system permits."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def clean_environment(**changes):
    """The environment for a command: without settings of the person who runs the tests, without a home
    directory, and without weights to load; with these changes."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("PARLEY_", "XDG_")) and name != "HOME"}
    return {**kept, "PARLEY_MODEL_DEFAULT": "scripted", **changes}


def run(*arguments, timeout=PATIENCE, env=None, **options):
    """Runs a command of the program to its end, in a temporary data directory unless another one is given."""
    with tempfile.TemporaryDirectory(prefix="parley-test-") as data:
        return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=timeout,
                              check=False, env=env or clean_environment(PARLEY_DATA=data), **options)


def most_memory(process):
    """That it has ever taken, in bytes."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        line, = (line for line in file if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


class Log:
    """The lines of the program's standard error, as they are written."""

    def __init__(self, stream):
        self.lines = []
        self.ended = False
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._reader.start()

    def _read(self, stream):
        with stream:
            for line in stream:
                with self._changed:
                    self.lines.append(line.decode("utf-8", "surrogateescape").rstrip("\n"))
                    self._changed.notify_all()
        with self._changed:
            self.ended = True
            self._changed.notify_all()

    def wait_for_line(self, fits, timeout=PATIENCE, after=0):
        """The first matching line after the first `after` lines. None if the log ends without one."""
        deadline = time.monotonic() + timeout
        looked_at = after
        with self._changed:
            while True:
                for line in self.lines[looked_at:]:
                    if fits(line):
                        return line
                looked_at = len(self.lines)
                if self.ended:
                    return None
                if not self._changed.wait(deadline - time.monotonic()):
                    raise TimeoutError("no such line in the log:\n" + "\n".join(self.lines[-20:]))

    def wait_for(self, timeout=PATIENCE, after=0, **fields):
        """The first entry with these values. None if the log ends without one."""
        line = self.wait_for_line(lambda line: has(line, fields), timeout, after)
        return None if line is None else entry_of(line)

    def entries(self, **fields):
        """All entries so far with these values."""
        with self._changed:
            return [entry_of(line) for line in self.lines if has(line, fields)]

    def text(self):
        with self._changed:
            return "\n".join(self.lines)

    def wait_until_ended(self):
        self._reader.join(PATIENCE)


def entry_of(line):
    """A log line as an object; empty if it is not one."""
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry if isinstance(entry, dict) else {}


def has(line, fields):
    """True if a log line is an object with these values."""
    if not all(json.dumps(value) in line for value in fields.values()):
        return False  # A quick check before parsing: there may be a hundred thousand lines.
    entry = entry_of(line)
    return all(name in entry and entry[name] == value for name, value in fields.items())


def host_and_port(address):
    host, port = address.rsplit(":", 1)
    return host.strip("[]"), int(port)


class Program:
    """A `parley serve` on free ports. Its data directory is temporary, unless the arguments name one."""

    def __init__(self, *arguments, settings=None, under=(), environment=None, binary=BINARY):
        settings = {"metrics.listen": "127.0.0.1:0", **(settings or {})}
        in_postgres = "store.url" in settings or (
            os.environ.get("PARLEY_STORE") == "postgres" and "store.kind" not in settings)
        if in_postgres:
            # Nothing routes requests to these servers that could notice that they end.
            settings = {"cluster.drain_s": 0, **postgres.shareable(settings)}
        options = [f"--set={key}={value}" for key, value in settings.items()]
        if "--listen" not in arguments:
            options += ["--listen", "127.0.0.1:0"]
        self._own_data = None
        if "--data" not in arguments:
            self._own_data = tempfile.mkdtemp(prefix="parley-test-")
            arguments += ("--data", self._own_data)
        self.data = pathlib.Path(arguments[arguments.index("--data") + 1])
        if in_postgres and "store.url" not in settings:
            options.append("--set=store.url=" + postgres.url_for(self.data))
        self.process = subprocess.Popen(
            [*under, binary, "serve", *options, *arguments], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=clean_environment(**(environment or {})))
        self.end_was_seen = False
        self.logs_json = settings.get("log.format") != "people"
        self.log = Log(self.process.stderr)
        self.address = self._address_in("listening")
        self._metrics_address = None

    def _address_in(self, message):
        def told(line):
            match = LISTENING.search(line)
            return match if match and match[1] == message else None
        line = self.log.wait_for_line(told)
        if line is None:
            raise RuntimeError(f"the program ended at its start:\n{self.log.text()}")
        return host_and_port(told(line)[2])

    @property
    def pid(self):
        return self.process.pid

    @property
    def metrics_address(self):
        self._metrics_address = self._metrics_address or self._address_in("metrics listening")
        return self._metrics_address

    def url(self, path=""):
        return "http://%s:%d%s" % (*self.address, path)

    def wait_until_draining(self):
        """After SIGTERM: polls /readyz, over a new connection each time, until it answers 503."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with wire.Connection(self.address) as connection:
                response = connection.ask("GET", "/readyz")
            if response.status != 200:
                return response
        raise TimeoutError("/readyz still says yes")

    def is_alive(self):
        return self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self, timeout=PATIENCE):
        """The exit code, after it has ended."""
        code = self.process.wait(timeout)
        self.end_was_seen = True
        self.log.wait_until_ended()
        if self._own_data:
            shutil.rmtree(self._own_data, ignore_errors=True)
        return code

    def cpu_seconds(self):
        """The CPU time of all its threads so far."""
        with open(f"/proc/{self.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/status", encoding="utf-8") as file:
            line, = (line for line in file if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def stop(self):
        """Stops it as an operator would, and checks that there were no errors."""
        if self.is_alive():
            self.signal(signal.SIGTERM)
        try:
            code = self.wait()
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("it does not end on SIGTERM:\n" + self.log.text()) from None
        assert code == 0, f"exit code {code}:\n{self.log.text()[-4000:]}"
        self.check_log()

    def check_log(self):
        """Every line is one JSON object; there are no reports of sanitizers and no internal errors."""
        for line in self.log.lines:
            assert not SANITIZER_REPORT.search(line), self.log.text()
            entry = entry_of(line)
            assert entry or not self.logs_json, f"not a JSON object: {line!r}"
            assert entry.get("code") != "internal", line
