"""Wires between a server and PostgreSQL that understand what the server says. At a chosen transaction they lose its end,
or PostgreSQL's answer to it, and at that moment do something to the server."""
import contextvars
import re
import struct
import threading

from wires import BACK, Wire

BEFORE, AFTER = "before", "after"
ENCRYPTION = (80877103, 80877104)  # Requests for TLS and GSSAPI, which come before the first message.
READY = b"Z\0\0\0\5I"  # The end of an answer, outside of transactions.


class Trip:
    """Happens once, to the first transaction that has a statement that fits `pattern`: `action` is called BEFORE its end
    has reached PostgreSQL, which then gets no more, or AFTER PostgreSQL has answered, which the server then does not
    hear."""

    def __init__(self, pattern, when, action):
        self.pattern = re.compile(pattern)
        self.when = when
        self._action = action
        self.sprung = threading.Event()

    def spring(self):
        self._action()
        self.sprung.set()


class Conversation:
    """What a server has said over one connection. A transaction is all from BEGIN to COMMIT, or a single statement."""

    def __init__(self):
        self.trip = None  # Its end has been passed on.
        self.heard = b""  # Since then.
        self.is_over = False  # Nothing is passed on any more.
        self._rest = b""
        self._has_begun = False
        self._prepared = {}
        self._bound = ""
        self._executed = []
        self._is_block = False

    def messages(self, data):
        """(bytes, statements of the transaction that they end) of each complete message."""
        self._rest += data
        while True:
            head = 1 if self._has_begun else 0  # The first message has no type.
            if len(self._rest) < head + 4:
                return
            size = head + struct.unpack("!I", self._rest[head:head + 4])[0]
            if len(self._rest) < size:
                return
            message, self._rest = self._rest[:size], self._rest[size:]
            kind, content = message[:head], message[head + 4:]
            if kind:
                yield message, self._ended_by(kind, content)
            else:
                self._has_begun = struct.unpack("!I", content[:4])[0] not in ENCRYPTION
                yield message, []

    def _ended_by(self, kind, content):
        if kind == b"P":
            name, sql = content.split(b"\0")[:2]
            self._prepared[name] = sql.decode("utf-8", "replace")
        elif kind == b"B":
            self._bound = self._prepared[content.split(b"\0")[1]]
        elif kind == b"E" and self._bound.startswith("BEGIN"):
            self._executed, self._is_block = [], True
        elif kind == b"E" and self._bound not in ("COMMIT", "ROLLBACK"):
            self._executed.append(self._bound)
        elif kind == b"E" or (kind == b"S" and not self._is_block):
            ended, self._executed, self._is_block = self._executed, [], False
            return ended if kind == b"S" or self._bound == "COMMIT" else []
        return []


CONVERSATION = contextvars.ContextVar("conversation")


class Tripwire(Wire):
    trip = None

    async def _serve(self, reader, writer):
        CONVERSATION.set(Conversation())
        await super()._serve(reader, writer)

    def _through(self, data, direction):
        conversation = CONVERSATION.get()
        if direction == BACK:
            return self._heard(data, conversation)
        passed = b""
        for message, ended in conversation.messages(data):
            trip = self.trip
            if trip and any(map(trip.pattern.search, ended)):
                self.trip = None
                if trip.when == BEFORE:
                    conversation.is_over = True
                    trip.spring()
                else:
                    conversation.trip = trip
            if not conversation.is_over:
                passed += message
        return passed

    @staticmethod
    def _heard(data, conversation):
        if conversation.trip:
            conversation.heard += data
        if conversation.trip and READY in conversation.heard:
            conversation.is_over = True
            conversation.trip.spring()
            conversation.trip = None
        return b"" if conversation.is_over else data
