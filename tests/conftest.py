"""Fixtures of the whole-program tests: every test talks to the real program over real sockets."""
import datetime
import os
import shutil
import subprocess

import pytest

import postgres
import program


@pytest.fixture(scope="session", autouse=True)
def many_descriptors():
    program.allow_many_descriptors()


@pytest.fixture(scope="session")
def shared_server():
    started = program.Program()
    yield started
    started.stop()


@pytest.fixture
def server(shared_server):
    """A server with default settings, shared by all tests that do not change it."""
    yield shared_server
    assert shared_server.is_alive(), "this test killed it:\n" + shared_server.log.text()[-4000:]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """Adds the logs of the servers of a test to its failure."""
    outcome = yield
    report = outcome.get_result()
    if report.failed:
        for number, each in enumerate(getattr(item, "servers", []), 1):
            report.sections.append((f"log of server {number}", each.log.text()[-3000:]))


@pytest.fixture
def start(request):
    """Starts a separate server for the test: start("--tls-cert", …, settings={…}). It must stop without
    errors after the test, unless the test has stopped it itself."""
    started = request.node.servers = []

    def start_one(*arguments, **options):
        one = program.Program(*arguments, **options)
        started.append(one)
        return one

    yield start_one
    failures = []
    for one in started:
        try:
            if not one.end_was_seen:
                one.stop()
        except AssertionError as failure:
            failures.append(failure)
    if failures:
        raise failures[0]


@pytest.fixture(name="clock")
def wall_clock(tmp_path):
    """Shifts the wall clock of servers that are started with it, also while they run."""
    return shifted_clocks(tmp_path, "WALL_CLOCK_OFFSET")


@pytest.fixture(name="passed")
def passed_time(tmp_path):
    """Lets time pass for servers that are started with it, also while they run: all their clocks are shifted."""
    return shifted_clocks(tmp_path, "ALL_CLOCKS_OFFSET")


def shifted_clocks(tmp_path, variable):
    compiler = next(filter(None, map(shutil.which, ("clang-19", "clang", "cc"))))
    library = tmp_path / "wall_clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library,
                    program.ROOT / "tests/wall_clock.c"], check=True)
    file = tmp_path / "offset"

    def set_off(**by):
        written = tmp_path / "offset.new"
        seconds = int(datetime.timedelta(**by).total_seconds())
        written.write_text(f"{seconds}\n", encoding="utf-8")
        os.replace(written, file)
    set_off()
    set_off.environment = {"LD_PRELOAD": str(library), variable: str(file)}
    return set_off


def pytest_report_header():
    return f"program under test: {program.BINARY}"


@pytest.fixture(name="own_postgres")
def separate_postgres():
    """A PostgreSQL server for one test, which may stop it."""
    if not postgres.is_there():
        pytest.skip("PostgreSQL is not installed and cannot be installed here (tools/postgres)")
    server = postgres.Server()
    yield server
    server.stop()
