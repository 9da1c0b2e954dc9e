"""Start and shutdown of a server."""
import signal
import socket
import time

import pytest

import chats
import feeds
import people
import program
import wire
from people import refused


def refuses_connections(address):
    try:
        socket.create_connection(address, timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def seconds_of_shutdown(start, number):
    """Of a server to which nobody is connected."""
    server = start()
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz", {"Connection": "close"}).status == 200
        assert connection.read_to_end() == b""
    server.signal(number)
    assert server.wait() == 0
    began, ended = (people.at(server.log.wait_for(message=message)["at"])
                    for message in ("shutting down", "stopped"))
    server.check_log()
    return ended - began


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_ends_at_once_when_nobody_is_connected(start, number):
    """A machine may pause one shutdown for long; one that waits for connections always takes three seconds."""
    tries = (seconds_of_shutdown(start, number) for _ in range(3))
    assert any(seconds < 2.5 for seconds in tries), "it waited as if somebody were connected"


def begin_request(connection):
    """Sends all but the end of it; the server waits for that some seconds, also when it shuts down."""
    assert connection.ask("GET", "/healthz").status == 200  # The connection is open and served.
    connection.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")


def ask_anew(server, target):
    """On a new connection, which the server closes after the response."""
    with wire.Connection(server.address) as connection:
        response = connection.ask("GET", target)
        assert response.closes and connection.read_to_end() == b""
    return response


def test_takes_its_leave_in_order(start):
    server = start()
    with wire.Connection(server.address) as idle, wire.Connection(server.address) as begun:
        assert idle.ask("GET", "/readyz").json() == {"status": "ready"}
        begin_request(begun)  # Otherwise it leaves after three seconds, which a slow machine may need for this.
        server.signal(signal.SIGTERM)
        refusal = server.wait_until_draining()
        assert refusal.status == 503 and refusal.json()["code"] == "shutting_down"
        assert int(refusal.header("retry-after")) >= 1

        for target in ("/readyz", "/docs", "/problems"):
            late = ask_anew(server, target)
            assert late.status == 503 and late.json()["code"] == "shutting_down", target
            assert int(late.header("retry-after")) >= 1
        assert ask_anew(server, "/v1/api/me").status == 401
        assert ask_anew(server, "/healthz").status == 200
        begun.send(b"\r\n")
        assert begun.read_response().status == 200
        assert idle.read_to_end() == b"", "idle connections are closed at the end"
    assert server.wait() == 0
    assert refuses_connections(server.address)
    server.check_log()
    assert server.log.entries(message="stopped")


def test_what_was_begun_goes_on_while_it_drains(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(house, "ana")
    # They take longer than a slow machine may need until the server drains, and less than it waits for them.
    with ana.stream("{words:40} {delay_ms:200}") as feed, \
            wire.Connection(house.server.address) as waiting:
        first = feed.next()
        waiting.send(wire.request_bytes(
            "POST", "/v1/api/chat/query",
            {"Authorization": f"Bearer {ana.token}", "Content-Type": "application/json"},
            b'{"message": "{words:35} {delay_ms:200}"}'))
        people.until(lambda: len(ana.get("/chat/sessions")["data"]) == 2)
        house.server.signal(signal.SIGTERM)
        house.server.wait_until_draining()
        began = time.monotonic()
        refused(ana.house.ask("GET", "/me", ana.token), 503, "shutting_down")
        events = [first] + feed.rest()
        assert chats.text_of(waiting.read_response().json()["message"]) == chats.words(35)
    assert feeds.written(feeds.check_events(events)) == chats.words(40)
    assert house.server.wait() == 0 and time.monotonic() - began < 30
    house.server.check_log()


def test_who_waits_for_a_run_at_the_end_is_told_which_one(start, tmp_path):
    """It takes longer than the server waits for it; the client can ask for it after the next start."""
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = chats.somebody(house, "ana")
    with wire.Connection(house.server.address, timeout=program.PATIENCE) as waiting:
        waiting.send(wire.request_bytes(
            "POST", "/v1/api/chat/query",
            {"Authorization": f"Bearer {ana.token}", "Content-Type": "application/json"},
            b'{"message": "{first_delay_ms:60000} hello"}'))
        run, = people.until(lambda: ana.get("/chat/runs?status=running")["data"])
        house.server.signal(signal.SIGTERM)
        response = waiting.read_response()
    problem = refused(response, 503, "shutting_down", "run_id", "session_id")
    assert (problem["run_id"], problem["session_id"]) == (run["id"], run["session_id"])
    assert response.header("x-run-id") == run["id"]
    assert house.server.wait() == 0
    house.server.check_log()
    house.come_back()
    ana.when(run, "running")
    ana.cancel(run)


def test_a_request_in_hand_at_the_end_is_still_answered(start):
    server = start()
    with wire.Connection(server.address) as slow:
        begin_request(slow)
        server.signal(signal.SIGTERM)
        server.wait_until_draining()
        slow.send(b"\r\n")
        response = slow.read_response()
        assert response.status == 200 and response.closes
        assert slow.read_to_end() == b""
    assert server.wait() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_second_signal_ends_it_at_once(start, number):
    server = start()
    with wire.Connection(server.address) as connection:
        begin_request(connection)  # So that it does not end in its own time before a slow machine sends the signal.
        server.signal(signal.SIGTERM)
        server.wait_until_draining()
        server.signal(number)
        assert server.wait() == 1, "it ended in its own time"


def test_starts_again_on_the_same_port_at_once(start):
    """Connections of the previous server may still be in TIME_WAIT."""
    for _ in range(3):
        first = start()
        with wire.Connection(first.address) as connection:
            assert connection.ask("GET", "/healthz", {"Connection": "close"}).status == 200
            assert connection.read_to_end() == b""
        first.stop()
        try:
            second = start("--listen", "%s:%d" % first.address)
            break
        except RuntimeError as failure:  # Another program may have got the port meanwhile.
            assert "another program uses it" in str(failure)
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
    """The server must survive the end of its log reader."""
    server = start(under=["bash", "-c", 'exec "$0" "$@" 2> >(sed -u /:.listening/q >&2)'])
    with wire.Connection(server.address) as connection:
        for _ in range(200):
            assert connection.ask("GET", "/healthz").status == 200
