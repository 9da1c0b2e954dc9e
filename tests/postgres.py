"""A PostgreSQL server for tests (tools/postgres), and databases on it."""
import atexit
import functools
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
TOOL = ROOT / "tools" / "postgres"


class Server:
    """Started in a temporary folder; stopped when this process ends. With `primary`, it is a copy of that
    server and follows it."""

    def __init__(self, *options, primary=None):
        self.programs = pathlib.Path(_told("program"))
        self.folder = tempfile.mkdtemp(prefix="parley-postgres-")
        atexit.register(self._remove)
        self._options = options
        self.base = self.follow(primary) if primary else self.start()

    def start(self):
        return _told("start", *self._options, self.folder)

    def stop(self):
        subprocess.run([TOOL, "stop", self.folder], check=False, stderr=subprocess.DEVNULL)

    def restart(self):
        subprocess.run([TOOL, "restart", self.folder], check=True)

    def follow(self, primary):
        """Becomes a copy of another server, which follows it."""
        return _told("standby", self.folder, primary.folder)

    def promote(self):
        subprocess.run([TOOL, "promote", self.folder], check=True)

    def kill(self):
        """SIGKILL, as if the machine had lost its power, but for the disk."""
        subprocess.run([TOOL, "kill", self.folder], check=True)

    def abort(self):
        """Ends it without a checkpoint, as `pg_ctl stop -m immediate` does."""
        pid = int((pathlib.Path(self.folder) / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        os.kill(pid, signal.SIGQUIT)
        while pathlib.Path(f"/proc/{pid}").exists():
            time.sleep(0.01)

    def query(self, sql, database="postgres"):
        """The rows, one line each, columns separated by |."""
        done = subprocess.run(
            [self.programs / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.url(database)],
            check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    def demand_passwords(self):
        """Passwords are demanded of all users but the owner."""
        (pathlib.Path(self.folder) / "data" / "pg_hba.conf").write_text(
            "local all parley trust\nlocal all all scram-sha-256\n", encoding="utf-8")
        self.query("SELECT pg_reload_conf()")

    def url(self, database):
        return self.base.replace("/postgres?", f"/{database}?")

    def database(self, name):
        """The URL of a database, which is created if it is missing."""
        if not self.query(f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):
            self.query(f"CREATE DATABASE {name}")
        return self.url(name)

    def start_after_kill(self):
        """Processes of the killed one may still be ending."""
        deadline = time.monotonic() + 60
        while True:
            try:
                return self.start()
            except RuntimeError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    @property
    def socket(self):
        return pathlib.Path(self.folder) / "socket" / ".s.PGSQL.5432"

    def _remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def _told(*arguments):
    done = subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"tools/postgres {arguments[0]}: {done.stderr}")
    return done.stdout.strip().splitlines()[-1]


def shareable(settings):
    """The settings with limits that servers can share, which is all that tests with higher ones need."""
    return {key: min(value, 1000) if key.startswith("limits.") else value for key, value in settings.items()}


@functools.cache
def is_there():
    return subprocess.run([TOOL, "program"], capture_output=True, check=False).returncode == 0


@functools.cache
def shared():
    """One server for all tests of this process."""
    if not is_there():
        pytest.skip("PostgreSQL is not installed and cannot be installed here (tools/postgres)")
    return Server()


def url_for(data):
    """The database that goes with a data directory."""
    name = hashlib.sha256(str(pathlib.Path(data).resolve()).encode()).hexdigest()[:16]
    return shared().database("data_" + name)
