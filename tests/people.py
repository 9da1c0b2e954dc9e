"""Users of a server under test: creation, login, tokens, and checks of responses. All paths here are relative
to /v1/api."""
import concurrent.futures
import contextlib
import datetime
import json
import re
import time
import zlib

import program
import wire

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
TOKEN = re.compile(r"pl[psrcth]_[0-9A-Za-z]{38}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CHALLENGE = 'Bearer realm="parley"'
# For tests that are not about limits.
ROOMY = {"limits.auth": 5000, "limits.general": 5000}
PROBLEM_FIELDS = {"type", "title", "status", "detail", "instance", "code", "request_id"}


def is_id(text, kind):
    return re.fullmatch(kind + "_[A-Za-z0-9_]+", text) and len(text) <= 40


def checksum(text):
    """The checksum of a token: six base62 digits of the CRC-32 of the text before them."""
    number, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        digits = ALPHABET[digit] + digits
    return digits


def invented_token(kind="p", random="A" * 32):
    """A token that was never issued, with a valid checksum."""
    text = f"pl{kind}_{random}"
    return text + checksum(text)


def password_of(name):
    return f"{name} otter lantern quarry"


def at(text):
    """A time of the API as Unix seconds."""
    assert TIME.fullmatch(text), text
    told = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    return told.replace(tzinfo=datetime.timezone.utc).timestamp()


def refused(response, status, code, *more):
    """Checks a problem (RFC 9457) with all its fields, and `more`; returns it."""
    assert response.status == status, response.body
    assert response.header("content-type") == "application/problem+json"
    problem = response.json()
    assert problem["code"] == code and problem["status"] == status, problem
    assert problem["request_id"] == response.header("x-request-id")
    assert problem["instance"] == "urn:parley:request:" + problem["request_id"]
    assert set(problem) == PROBLEM_FIELDS | set(more), problem
    return problem


def faults(response):
    """The faults of a refused body: [(pointer, code), …]."""
    errors = refused(response, 422, "validation_failed", "errors")["errors"]
    assert all(error["detail"] for error in errors)
    return [(error["pointer"], error["code"]) for error in errors]


def said(response):
    """A problem without the parts that differ for every request."""
    problem = response.json()
    return {name: problem[name] for name in problem if name not in ("request_id", "instance")}


def until(seen, timeout=program.PATIENCE):
    """Repeats until the result is not empty, and returns it."""
    deadline = time.monotonic() + timeout
    while not (answer := seen()):
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
    return answer


def at_once(count, work):
    """The results of `count` threads that do the same at the same time."""
    with concurrent.futures.ThreadPoolExecutor(count) as threads:
        return list(threads.map(work, range(count)))


class House:
    """A server, and requests of its users."""

    def __init__(self, server):
        self.server = server
        self.client_token = self.file("client-token")
        self.command_line = self.file("cli-token")
        self.operator = None  # The login object of the first operator.

    def file(self, name):
        return (self.server.data / name).read_text(encoding="utf-8").strip()

    def ask(self, method, path, token=None, body=None, headers=None):
        """Each request has its own connection. `body` is sent as JSON, bytes unchanged."""
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        with wire.Connection(self.server.address, timeout=program.PATIENCE) as connection:
            return connection.ask(method, "/v1/api" + path, {**fields, **(headers or {})},
                                  b"" if body is None else payload)

    def get(self, path, token):
        response = self.ask("GET", path, token)
        assert response.status == 200, response.body
        return response.json()

    def setup_code(self):
        self.server.log.wait_for_line(lambda line: "no operator yet" in line)
        link = self.file("setup-link")
        assert re.fullmatch(r"https?://.+/#setup=[0-9A-Za-z]{24}", link), link
        return link.partition("#setup=")[2]

    def set_up(self, username="olga", password=None):
        """Creates the first operator, whose access token then creates all other users."""
        response = self.ask("POST", "/auth/setup", self.client_token, {
            "setup_code": self.setup_code(), "username": username,
            "password": password or password_of(username), "display_name": "Olga"})
        assert response.status == 201, response.body
        self.operator = response.json()
        return self

    @property
    def admin(self):
        return self.operator["access_token"]

    def try_login(self, username, password=None, token=None, headers=None, **more):
        return self.ask("POST", "/auth/login", token or self.client_token,
                        {"username": username,
                         "password": password_of(username) if password is None else password,
                         **more}, headers)

    def login(self, username, password=None, **more):
        response = self.try_login(username, password, **more)
        assert response.status == 200, response.body
        return response.json()

    def add(self, username, **more):
        """Creates a user, who can then log in with password_of(username)."""
        response = self.ask("POST", "/users", self.admin,
                            {"username": username, "password": password_of(username), **more})
        assert response.status == 201, response.body
        return response.json()

    def add_and_login(self, username, **more):
        self.add(username, **more)
        return self.login(username)

    def make_token(self, token, status=201, **more):
        response = self.ask("POST", "/tokens", token, {"name": "a token", **more})
        assert response.status == status, response.body
        return response.json()

    def token_for(self, user, **more):
        """A token that an operator creates for a user: no password has to be hashed for it."""
        response = self.ask("POST", f"/users/{user['id']}/tokens", self.admin,
                            {"name": "from above", **more})
        assert response.status == 201, response.body
        return response.json()

    def refresh(self, refresh_token, token=None):
        return self.ask("POST", "/auth/refresh", token or self.client_token,
                        {"refresh_token": refresh_token})

    def works(self, token):
        """Whether a token is valid; if not, it must be refused as invalid."""
        response = self.ask("GET", "/me", token)
        if response.status == 200:
            return True
        refused(response, 401, "invalid_token")
        assert response.header("www-authenticate") == CHALLENGE + ', error="invalid_token"'
        return False

    def events(self, **fields):
        """The events of the audit log with these values, newest first."""
        return [event for event in self.pages("/audit", self.admin)
                if all(event[name] == value for name, value in fields.items())]

    def pages(self, path, token, limit=100):
        """All entries of a list, page by page."""
        entries, after = [], ""
        while True:
            page = self.get(f"{path}?limit={limit}{after}", token)
            entries += page["data"]
            if not page["has_more"]:
                return entries
            after = "&after=" + page["next_cursor"]


@contextlib.contextmanager
def house(*arguments, settings=None):
    """A house with an operator, on a server with high limits unless set otherwise."""
    server = program.Program(*arguments, settings={**ROOMY, **(settings or {})})
    try:
        yield House(server).set_up()
    finally:
        if not server.end_was_seen:
            server.stop()
