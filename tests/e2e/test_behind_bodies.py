"""Requests that arrive in one piece with the end of a body: none is lost, and none overruns a buffer. A
connection that waits for a body holds a small buffer; far more bytes follow."""
import contextlib
import ssl

import pytest

import certificates
import people
import program
import wire

BEHIND = 330


@pytest.fixture(name="authority", scope="module")
def one_authority(tmp_path_factory):
    return certificates.Authority(tmp_path_factory.mktemp("authority"))


@contextlib.contextmanager
def served(kind, authority):
    """A server, and how to connect to it."""
    arguments, options = (), {}
    if kind == "tls":
        certificate, key = authority.issue("first", serial=1001)
        arguments = ("--tls-cert", certificate, "--tls-key", key)
        options = {"tls": ssl.create_default_context(cafile=authority.certificate),
                   "server_name": "localhost"}
    server = program.Program(*arguments, settings=people.ROOMY)
    yield server, lambda: wire.Connection(server.address, **options)
    server.stop()


def begin_login(connect, connection, server, fields, body):
    token = (server.data / "client-token").read_text(encoding="utf-8").strip()
    connection.send(wire.request_bytes("POST", "/v1/api/auth/login", {
        "Authorization": f"Bearer {token}", "Content-Type": "application/json", **fields}))
    if "Expect" in fields:  # After the 100 response, the server waits for the body.
        assert connection.read_response().status == 100
    connection.send(body)
    with connect() as other:  # Meanwhile the first bytes were read.
        assert other.ask("GET", "/healthz").status == 200


@pytest.mark.parametrize("kind", ["plain", "tls"])
@pytest.mark.parametrize("fields", [{}, {"Expect": "100-continue"}], ids=["at once", "invited"])
@pytest.mark.parametrize("framing", ["chunked", "sized"])
def test_many_requests_behind_a_body_are_all_answered(authority, kind, fields, framing):
    body, end = (b"2\r\n{", b"}\r\n0\r\n\r\n") if framing == "chunked" else (b"{", b"}")
    framed = {"Transfer-Encoding": "chunked"} if framing == "chunked" else {"Content-Length": "2"}
    with served(kind, authority) as (server, connect):
        for _ in range(3):
            with connect() as connection:
                begin_login(connect, connection, server, {**framed, **fields}, body)
                connection.send(end + wire.request_bytes("GET", "/healthz") * BEHIND)
                assert connection.read_response().status == 422
                for _ in range(BEHIND):
                    assert connection.read_response().status == 200
