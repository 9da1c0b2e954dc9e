"""The limits of a request's head, each at its edge: the last size that is accepted, the first that is not. A
request that is too large is refused at the first byte too many, not at its end."""
import pytest

import wire

MAX_TARGET = 8 * 1024
MAX_FIELDS = 16 * 1024
MAX_FIELD_COUNT = 100
MAX_BODY = 1024 * 1024


def head_with_fields_of(size):
    """A request whose header lines, line breaks included, have this many bytes."""
    host = b"Host: a\r\n"
    padding = size - len(host) - len(b"X-Padding: \r\n")
    return b"GET /healthz HTTP/1.1\r\n" + host + b"X-Padding: " + b"a" * padding + b"\r\n\r\n"


def head_with_target_of(size):
    return b"GET /" + b"a" * (size - 1) + b" HTTP/1.1\r\nHost: a\r\n\r\n"


def head_with_fields(count):
    fields = b"".join(b"X-%d: a\r\n" % number for number in range(count - 1))
    return b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + fields + b"\r\n"


@pytest.mark.parametrize("payload, status", [
    pytest.param(head_with_target_of(MAX_TARGET), 404, id="target of 8,192 bytes"),
    pytest.param(head_with_fields_of(MAX_FIELDS), 200, id="fields of 16,384 bytes"),
    pytest.param(head_with_fields(MAX_FIELD_COUNT), 200, id="100 fields"),
    pytest.param(head_with_target_of(MAX_TARGET).replace(
        b"Host: a\r\n", b"Host: a\r\nX-A: " + b"a" * (MAX_FIELDS - 16) + b"\r\n"), 404,
        id="both at once"),
])
def test_the_largest_head_passes(server, payload, status):
    outcome = wire.exchange(server.address, payload)
    assert outcome.statuses == [status] and not outcome.closed


@pytest.mark.parametrize("payload, status, code", [
    pytest.param(head_with_target_of(MAX_TARGET + 1), 414, "uri_too_long", id="8,193-byte target"),
    pytest.param(head_with_target_of(100_000), 414, "uri_too_long", id="100,000-byte target"),
    pytest.param(head_with_fields_of(MAX_FIELDS + 1), 431, "headers_too_large",
                 id="fields of 16,385 bytes"),
    pytest.param(head_with_fields_of(100_000), 431, "headers_too_large", id="one huge field"),
    pytest.param(head_with_fields(MAX_FIELD_COUNT + 1), 431, "headers_too_large", id="101 fields"),
    pytest.param(head_with_fields(10_000), 431, "headers_too_large", id="10,000 fields"),
    pytest.param(b"A" * 100_000 + b" / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "invalid_request",
                 id="100,000-byte method"),
])
def test_one_more_is_refused(server, payload, status, code):
    outcome = wire.exchange(server.address, payload)
    assert outcome.statuses == [status] and outcome.closed
    assert outcome.responses[0].json()["code"] == code


@pytest.mark.parametrize("beginning, status", [
    pytest.param(b"GET /" + b"a" * MAX_TARGET, 414, id="target"),
    pytest.param(b"GET / HTTP/1.1\r\nX-A: " + b"a" * MAX_FIELDS, 431, id="field"),
    pytest.param(b"A" * 33, 400, id="method"),
])
def test_hopeless_heads_are_refused_before_they_end(server, beginning, status):
    with wire.Connection(server.address) as connection:
        connection.send(beginning)
        assert connection.read_response().status == status
        assert connection.read_to_end() == b""


@pytest.mark.parametrize("length, closes", [
    pytest.param(64 * 1024, False, id="small enough to be read over"),
    pytest.param(64 * 1024 + 1, True, id="not worth it"),
    pytest.param(MAX_BODY + 1, True, id="over 1 MiB"),
    pytest.param(2**63, True, id="2^63"),
    pytest.param(2**64 - 1, True, id="2^64 - 1"),
])
def test_announced_bodies_are_not_waited_for(server, length, closes):
    """No route takes a body at this path; the response is sent before the body arrives."""
    with wire.Connection(server.address) as connection:
        connection.send(wire.request_bytes("POST", "/nothing", {"Content-Length": str(length)}))
        response = connection.read_response()
        assert response.status == 404 and response.closes == closes
