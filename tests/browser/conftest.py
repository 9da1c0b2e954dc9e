"""A browser for the flows beside this file: flow(server, "asking.mjs", "stops", name=handler, …) runs
one of them against a server. What a browser cannot do, the flow asks a handler for."""
import json
import os
import pathlib
import shutil
import subprocess
import threading

import pytest

import node
import people
import program

ALL = bool(os.environ.get("PARLEY_BROWSER"))
# A browser is slow enough: the sanitizers' build is tested by everything else.
ONCE = pytest.mark.skipif(program.CHECKS_VPTRS and not ALL, reason="tested with the release build alone")
LONG = pytest.mark.skipif(not ALL, reason="part of `make browser`")
QUICK = {"test_units_of_the_web_app", "test_set_up_by_the_link"}
HERE = pathlib.Path(__file__).resolve().parent
NODE = (18, 19)
LONGEST = 240
PICTURES = program.ROOT / "build/pictures"
PASSWORD = "otter lantern quarry seven"


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(ONCE)
            if item.name not in QUICK:
                item.add_marker(LONG)


@pytest.fixture(scope="session")
def chromium():
    found = shutil.which("chromium") or shutil.which("google-chrome")
    assert found, "these tests need Chromium (on Debian: the package chromium)"
    return found


@pytest.fixture(scope="session")
def packages():
    return node.packages(HERE / "npm", node.cache() / "browser-npm", NODE)


@pytest.fixture
def flow(chromium, packages):
    PICTURES.mkdir(parents=True, exist_ok=True)
    running = []

    def run(server, file, name, **handlers):
        process = subprocess.Popen(
            [*node.commands(NODE)[0], HERE / "run.mjs", packages, chromium, server.url(), PICTURES, file, name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        running.append(process)
        deadline = threading.Timer(LONGEST, process.kill)  # Sooner than that of pytest, which ends all tests.
        deadline.daemon = True
        deadline.start()
        for line in process.stdout:
            said = json.loads(line)
            if "ask" not in said:
                deadline.cancel()
                assert said["faults"] == [], "\n".join(said["faults"])
                return said["result"]
            answer = handlers[said["ask"]](*said["details"])
            process.stdin.write(json.dumps(answer) + "\n")
            process.stdin.flush()
        raise AssertionError(f"{name} ended early, with {process.wait(10)}")

    yield run
    for process in running:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def with_ana(start):
    """Starts a server that has a member, Ana: with_ana(settings={…})."""
    def begin(*arguments, settings=None):
        server = start(*arguments, settings={**people.ROOMY, "limits.chat": 1000,
                                             "server.contact": "ops@example.org", **(settings or {})})
        house = people.House(server).set_up(password=PASSWORD)
        house.ask("POST", "/users", house.admin,
                  {"username": "ana", "password": PASSWORD, "display_name": "Ana"})
        return server
    return begin
