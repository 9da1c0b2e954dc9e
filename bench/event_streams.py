"""Reads thousands of event streams with little CPU time, and checks that each is complete.

The requested text must be the scripted model's {words:N}, so that each event is known in advance: number,
order and word."""
import array
import re
import select
import socket
import time

import house

TERMINAL = {b"run.completed", b"run.failed", b"run.cancelled", b"run.interrupted"}
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


class Fault(Exception):
    """The server sent an unexpected event."""


class Frames:
    """Splits a chunked response into the frames of its stream, as its bytes arrive."""

    def __init__(self):
        self.ended = False
        self._has_head = False
        self._received = b""
        self._content = b""

    def feed(self, data):
        """The frames that are complete now, without their empty lines."""
        received = self._received + data if self._received else data
        if not self._has_head:
            head, found, rest = received.partition(b"\r\n\r\n")
            self._received = received
            if not found:
                return []
            check_head(head, rest)
            self._has_head, self._received, received = True, b"", rest
        at, content = 0, self._content
        while not self.ended and (line := received.find(b"\r\n", at)) >= 0:
            size = int(received[at:line], 16)
            end = line + 2 + size
            if len(received) < end + 2:
                break
            if received[end:end + 2] != b"\r\n":
                raise Fault(f"a chunk has no end: {received[at:end + 2]!r}")
            content += received[line + 2:end]
            at = end + 2
            self.ended = size == 0
        self._received = received[at:]
        *frames, self._content = content.split(b"\n\n")
        if self.ended and (self._content or self._received):
            raise Fault(f"bytes behind the end: {self._content + self._received!r}")
        return frames


def check_head(head, rest):
    status = STATUS.match(head)
    if not status or status[1] != b"200":
        raise Fault(f"refused: {head!r} {rest!r}")
    fields = head.lower()
    for needed in (b"\r\ncontent-type: text/event-stream; charset=utf-8",
                   b"\r\ntransfer-encoding: chunked"):
        if needed not in fields:
            raise Fault(f"{needed!r} is missing: {head!r}")


class Stream:
    """One client: requests this many words, and reads each when it arrives."""

    def __init__(self, address, token, words, delay_ms):
        self.socket = socket.create_connection(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.words = words
        self.delay = delay_ms / 1000
        self.arrivals = array.array("d")  # Arrival times of the words.
        self.ending = None
        self._frames = Frames()
        self._number = 0
        self._request = house.request("POST", "/chat/query", token, {
            "message": f"{{words:{words}}}{{delay_ms:{delay_ms}}}", "model": "scripted",
            "stream": True})

    def ask(self):
        self.socket.sendall(self._request)
        self.socket.setblocking(False)

    def read(self):
        """Reads the available bytes. False at the end."""
        try:
            data = self.socket.recv(65536)
        except BlockingIOError:
            return True
        now = time.monotonic()
        if not data:
            raise Fault(f"cut after event {self._number}")
        self.take(data, now)
        return not self._frames.ended

    def take(self, data, now):
        for frame in self._frames.feed(data):
            if frame.startswith(b"id: "):
                self._take_event(frame, now)
            elif frame not in (b"retry: 1000", b": ping"):
                raise Fault(f"not a frame: {frame!r}")
        if self._frames.ended and self.ending is None:
            raise Fault(f"ended without a terminal event after event {self._number}")

    def _take_event(self, frame, now):
        number, event, data = frame.split(b"\n", 2)
        self._number += 1
        if int(number[4:]) != self._number or self.ending:
            raise Fault(f"{number!r} where {self._number} was due; ending: {self.ending!r}")
        kind = event[7:]
        if kind == b"message.delta":
            word = len(self.arrivals) + 1
            if b'"text":"%sw%d"' % (b" " if word > 1 else b"", word) not in data:
                raise Fault(f"not word {word}: {frame!r}")
            self.arrivals.append(now)
        elif kind in TERMINAL:
            self.ending = kind
            if kind != b"run.completed" or len(self.arrivals) != self.words:
                raise Fault(f"{len(self.arrivals)} of {self.words} words, then {frame[:300]!r}")
        elif kind != b"run.created" or self._number != 1:
            raise Fault(f"unknown: {frame[:300]!r}")

    def close(self):
        self.socket.close()

    def lateness(self):
        """The delay of each word relative to the first one and the given pace, in seconds."""
        first = self.arrivals[0]
        return [at - first - number * self.delay for number, at in enumerate(self.arrivals)]


class Crowd:
    """Streams that one thread reads together."""

    def __init__(self):
        self.streams = {}  # By their descriptors.
        self.faults = []
        self._epoll = select.epoll()

    def add(self, stream):
        stream.ask()
        self.streams[stream.socket.fileno()] = stream
        self._epoll.register(stream.socket, select.EPOLLIN)

    def remove(self, stream):
        """Disconnects at any point of the stream."""
        self._epoll.unregister(stream.socket)
        del self.streams[stream.socket.fileno()]
        stream.close()

    def read(self, timeout):
        """Reads the next bytes, within the time; returns the streams that have ended."""
        ended = []
        for descriptor, _ in self._epoll.poll(timeout):
            stream = self.streams[descriptor]
            try:
                goes_on = stream.read()
            except (Fault, OSError, ValueError) as fault:
                self.faults.append(f"{type(fault).__name__}: {fault}")
                goes_on = False
            if not goes_on:
                self.remove(stream)
                ended.append(stream)
        return ended

    def read_for(self, seconds):
        """The streams that ended meanwhile."""
        ended, end = [], time.monotonic() + seconds
        while self.streams and (left := end - time.monotonic()) > 0:
            ended += self.read(left)
        return ended
