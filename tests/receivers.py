"""Receivers of webhooks on this machine: they record what they get, and answer as they are told."""
import collections
import contextlib
import http.server
import json
import socket
import threading
import time

import standardwebhooks

import automations
import people

# Webhooks of these tests are on this machine.
SETTINGS = {**automations.SETTINGS, "webhooks.allow_http": "true",
            "webhooks.allowed_networks": "127.0.0.0/8"}

Received = collections.namedtuple("Received", "path headers body at")


class Receiver:
    """An HTTP server. `answer` gets the number of requests before this one and the request, and returns a
    status, or (status, headers, body)."""

    def __init__(self, answer=lambda count, request: 204, port=0):
        self.received = []
        self.lock = threading.Lock()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = Received(self.path, dict(self.headers.items()), body, time.time())
                with receiver.lock:
                    count = len(receiver.received)
                    receiver.received.append(request)
                told = answer(count, request)
                status, headers, text = told if isinstance(told, tuple) else (told, {}, b"")
                with contextlib.suppress(OSError):
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)

            def do_GET(self):  # pylint: disable=invalid-name
                with receiver.lock:
                    receiver.received.append(Received(self.path, {}, b"GET", time.time()))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):  # pylint: disable=arguments-differ
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def port(self):
        return self.server.server_address[1]

    def url(self, path="/hook", host="127.0.0.1"):
        return f"http://{host}:{self.port}{path}"

    def wait_for(self, count, timeout=None):
        """The first `count` requests."""
        people.until(lambda: len(self.received) >= count, *([timeout] if timeout else []))
        return self.received[:count]

    def events(self):
        return [json.loads(each.body) for each in self.received]


class Silence:
    """Listens and never answers."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.socket.getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"


@contextlib.contextmanager
def closed_port():
    """It refuses connections, and no other program gets it; a Receiver may listen on it."""
    with socket.socket() as bound:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def verified(request, *secrets):
    """The event of a request, checked by the library of Standard Webhooks with each of the secrets."""
    events = [standardwebhooks.Webhook(secret).verify(request.body, request.headers) for secret in secrets]
    assert all(event == events[0] for event in events)
    assert request.headers["webhook-id"] == events[0]["id"]
    assert request.headers["User-Agent"].startswith("parley/")
    return events[0]


def is_signed_by(request, secret):
    try:
        return bool(standardwebhooks.Webhook(secret).verify(request.body, request.headers))
    except standardwebhooks.WebhookVerificationError:
        return False


def created(person, url, **fields):
    response = person.request("POST", "/webhooks", {"url": url, "event_types": ["chat.session.created"], **fields})
    assert response.status == 201, response.body
    made = response.json()
    assert response.header("location") == "/v1/api/webhooks/" + made["id"]
    return made


def webhook(person, made):
    return person.get(f"/webhooks/{made['id']}")


def deliveries(person, made, **query):
    return person.pages(f"/webhooks/{made['id']}/deliveries", **query)


def happen(person, **fields):
    """An event of the type chat.session.created; returns the session."""
    response = person.request("POST", "/chat/sessions", fields)
    assert response.status == 201, response.body
    return response.json()


def last_event(person):
    """The newest event of the log."""
    return person.pages("/events")[-1]
