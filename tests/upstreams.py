"""A chat completions server for tests, on a free port, that fails on demand: the first part of the path
selects the way (upstream_ways.py). `http://127.0.0.1:PORT/cut/v1` is the base_url of one that breaks off."""
import contextlib
import json
import socket
import struct
import threading

import upstream_ways
from upstream_ways import Gone, KEY, STREAM, USAGE, WORDS, delta, finish


class Conversation:
    """One connection and its requests."""

    def __init__(self, mock, connection):
        self.mock = mock
        self.connection = connection
        self.received = b""
        self.how = self.head = self.body = None
        self.probes = False  # A probe: it only checks that the server is up.

    def hear(self):
        while b"\r\n\r\n" not in self.received:
            self._read()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        line, *fields = head.decode("latin-1").split("\r\n")
        self.head = {name.lower(): value for name, _, value in (
            field.partition(": ") for field in fields)}
        size = int(self.head.get("content-length", 0))
        while len(self.received) < size:
            self._read()
        self.body, self.received = self.received[:size], self.received[size:]
        self.how = line.split(" ")[1].split("/")[1]
        self.probes = line.startswith("GET ")
        if not self.probes:
            self.body = json.loads(self.body)

    def _read(self):
        more = self.connection.recv(65536)
        if not more:
            raise Gone
        self.received += more

    def say(self, data):
        self.connection.sendall(data)

    def begin(self, status=200, fields=None):
        lines = [f"HTTP/1.1 {status} Somehow"]
        lines += [f"{name}: {value}" for name, value in (fields or STREAM).items()]
        self.say("\r\n".join(lines).encode() + b"\r\n\r\n")

    def answer(self, status, body=b"", **fields):
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        self.begin(status, {"Content-Length": len(body), **named})
        self.say(body)

    def chunk(self, data):
        self.say(b"%x\r\n%s\r\n" % (len(data), data))

    def event(self, data):
        self.chunk(b"data: " + (data if isinstance(data, bytes) else json.dumps(data).encode())
                   + b"\n\n")

    def half(self):
        self.begin()
        for word in WORDS[:2]:
            self.event(delta(word))

    def rest(self, words, reason="stop", usage=True):
        for word in words:
            self.event(delta(word))
        self.event(finish(reason))
        if usage:
            self.event(USAGE)
        self.event(b"[DONE]")
        self.chunk(b"")

    def wait_until_left(self):
        while True:
            self._read()

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raise Gone


class Mock:
    """Answers until it is closed; records the requests."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.questions = []  # (way, head, body), in order.
        self.connections = 0
        self.probes = 0
        self.left = threading.Semaphore(0)  # Counts clients that disconnected while they were waited for.
        threading.Thread(target=self._accept, daemon=True).start()

    def base_url(self, how="ok"):
        return f"http://127.0.0.1:{self.port}/{how}/v1"

    def asked(self, how):
        return [body for each, _, body in self.questions if each == how]

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections += 1
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        conversation = Conversation(self, connection)
        with connection, contextlib.suppress(Gone, OSError):
            while True:
                conversation.hear()
                if conversation.probes:
                    self.probes += 1
                    conversation.answer(200, b'{"data":[]}', Content_Type="application/json")
                    continue
                self.questions.append((conversation.how, conversation.head, conversation.body))
                upstream_ways.HOW[conversation.how](conversation)


@contextlib.contextmanager
def mock():
    opened = Mock()
    yield opened
    opened.close()


def write_key(folder):
    """The key in a file, as api_key_file requires."""
    file = folder / "key"
    file.write_text(KEY + "\n", encoding="utf-8")
    file.chmod(0o600)
    return file


def settings_of(mocked, key_file, *hows, **more):
    """A model for each of these ways, named after it; its key is in the file."""
    made = {}
    for how in hows:
        of_model = {"engine": "upstream", "base_url": mocked.base_url(how),
                    "api_key_file": key_file, "upstream_model": "there", **more}
        made |= {f"models.{how}.{name}": value for name, value in of_model.items()}
    return made
