"""Fixtures of the whole-program tests: every test talks to the real program over real sockets."""
import pytest

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


@pytest.fixture
def start():
    """Starts a separate server for the test: start("--tls-cert", …, settings={…}). It must stop without
    errors after the test, unless the test has stopped it itself."""
    started = []

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


def pytest_report_header():
    return f"program under test: {program.BINARY}"
