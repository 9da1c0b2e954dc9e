"""Refused bodies. The refusal reaches the client, even while it is still sending, and the body is never read
as a request."""
import itertools
import threading
import time

import pytest

import wire

SMUGGLED = "refused-body-inner"
INNER = wire.request_bytes("GET", "/healthz", {"X-Request-Id": SMUGGLED})
numbers = itertools.count()
# The server reads on after a refusal, until its client has been silent for so many seconds.
PATIENCE_WITH_SILENCE = 2


def padded(size):
    """A complete request, repeated: reading from any position finds one."""
    return (INNER * (size // len(INNER) + 1))[:size // len(INNER) * len(INNER)]


def chunked(body):
    return b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"


BODIES = {
    "one request": ({}, INNER),
    "a few": ({}, padded(5_000)),
    "as much as is read over": ({}, padded(64 * 1024)),
    "more than is read over": ({}, padded(65 * 1024 + 500)),
    "1 MiB and more": ({}, padded(1024 * 1024 + 5_000)),
    "chunked": ({"Transfer-Encoding": "chunked"}, chunked(INNER)),
    "chunked and large": ({"Transfer-Encoding": "chunked"}, chunked(padded(200_000))),
    "expected to wait": ({"Expect": "100-continue"}, INNER),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("method, target, status", [
    ("POST", "/nothing", 404), ("PUT", "/healthz", 405), ("BREW", "/healthz", 501),
    ("GET", "/problems/no_such_code", 404), ("GET", "/healthz", 200)])
def test_is_answered_once_and_the_body_never_runs(server, name, method, target, status):
    headers, body = BODIES[name]
    outer = f"refused-body-{next(numbers)}"
    if "Transfer-Encoding" not in headers:
        headers = {**headers, "Content-Length": str(len(body))}
    payload = wire.request_bytes(method, target, {**headers, "X-Request-Id": outer}) + body
    outcome = wire.exchange(server.address, payload)
    assert outcome.statuses == [status]
    assert outcome.responses[0].header("x-request-id") == outer

    fence = outer + "-fence"
    with wire.Connection(server.address) as connection:
        connection.ask("GET", "/healthz", {"X-Request-Id": fence})
    server.log.wait_for(request_id=fence)
    assert len(server.log.entries(request_id=outer)) == 1
    assert not server.log.entries(request_id=SMUGGLED)


@pytest.mark.parametrize("size", [1, 5_000, 64 * 1024])
def test_the_connection_goes_on_behind_a_small_one(server, size):
    with wire.Connection(server.address) as connection:
        for _ in range(3):
            response = connection.ask("POST", "/nothing", body=b"x" * size)
            assert response.status == 404 and not response.closes
        assert connection.ask("GET", "/healthz").status == 200


def test_a_small_one_may_come_after_the_answer(server):
    with wire.Connection(server.address) as connection:
        connection.send(wire.request_bytes("POST", "/nothing", {"Content-Length": len(INNER)}))
        assert connection.read_response().status == 404
        connection.send(INNER)
        assert connection.ask("GET", "/healthz", {"X-Request-Id": "own"}).header(
            "x-request-id") == "own"


def send_slowly(connection, data):
    """False if the connection has ended, because the machine has kept this client from sending for too long."""
    begun = time.monotonic()
    try:
        connection.send(data)
    except ConnectionError:
        assert time.monotonic() - begun > PATIENCE_WITH_SILENCE, "the server did not wait"
        return False
    return True


@pytest.mark.parametrize("headers", [{}, {"Expect": "100-continue"}], ids=["plain", "expecting"])
def test_the_refusal_reaches_a_client_that_is_still_sending(server, headers):
    """10 MiB, most of it unsent when the response is sent: a reset must not discard the response."""
    size = 10 * 1024 * 1024
    with wire.Connection(server.address) as connection:
        connection.send(wire.request_bytes("POST", "/nothing",
                                           {**headers, "Content-Length": str(size)}))
        was_sent = send_slowly(connection, b"x" * size)
        response = connection.read_response()
        assert response.status == 404 and response.closes
        assert not was_sent or connection.read_to_end() == b""


def test_the_refusal_comes_before_the_body_does(server):
    """A client that reads while it sends learns at once that it can stop."""
    with wire.Connection(server.address) as connection:
        connection.send(wire.request_bytes("POST", "/nothing", {"Content-Length": str(2**40)}))
        connection.send(b"x" * 10_000)
        assert connection.read_response().status == 404
        assert connection.read_to_end() == b""


def test_a_client_that_waits_for_100_gets_the_final_status(server):
    with wire.Connection(server.address) as connection:
        response = connection.ask("POST", "/nothing", {"Expect": "100-continue",
                                                       "Content-Length": "5"})
        assert response.status == 404 and response.closes
        assert connection.read_to_end() == b"", "no 100 and no second answer"


def test_expect_means_nothing_in_http_1_0(server):
    with wire.Connection(server.address) as connection:
        response = connection.ask("POST", "/nothing", {"Expect": "100-continue"}, b"hello",
                                  version="HTTP/1.0")
        assert response.status == 404
        assert connection.read_to_end() == b""


def test_another_expectation_fails(server):
    outcome = wire.exchange(server.address, wire.request_bytes(
        "POST", "/nothing", {"Expect": "the-unexpected"}, INNER))
    assert outcome.statuses == [417] and outcome.closed
    assert outcome.responses[0].json()["code"] == "expectation_failed"


def test_many_at_once_are_all_told(server):
    """Each sends 1 MiB that is refused; each gets the response."""
    statuses = []

    def send_one():
        with wire.Connection(server.address, timeout=30) as connection:
            send_slowly(connection, wire.request_bytes("POST", "/nothing", {}, b"x" * 1024 * 1024))
            statuses.append(connection.read_response().status)

    threads = [threading.Thread(target=send_one) for _ in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [404] * 32
