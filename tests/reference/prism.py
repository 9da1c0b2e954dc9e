"""A pytest plugin that puts Prism in front of every server that a test starts: a proxy that checks each
response against the document, $PARLEY_PRISM_DOCUMENT. Its findings are written to $PARLEY_PRISM_REPORT.
See test_prism.py."""
import json
import os
import pathlib
import re
import subprocess
import threading

import program
import reference.toolbox as toolbox

VIOLATION = re.compile(r"[Vv]iolation: (response\..*)")


class Prism:
    def __init__(self, server):
        self.server = server
        self.violations = []
        self.answers = 0
        self._process = subprocess.Popen(
            [str(each) for each in [
                *toolbox.tool("prism"), "proxy", os.environ["PARLEY_PRISM_DOCUMENT"],
                "http://%s:%d" % server.address, "--port", "0", "--host", "127.0.0.1",
                "--validate-request", "false"]],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = None
        ready = threading.Event()
        self._reader = threading.Thread(target=self._read, args=(ready,), daemon=True)
        self._reader.start()
        assert ready.wait(60), "Prism does not start"

    def _read(self, ready):
        for line in self._process.stdout:
            found = re.search(r"listening on http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.address = ("127.0.0.1", int(found[1]))
                ready.set()
            self.answers += "has returned" in line
            violation = VIOLATION.search(line)
            if violation:
                self.violations.append(violation[1])
        ready.set()

    def is_needed(self):
        return self._process.poll() is None and self.server.is_alive()

    def stop(self):
        self._process.terminate()
        self._process.wait(30)
        self._reader.join(30)


proxies = []
start_program = program.Program.__init__


def started(self, *arguments, **options):
    start_program(self, *arguments, **options)
    for earlier in proxies:
        if not earlier.is_needed():
            earlier.stop()
    proxy = Prism(self)
    proxies.append(proxy)
    self.address = proxy.address


program.Program.__init__ = started


def pytest_sessionfinish():
    for proxy in proxies:
        proxy.stop()
    pathlib.Path(os.environ["PARLEY_PRISM_REPORT"]).write_text(json.dumps({
        "answers": sum(proxy.answers for proxy in proxies),
        "violations": [each for proxy in proxies for each in proxy.violations]}), "utf-8")
