"""HAProxy before servers under test, with the file of the documentation."""
import re
import socket
import subprocess
import types

import pytest

import people
import program
import wire

EXAMPLE = program.ROOT / "docs" / "examples" / "haproxy.cfg"
TOOL = program.ROOT / "tools" / "haproxy"
SERVERS = ("10.0.0.1:8080", "10.0.0.2:8080", "10.0.0.3:8080")


class Balancer:
    """Only the address, the certificate and the servers of the file are replaced. The socket on which it
    listens is opened here: no other program can get the port, and it stays the same over restarts."""

    def __init__(self, folder, addresses):
        found = subprocess.run([TOOL], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            pytest.skip("HAProxy is not installed and cannot be installed here (tools/haproxy): " + found.stderr)
        self._program = found.stdout.strip().splitlines()[-1]
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.address = self._socket.getsockname()
        self._file = folder / "haproxy.cfg"
        self._file.write_text(self._configured(addresses), encoding="utf-8")
        self._check_file()
        self.process = None
        self.start()

    def _configured(self, addresses):
        text = EXAMPLE.read_text(encoding="utf-8")
        text, bound = re.subn(r"bind :443 .*", f"bind fd@{self._socket.fileno()}", text)
        assert bound == 1
        for place, address in zip(SERVERS, addresses, strict=True):
            assert text.count(place) == 1
            text = text.replace(place, "%s:%d" % address)
        return text

    def _run(self, *arguments):
        return [self._program, *arguments, "-f", str(self._file)]

    def _check_file(self):
        checked = subprocess.run(self._run("-c"), capture_output=True, text=True, check=False,
                                 pass_fds=[self._socket.fileno()])
        assert checked.returncode == 0 and "warning" not in checked.stderr.lower(), checked.stderr

    def start(self):
        self.process = subprocess.Popen(self._run("-db"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        pass_fds=[self._socket.fileno()])
        people.until(self.is_serving)

    def is_serving(self):
        """Whether a request reaches a server."""
        assert self.process.poll() is None, f"HAProxy has ended: {self.process.returncode}"
        try:
            with wire.Connection(self.address, timeout=5) as connection:
                return connection.ask("GET", "/healthz").status == 200
        except (OSError, AssertionError):
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.kill()
        self._socket.close()


class Front(people.House):
    """An address behind which servers are, without their files."""

    def __init__(self, address):  # pylint: disable=super-init-not-called
        self.server = types.SimpleNamespace(address=address)
        self.operator = None
