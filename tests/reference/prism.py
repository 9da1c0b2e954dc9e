"""A plugin for pytest that puts Prism in front of every server that a test starts: a proxy that holds
each answer against docs/openapi.json. Used by hand, with tests that do not look at how an answer
arrives, which a proxy changes:

    python -m pytest -p reference.prism tests/e2e/test_users.py …

A violation fails the run."""
import re
import subprocess
import threading

import program
import reference.toolbox as toolbox

VIOLATION = re.compile(r"[Vv]iolation: (response\..*)")


class Prism:
    def __init__(self, address):
        self.violations = []
        self._process = subprocess.Popen(
            [str(each) for each in [
                *toolbox.tool("prism"), "proxy", program.ROOT / "docs/openapi.json",
                "http://%s:%d" % address, "--port", "0", "--host", "127.0.0.1",
                "--validate-request", "false"]],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = None
        ready = threading.Event()
        threading.Thread(target=self._read, args=(ready,), daemon=True).start()
        assert ready.wait(60), "Prism does not start"

    def _read(self, ready):
        for line in self._process.stdout:
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.address = ("127.0.0.1", int(found[1]))
                ready.set()
            violation = VIOLATION.search(line)
            if violation:
                self.violations.append(violation[1])
        ready.set()

    def stop(self):
        self._process.terminate()
        self._process.wait(30)


proxies = []
start_program, stop_program = program.Program.__init__, program.Program.wait


def started(self, *arguments, **options):
    start_program(self, *arguments, **options)
    proxy = Prism(self.address)
    proxies.append(proxy)
    self.address = proxy.address


program.Program.__init__ = started


def pytest_sessionfinish(session):
    found = [each for proxy in proxies for each in proxy.violations]
    for proxy in proxies:
        proxy.stop()
    print(f"\nPrism: {len(proxies)} servers, {len(found)} violations")
    for each in found[:20]:
        print(" ", each)
    if found:
        session.exitstatus = 1
