#!/usr/bin/env python3
"""The time from a fresh clone to the first answer, and that of all tests, with nothing built before:

    bench/fresh_clone.py [answer] [test]      both, unless named; about an hour

Each part has a clone of the newest commit and empty caches: compiled objects, fetched sources and models, test tools.
What the package manager installs is there already."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import results
from contenders import ROOT, free_port

PARTS = ("answer", "test")
PASSWORD = "correct horse battery staple"


class Clone:
    """A clone in a folder with its own caches and data."""

    def __init__(self, folder):
        self.place = folder / "parley"
        subprocess.run(["git", "clone", "--quiet", ROOT, self.place], check=True)
        empty = {name: str(folder / name.lower())
                 for name in ("PARLEY_CACHE", "CCACHE_DIR", "PIP_CACHE_DIR", "npm_config_cache")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PARLEY_", "CCACHE_"))}
        self.environment = {**kept, **empty}

    def run(self, *command, **options):
        return subprocess.run(command, cwd=self.place, env=self.environment, check=True, text=True, **options)


@contextlib.contextmanager
def serving(clone, port):
    """`make run`, until it is stopped."""
    process = subprocess.Popen(["make", "run", f"ARGS=--listen 127.0.0.1:{port}"], cwd=clone.place,
                               env=clone.environment, start_new_session=True, stdin=subprocess.DEVNULL)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until_ready(process, port):
    while True:
        with contextlib.suppress(OSError):  # Nothing listens, or the model is being loaded.
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5).close()
        if process.poll() is not None:
            sys.exit(f"make run ended with status {process.returncode}")
        time.sleep(0.2)


def first_answer(clone):
    port = free_port()
    clone.environment["PARLEY_DATA"] = str(clone.place.parent / "data")
    with serving(clone, port) as process:
        wait_until_ready(process, port)
        program = clone.place / "build/release/parley"
        clone.run(program, "user", "add", "ana", "--role", "operator", "--password-stdin", input=PASSWORD)
        token = clone.run(program, "token", "create", "--user", "ana", stdout=subprocess.PIPE).stdout.strip()
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/api/chat/query",
            json.dumps({"message": "What is the capital of France?", "temperature": 0}).encode(),
            {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=300) as response:
            text = response.read().decode()
        if not re.search(r"\bParis\b", text):
            sys.exit(f"the answer is wrong: {text[:500]}")


def test(clone):
    if subprocess.run(["make", "test"], cwd=clone.place, env=clone.environment, check=False).returncode:
        sys.exit("make test failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts = parser.parse_args().parts or PARTS
    for part in parts:
        with tempfile.TemporaryDirectory(prefix="parley-clone-") as folder:
            begun = time.monotonic()
            clone = Clone(pathlib.Path(folder))
            {"answer": first_answer, "test": test}[part](clone)
            minutes = (time.monotonic() - begun) / 60
            print(f"{part}: {minutes:.1f} minutes", flush=True)
            results.record(f"B15/{part}", results.PARLEY, minutes)
    sys.exit(results.verdict(*(f"B15/{part}" for part in parts)))


if __name__ == "__main__":
    main()
