"""More clients than there is room for: some wait or are told so, nothing spins, and when the others
have gone all is as before."""
import contextlib
import select
import time

import pytest

import program
import wire


def is_served(server):
    with wire.Connection(server.address) as connection:
        connection.send(wire.request_bytes("GET", "/healthz"))
        try:
            response = connection.read_response()
        except ConnectionResetError:
            return False
        return response is not None and response.status == 200


def wait_until_served(server):
    """How soon the server notices that others have left is up to the system."""
    deadline = time.monotonic() + program.PATIENCE
    while not is_served(server):
        assert time.monotonic() < deadline, "it does not recover"


def test_one_connection_too_many_is_told_so(start):
    server = start(settings={"server.max_connections": 10})
    with contextlib.ExitStack() as stack:
        welcome = [stack.enter_context(wire.Connection(server.address)) for _ in range(10)]
        for connection in welcome:
            assert connection.ask("GET", "/healthz").status == 200

        outcome = wire.exchange(server.address, wire.request_bytes("GET", "/healthz"))
        assert outcome.statuses == [503] and outcome.closed
        assert outcome.responses[0].json()["code"] == "overloaded"
        assert int(outcome.responses[0].header("retry-after")) >= 1

        for connection in welcome:
            assert connection.ask("GET", "/healthz").status == 200, "those inside notice nothing"
        welcome[0].close()
        wait_until_served(server)
    wait_until_served(server)


def test_a_crowd_at_the_door_does_not_harm_those_inside(start):
    """Far more than are told why: they are just closed."""
    server = start(settings={"server.max_connections": 5})
    with contextlib.ExitStack() as stack:
        inside = [stack.enter_context(wire.Connection(server.address)) for _ in range(5)]
        for connection in inside:
            assert connection.ask("GET", "/healthz").status == 200
        crowd = [stack.enter_context(wire.Connection(server.address)) for _ in range(200)]
        statuses = set()
        for connection in crowd:
            with contextlib.suppress(ConnectionResetError):
                response = connection.read_response()
                statuses.add(response and response.status)
        assert statuses <= {503, None}
        for connection in inside:
            assert connection.ask("GET", "/healthz").status == 200
    wait_until_served(server)


@pytest.mark.skipif(program.CHECKS_VPTRS, reason="UBSan itself needs a descriptor for each vptr")
def test_running_out_of_descriptors_neither_kills_nor_spins(start):
    server = start(under=["prlimit", "--nofile=64:64"])
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(wire.Connection(server.address))
        assert first.ask("GET", "/healthz").status == 200
        crowd = [stack.enter_context(wire.Connection(server.address)) for _ in range(200)]
        for connection in crowd:
            with contextlib.suppress(ConnectionError):
                connection.send(wire.request_bytes("GET", "/healthz"))

        before = server.cpu_seconds()
        under_pressure_until = time.monotonic() + 3
        while (left := under_pressure_until - time.monotonic()) > 0:
            select.select([], [], [], left)
        assert server.cpu_seconds() - before < 1.0
        assert server.is_alive()
        assert first.ask("GET", "/healthz").status == 200
        assert server.log.entries(message="cannot accept connections"), "it never ran out"
    wait_until_served(server)
