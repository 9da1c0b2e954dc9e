"""More clients than the limits allow: some wait or get an error, nothing spins, and afterwards everything
works as before."""
import contextlib
import select
import time

import pytest

import program
import wire


def is_served(server):
    with wire.Connection(server.address) as connection:
        try:  # A connection too many may have ended before the request is sent.
            connection.send(wire.request_bytes("GET", "/healthz"))
            response = connection.read_response()
        except ConnectionError:
            return False
        return response is not None and response.status == 200


def wait_until_served(server):
    """The time until the server notices a disconnect depends on the system."""
    deadline = time.monotonic() + program.PATIENCE
    while not is_served(server):
        assert time.monotonic() < deadline, "it does not recover"


# A request that waits for the end of its body; enough has arrived to allow 25 seconds.
BODY = b"x" * 15_000
MANY_LOGINS = {"limits.auth": 1000}


def busy_connections(stack, server, count):
    """Each in the middle of a request, so that none can be closed for others."""
    token = wire.exchange(server.address, wire.request_bytes("GET", "/app.json"))
    token = token.responses[0].json()["client_token"]
    request = wire.request_bytes("POST", "/v1/api/auth/login", {
        "Authorization": f"Bearer {token}", "Content-Type": "application/json",
        "Content-Length": str(len(BODY))}) + BODY[:-1]
    connections = [stack.enter_context(wire.Connection(server.address)) for _ in range(count)]
    for connection in connections:  # The second request arrives with the first, which is answered.
        connection.send(wire.request_bytes("GET", "/healthz") + request)
        assert connection.read_response().status == 200
    return connections


def finish(connection):
    connection.send(BODY[-1:])
    assert connection.read_response().status == 400, "those inside notice nothing"


def refusal(server):
    """The response to one connection too many; None if it is served. A client that sends first may get a
    reset."""
    outcome = wire.exchange(server.address, wire.request_bytes("GET", "/healthz"))
    if outcome.statuses == [200]:
        return None
    assert outcome.statuses == [503] and outcome.closed
    assert outcome.responses[0].json()["code"] == "overloaded"
    assert int(outcome.responses[0].header("retry-after")) >= 1
    return outcome.responses[0]


def test_one_connection_too_many_is_told_so(start):
    server = start(settings={"server.max_connections": 10, **MANY_LOGINS})
    with contextlib.ExitStack() as stack:
        inside = busy_connections(stack, server, 10)
        assert refusal(server)
        for connection in inside:
            finish(connection)
    wait_until_served(server)


def test_the_longest_idle_connection_gives_way(start):
    # One event loop: a connection is idle before the next request is read. With several, the order in which
    # they become idle is not the order of their responses.
    server = start(settings={"server.max_connections": 3, "server.loops": 1})
    with contextlib.ExitStack() as stack:
        def come():
            connection = stack.enter_context(
                wire.Connection(server.address, timeout=program.PATIENCE))
            assert connection.ask("GET", "/healthz").status == 200
            return connection

        idle = [come() for _ in range(3)]
        idle.append(idle.pop(0))
        assert idle[-1].ask("GET", "/healthz").status == 200  # The first is now the last to be closed.
        for _ in range(3):
            idle.append(come())
            assert idle.pop(0).socket.recv(1) == b"", "the longest idle one is closed"
        for connection in idle:
            assert connection.ask("GET", "/healthz").status == 200


def test_a_crowd_at_the_door_does_not_harm_those_inside(start):
    """Far more than get an error: these are closed without one."""
    server = start(settings={"server.max_connections": 5, **MANY_LOGINS})
    with contextlib.ExitStack() as stack:
        inside = busy_connections(stack, server, 5)
        crowd = [stack.enter_context(wire.Connection(server.address)) for _ in range(200)]
        statuses = set()
        for connection in crowd:
            with contextlib.suppress(ConnectionResetError):
                response = connection.read_response()
                statuses.add(response and response.status)
        assert statuses <= {503, None}
        for connection in inside:
            finish(connection)
    wait_until_served(server)


def test_one_address_does_not_take_all_connections(start):
    server = start(settings={"server.max_connections_per_address": 5})
    with contextlib.ExitStack() as stack:
        inside = [stack.enter_context(wire.Connection(server.address)) for _ in range(5)]
        for connection in inside:
            assert connection.ask("GET", "/healthz").status == 200
        assert refusal(server)
        for connection in inside:
            assert connection.ask("GET", "/healthz").status == 200
        inside[0].close()
        wait_until_served(server)


@pytest.mark.parametrize("settings", [
    {"server.max_connections_per_address": 0},
    {"server.max_connections_per_address": 1, "server.trusted_proxies": "127.0.0.0/8"}],
    ids=["without a limit", "a proxy"])
def test_a_proxy_may_have_any_number_of_connections(start, settings):
    server = start(settings=settings)
    with contextlib.ExitStack() as stack:
        inside = [stack.enter_context(wire.Connection(server.address)) for _ in range(300)]
        for connection in inside:
            assert connection.ask("GET", "/healthz").status == 200


@pytest.mark.skipif(program.CHECKS_VPTRS, reason="UBSan itself needs a descriptor for each vptr")
def test_running_out_of_descriptors_neither_kills_nor_spins(start):
    server = start(under=["prlimit", "--nofile=64:64"], settings=MANY_LOGINS)
    with contextlib.ExitStack() as stack:
        first = busy_connections(stack, server, 1)[0]  # An idle one would be closed for the others.
        crowd = [stack.enter_context(wire.Connection(server.address)) for _ in range(200)]
        for connection in crowd:
            with contextlib.suppress(ConnectionError):
                connection.send(b"GET /healthz HTTP/1.1\r\n")

        before = server.cpu_seconds()
        under_pressure_until = time.monotonic() + 3
        while (left := under_pressure_until - time.monotonic()) > 0:
            select.select([], [], [], left)
        assert server.cpu_seconds() - before < 1.0
        assert server.is_alive()
        finish(first)
        assert server.log.wait_for(message="cannot accept connections"), "it never ran out"
    wait_until_served(server)
