"""Event streams, read byte by byte: every frame must be exactly well-formed. Paths are relative to /v1/api.
"""
import collections
import hashlib
import json
import re
import socket

import program
import wire

ENDED = {"completed", "failed", "cancelled", "interrupted"}

RETRY = b"retry: 1000\n"  # The first line of the first event.
PING = b": ping\n\n"
START = re.compile(rb"retry: 1000\nid: ([0-9]+)\n\n")  # The start of a stream of new events, without an event.
EVENT = re.compile(rb"id: ([1-9][0-9]*)\nevent: ([a-z_.]+)\ndata: (\{[^\r\n]*\})\n\n")
CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})\r\n")


class Event:
    """One parsed frame of a stream."""

    def __init__(self, frame):
        match = EVENT.fullmatch(frame)
        assert match, f"not an event's frame: {frame!r}"
        self.frame = frame
        self.number = int(match[1])
        self.type = match[2].decode()
        self.data = json.loads(match[3].decode("utf-8"))
        assert self.data["type"] == self.type, frame
        assert self.data["sequence_number"] == self.number, frame

    @property
    def is_last(self):
        return self.type in {"run." + status for status in ENDED}

    @property
    def delta(self):
        return self.data["delta"]["text"] if self.type == "message.delta" else ""


def written(events):
    """The text of a client after these events."""
    return "".join(event.delta for event in events)


def frames(events):
    return b"".join(event.frame for event in events)


def digest(events):
    return hashlib.sha256(frames(events)).hexdigest()


def check_events(events, after=0):
    """Checks a stream that was read after number `after`, to its end: no gap, one beginning, one end."""
    numbers = [event.number for event in events]
    gaps = [pair for pair in zip([after, *numbers], numbers) if pair[1] != pair[0] + 1]
    assert not gaps, gaps[:10]
    kinds = [event.type for event in events]
    assert [kind for kind in kinds if kind == "run.created"] == ["run.created"] * (after == 0)
    assert after or kinds[0] == "run.created", kinds
    assert [event.is_last for event in events] == [False] * (len(events) - 1) + [True], kinds
    assert set(kinds[after == 0:-1]) <= {"message.delta"}, kinds
    return events


class Cut(Exception):
    """The server closed the connection before the end of the stream."""


class Feed(wire.Connection):
    """An event stream, or another response. `body` is sent as JSON, bytes unchanged."""

    def __init__(self, server, method, path, token, body=None, headers=None, receive_buffer=None,
                 segment=None, base="/v1/api"):
        if receive_buffer is None:
            super().__init__(server.address, timeout=program.PATIENCE)
        else:  # It must be set before the connection is made.
            self.socket = socket.socket()
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            if segment:  # The smaller it is, the less of a response the server's kernel buffers.
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, segment)
            self.socket.settimeout(program.PATIENCE)
            self.socket.connect(server.address)
            self.received = b""
        fields = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        if body is not None:
            fields["Content-Type"] = "application/json"
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send(wire.request_bytes(method, base + path, {**fields, **(headers or {})},
                                     b"" if body is None else payload))
        self.pings = 0
        self.start = None
        self._method = method
        self._response = None
        self._content = b""  # Decoded from chunks, but not yet a complete frame.
        self._frames = collections.deque()  # Not yet read.
        self._ended = False  # The last chunk has arrived.
        self._seen_retry = False

    @property
    def response(self):
        """Waits for the head and returns it, or the whole response if it is not a stream."""
        if self._response is None:
            while b"\r\n\r\n" not in self.received:
                if not self._read_more():
                    raise Cut("before the head had come")
            head, _, rest = self.received.partition(b"\r\n\r\n")
            self._response = wire.parse_head(head)
            if self._response.header("transfer-encoding") == "chunked":
                self.received = rest
            else:
                self._response = self.read_response(self._method)
        return self._response

    @property
    def run_id(self):
        return self.response.header("x-run-id")

    def next(self):
        """The next event; None at the end of the stream. Raises Cut."""
        assert self.response.header("content-type") == "text/event-stream; charset=utf-8", (
            self.response)
        while frame := self._next_frame():
            if frame == PING:
                self.pings += 1
                continue
            if start := START.fullmatch(frame):
                assert self.start is None and not self._seen_retry, frame
                self.start = int(start[1])
                self._seen_retry = True
                continue
            if not self._seen_retry:
                assert frame.startswith(RETRY), frame
                frame = frame.removeprefix(RETRY)
                self._seen_retry = True
            return Event(frame)
        return None

    def hurry(self):
        """From here on at full speed: a small buffer slows the kernel down."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)

    def until(self, fits):
        """All events up to the first one that matches."""
        events = []
        while not events or not fits(events[-1]):
            event = self.next()
            assert event, f"it ended before: {[each.type for each in events]}"
            events.append(event)
        return events

    def rest(self):
        """All events from here to the end."""
        return list(iter(self.next, None))

    def until_cut(self):
        """All complete events until the server closes, and whether that was before the end."""
        events = []
        try:
            while event := self.next():
                events.append(event)
        except (Cut, ConnectionError):
            return events, True
        return events, False

    def _next_frame(self):
        while not self._frames:
            if not self._take_chunks():
                assert not self._content, f"the stream ends in mid-frame: {self._content!r}"
                return b""
            *whole, self._content = self._content.split(b"\n\n")
            self._frames.extend(frame + b"\n\n" for frame in whole)
        return self._frames.popleft()

    def _take_chunks(self):
        """Waits for the first chunk and takes all that have arrived. False after the last one."""
        if self._ended:
            return False
        taken, position = [], 0
        while not taken:
            while size := CHUNK_SIZE.match(self.received, position):
                end = size.end() + int(size[1], 16)
                if len(self.received) < end + 2:
                    break
                assert self.received[end:end + 2] == b"\r\n"
                taken.append(self.received[size.end():end])
                position = end + 2
                if not taken[-1]:
                    break
            else:
                rest = self.received[position:position + 40]
                assert len(rest) < 12, f"not the size of a chunk: {rest!r}"
            if not taken and not self._read_more():
                raise Cut("in mid-stream")
        self.received = self.received[position:]
        self._content += b"".join(taken)
        self._ended = not taken[-1]
        return True
