"""HTTP/1.1 over a bare socket: sends exactly the given bytes, and parses responses as strictly as the server
parses requests.

Every read has a deadline. A malformed response is an AssertionError."""
import dataclasses
import json
import re
import select
import socket
import struct

STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5][0-9][0-9]) [ -~]+")
HEADER_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\t -~]*)")


@dataclasses.dataclass
class Response:
    status: int
    fields: list  # (name in lower case, value).
    body: bytes = b""

    def all(self, name):
        return [value for field, value in self.fields if field == name.lower()]

    def header(self, name):
        """The value of a field that may occur once; None if it is absent."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} was sent {len(values)} times: {values}"
        return values[0] if values else None

    def json(self):
        return json.loads(self.body)

    @property
    def closes(self):
        return self.header("connection") == "close"


def parse_head(head):
    """The head of a response, without its empty line."""
    status_line, *lines = head.split(b"\r\n")
    match = STATUS_LINE.fullmatch(status_line)
    assert match, f"not a status line: {status_line!r}"
    fields = []
    for line in lines:
        field = HEADER_LINE.fullmatch(line)
        assert field, f"not a header field: {line!r}"
        fields.append((field[1].decode().lower(), field[2].decode()))
    return Response(int(match[1]), fields)


def request_bytes(method, target, headers=None, body=b"", version="HTTP/1.1"):
    """A well-formed request. Adds Host, and Content-Length if there is a body."""
    fields = {"Host": "parley.test"}
    if body:
        fields["Content-Length"] = str(len(body))
    fields.update(headers or {})
    lines = [f"{method} {target} {version}"]
    lines += [f"{name}: {value}" for name, value in fields.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


class Connection:
    """One connection to the server, without the checks of a usual client."""

    def __init__(self, address, timeout=30.0, tls=None, server_name=None, source=None):
        self.socket = socket.create_connection(address, timeout=timeout,
                                               source_address=source and (source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            # An end without TLS's close_notify is an error: data may have been cut off.
            self.socket = tls.wrap_socket(self.socket, server_hostname=server_name,
                                          suppress_ragged_eofs=False)
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data):
        self.socket.sendall(data)

    def ask(self, method, target, headers=None, body=b"", version="HTTP/1.1"):
        """Sends a request and reads its response."""
        self.send(request_bytes(method, target, headers, body, version))
        response = self.read_response(method)
        assert response, f"the server closed instead of answering {method} {target}"
        return response

    def read_response(self, to_method="GET"):
        """The next response; None if the server closed instead."""
        while b"\r\n\r\n" not in self.received:
            if not self._read_more():
                assert not self.received, f"the server closed in mid-head: {self.received!r}"
                return None
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        response = parse_head(head)
        is_export = response.header("content-type") == "application/x-ndjson"
        assert is_export or not response.all("transfer-encoding"), "no chunked response was expected here"
        if to_method == "HEAD" or response.status < 200 or response.status in (204, 304):
            return response
        if is_export:
            response.body = b"".join(iter(self._read_chunk, b""))
            return response
        length = int(response.header("content-length"))
        while len(self.received) < length:
            assert self._read_more(), f"the server closed {length - len(self.received)} bytes early"
        response.body, self.received = self.received[:length], self.received[length:]
        return response

    def _read_chunk(self):
        """Its bytes; none at the end."""
        while b"\r\n" not in self.received:
            assert self._read_more(), "the server closed in mid-stream"
        size, _, self.received = self.received.partition(b"\r\n")
        length = int(size, 16)
        while len(self.received) < length + 2:
            assert self._read_more(), "the server closed in mid-stream"
        chunk, self.received = self.received[:length], self.received[length + 2:]
        return chunk

    def _read_more(self):
        data = self.socket.recv(65536)
        self.received += data
        return bool(data)

    def read_to_end(self):
        """All bytes until the server closes. TimeoutError if it does not."""
        while self._read_more():
            pass
        rest, self.received = self.received, b""
        return rest

    def is_silent(self, seconds):
        """True if nothing arrives within that time, not even the end of the connection."""
        return not self.received and not select.select([self.socket], [], [], seconds)[0]

    def half_close(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        """Closes so that the server receives a reset instead of an end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()


@dataclasses.dataclass
class Outcome:
    responses: list
    closed: bool  # The server closed the connection by itself.

    @property
    def statuses(self):
        return [response.status for response in self.responses]


def exchange(address, payload, patience=10.0):
    """Sends bytes and collects the response, until the connection has ended. If the server keeps it open, or
    sends nothing for `patience` seconds, we close our side; `closed` is then false."""
    responses = []
    ended_by_us = False
    method = payload.split(b" ", 1)[0].decode("latin-1")
    with Connection(address, patience) as connection:
        connection.send(payload)
        while True:
            try:
                response = connection.read_response(method if not responses else "GET")
            except TimeoutError:
                assert not ended_by_us, "the server does not end a connection that we have ended"
                response = False
            if response is None:
                break
            if response:
                responses.append(response)
            if not ended_by_us and not (response and response.closes):
                ended_by_us = True
                connection.half_close()
                connection.socket.settimeout(15)
    return Outcome(responses, not ended_by_us or (bool(responses) and responses[-1].closes))
