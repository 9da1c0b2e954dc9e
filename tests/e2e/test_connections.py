"""One connection, many requests: their order, their pieces, and the end of a connection."""
import select
import socket

import wire

CODES = ["not_found", "invalid_request", "internal", "uri_too_long", "overloaded", "invalid_json",
         "headers_too_large"]


def test_pipelined_requests_are_answered_in_order(server):
    asked = [(f"pipelined-{number}", CODES[number % len(CODES)]) for number in range(100)]
    with wire.Connection(server.address) as connection:
        connection.send(b"".join(
            wire.request_bytes("GET", f"/problems/{code}", {"X-Request-Id": name})
            for name, code in asked))
        for name, code in asked:
            response = connection.read_response()
            assert response.status == 200
            assert response.header("x-request-id") == name
            assert response.json()["code"] == code
        assert connection.ask("GET", "/healthz").status == 200


def test_pipelined_requests_of_all_kinds_keep_their_order(server):
    kinds = [("GET", "/healthz", 200, b""), ("HEAD", "/problems", 200, b""),
             ("POST", "/healthz", 405, b"x" * 5000), ("GET", "/nothing", 404, b""),
             ("OPTIONS", "/healthz", 204, b""), ("BREW", "/healthz", 501, b"tea")] * 20
    with wire.Connection(server.address) as connection:
        connection.send(b"".join(
            wire.request_bytes(method, target, {"X-Request-Id": f"mixed-{number}"}, body)
            for number, (method, target, _, body) in enumerate(kinds)))
        for number, (method, _, status, _) in enumerate(kinds):
            response = connection.read_response(method)
            assert (response.status, response.header("x-request-id")) == (status, f"mixed-{number}")


def test_a_request_may_come_byte_by_byte(server):
    with wire.Connection(server.address) as connection:
        for byte in wire.request_bytes("GET", "/problems/not_found", {"X-Request-Id": "by-byte"}):
            assert connection.is_silent(0.001), "it was answered before its end"
            connection.send(bytes([byte]))
        assert connection.read_response().json()["code"] == "not_found"
        assert connection.ask("GET", "/healthz").status == 200


def test_requests_may_be_cut_anywhere(server):
    two = (wire.request_bytes("GET", "/problems/not_found", {"X-Request-Id": "cut-1"}) +
           wire.request_bytes("POST", "/nothing", {"X-Request-Id": "cut-2"}, b"some text"))
    with wire.Connection(server.address) as connection:
        for at in range(1, len(two)):
            connection.send(two[:at])
            select.select([], [], [], 0.0005)
            connection.send(two[at:])
            first, second = connection.read_response(), connection.read_response()
            assert (first.status, first.header("x-request-id")) == (200, "cut-1")
            assert (second.status, second.header("x-request-id")) == (404, "cut-2")


def test_a_client_that_sends_no_more_still_gets_its_answers(server):
    with wire.Connection(server.address) as connection:
        connection.send(wire.request_bytes("GET", "/problems/not_found") * 10)
        connection.half_close()
        for _ in range(10):
            assert connection.read_response().status == 200
        assert connection.read_response() is None


def test_half_a_request_and_no_more_is_not_answered(server):
    with wire.Connection(server.address) as connection:
        connection.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n")
        connection.half_close()
        assert connection.read_to_end() == b""


def test_a_connection_serves_many_requests(server):
    with wire.Connection(server.address) as connection:
        for number in range(1000):
            response = connection.ask("GET", "/healthz", {"X-Request-Id": f"again-{number}"})
            assert response.status == 200 and response.header("connection") is None
            assert response.header("x-request-id") == f"again-{number}"


def test_a_client_may_ask_for_the_end(server):
    with wire.Connection(server.address) as connection:
        response = connection.ask("GET", "/healthz", {"Connection": "TE, close"})
        assert response.status == 200 and response.closes
        assert connection.read_to_end() == b""


def test_what_follows_the_last_request_is_not_answered(server):
    last = wire.request_bytes("GET", "/healthz", {"Connection": "close"})
    outcome = wire.exchange(server.address, last + wire.request_bytes("GET", "/healthz"))
    assert outcome.statuses == [200] and outcome.closed


def test_http_1_0_ends_after_one_answer_unless_asked_otherwise(server):
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz", version="HTTP/1.0").closes
        assert connection.read_to_end() == b""
    with wire.Connection(server.address) as connection:
        for _ in range(3):
            response = connection.ask("GET", "/healthz", {"Connection": "keep-alive"},
                                      version="HTTP/1.0")
            assert response.status == 200 and response.header("connection") == "keep-alive"


def test_a_reset_in_mid_response_harms_nobody(server):
    """The responses exceed the kernel's buffers, so the server is writing when the reset arrives."""
    many = wire.request_bytes("GET", "/problems", {"Accept": "text/html"}) * 500
    for _ in range(20):
        connection = wire.Connection(server.address)
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.socket.setblocking(False)
        try:
            connection.socket.send(many)
        except BlockingIOError:
            pass
        select.select([connection.socket], [], [], 5)
        connection.reset()
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz").status == 200


def test_a_client_that_reads_late_gets_all_of_it(server):
    """It reads only when it can send no more, so each side has to wait for the other."""
    count = 3000
    unsent = wire.request_bytes("GET", "/problems", {"Accept": "application/json"}) * count
    with wire.Connection(server.address) as connection:
        bodies = set()
        for _ in range(count):
            while unsent and select.select([], [connection.socket], [], 0)[1]:
                unsent = unsent[connection.socket.send(unsent[:65536]):]
            bodies.add(connection.read_response().body)
        assert len(bodies) == 1


def test_connections_that_come_and_go_leave_nothing_behind(server):
    for _ in range(200):
        wire.Connection(server.address).close()
    with wire.Connection(server.address) as connection:
        assert connection.ask("GET", "/healthz").status == 200
