"""How a server starts and takes its leave."""
import signal
import socket
import time

import pytest

import people
import program
import wire


def wait_until_it_turns_away(connection):
    """Asks /readyz until it says no; how soon a signal is seen is up to the system."""
    deadline = time.monotonic() + program.PATIENCE
    while time.monotonic() < deadline:
        response = connection.ask("GET", "/readyz")
        if response.status != 200:
            return response
    raise TimeoutError("/readyz still says yes")


def refuses_connections(address):
    try:
        socket.create_connection(address, timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_ends_at_once_when_nobody_is_connected(start, number):
    server = start()
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz", {"Connection": "close"}).status == 200
        assert connection.read_to_end() == b""
    server.signal(number)
    assert server.wait() == 0
    began, ended = (people.at(server.log.wait_for(message=message)["at"])
                    for message in ("shutting down", "stopped"))
    assert ended - began < 2.5, "it waited as if somebody were connected"
    server.check_log()


def test_takes_its_leave_in_order(start):
    server = start()
    with wire.Connection(server.address) as busy, wire.Connection(server.address) as idle:
        assert busy.ask("GET", "/readyz").json() == {"status": "ready"}
        assert idle.ask("GET", "/healthz").status == 200
        server.signal(signal.SIGTERM)

        refusal = wait_until_it_turns_away(busy)
        assert refusal.status == 503 and refusal.json()["code"] == "shutting_down"
        assert int(refusal.header("retry-after")) >= 1
        assert busy.ask("GET", "/healthz").status == 200, "open connections are still served"
        assert refuses_connections(server.address), "no new connections"

        assert idle.read_to_end() == b"" and busy.read_to_end() == b""
    assert server.wait() == 0
    server.check_log()
    assert server.log.entries(message="stopped")


def test_a_request_in_hand_at_the_end_is_still_answered(start):
    server = start()
    with wire.Connection(server.address) as slow, wire.Connection(server.address) as probe:
        for connection in (slow, probe):  # Both are inside, not in the queue before the door.
            assert connection.ask("GET", "/healthz").status == 200
        slow.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
        server.signal(signal.SIGTERM)
        wait_until_it_turns_away(probe)
        assert probe.read_to_end() == b"", "idle connections are closed after a while"
        slow.send(b"\r\n")
        response = slow.read_response()
        assert response.status == 200 and response.closes
        assert slow.read_to_end() == b""
    assert server.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_second_signal_ends_it_at_once(start, number):
    server = start()
    with wire.Connection(server.address) as connection:
        connection.ask("GET", "/healthz")
        server.signal(signal.SIGTERM)
        wait_until_it_turns_away(connection)
        server.signal(number)
        assert server.wait() == 1, "it ended in its own time"


def test_starts_again_on_the_same_port_at_once(start):
    """Connections of the server before may still be in TIME_WAIT."""
    first = start()
    with wire.Connection(first.address) as connection:
        assert connection.ask("GET", "/healthz", {"Connection": "close"}).status == 200
        assert connection.read_to_end() == b""
    first.stop()
    second = start("--listen", "%s:%d" % first.address)
    assert second.address == first.address
    with wire.Connection(second.address) as connection:
        assert connection.ask("GET", "/healthz").status == 200


def test_listens_on_ipv6(start):
    server = start("--listen", "[::1]:0")
    assert server.address[0] == "::1"
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz").status == 200


def test_works_without_metrics(start):
    server = start(settings={"metrics.listen": "off"})
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz").status == 200
    assert not server.log.entries(message="metrics listening")


def test_a_hang_up_without_tls_changes_nothing(start):
    server = start()
    server.signal(signal.SIGHUP)
    server.log.wait_for_line(lambda line: "reload" in line)
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz").status == 200


def test_nobody_reading_the_log_does_not_stop_it(start):
    """A log reader that has gone must not take the server with it."""
    server = start(under=["bash", "-c", 'exec "$0" "$@" 2> >(sed -u /:.listening/q >&2)'])
    with wire.Connection(server.address) as connection:
        for _ in range(200):
            assert connection.ask("GET", "/healthz").status == 200
