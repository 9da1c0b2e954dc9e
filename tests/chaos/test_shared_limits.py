"""Rate limits of three servers that share a database, with many clients at the same time: exact, and cheap for the
database if most requests are refused.

In `make chaos MINUTES=30` or more there are 600 clients."""
import collections
import threading
import time

import people
import postgres
import program
import pytest
import wire
from replicas import IS_LONG, Replicas

CLIENTS = 600 if IS_LONG else 60
WINDOW = 60
SECONDS = 3  # Of a flood.
TOGETHER = 10  # Requests.
# How often the servers may ask the database in a second. Admissions of class General are never given back, so that
# refusals are repeated until one more is free. One of AI chat is repeated for 200 ms; then one request asks again.
MOST_QUESTIONS = 20
LAST = 5  # The admissions that are left when most clients come.
ADDRESS = "192.0.2.7"  # Of no other request.
SETTINGS = {"limits.window_s": WINDOW, "server.trusted_proxies": "127.0.0.1/32"}


def request(method, path, token, body=b"", **headers):
    fields = {"Authorization": f"Bearer {token}", "X-Forwarded-For": ADDRESS, **headers}
    return wire.request_bytes(method, "/v1/api" + path, fields, body)


def wrong_login(three):
    three.houses[0].add("ben")
    return request("POST", "/auth/login", three.houses[0].client_token, b'{"username": "ben", "password": "wrong"}',
                   **{"Content-Type": "application/json"})


# What each client sends, the status if it is admitted, and the limit. Each admitted login is hashed.
KINDS = {
    "user": (lambda three: request("GET", "/me", three.token), 200, CLIENTS * 2 // 3),
    "address": (lambda _: request("GET", "/me", people.invented_token()), 401, CLIENTS * 2 // 3),
    "account": (wrong_login, 401, 20)}


def ask_at_once(three, count, message):
    """The status of one request of each client, over connections that are open before."""
    ready = threading.Barrier(count)

    def ask(number):
        with wire.Connection(three.servers[number % 3].address, timeout=program.PATIENCE) as connection:
            ready.wait()
            connection.send(message)
            return connection.read_response().status
    return people.at_once(count, ask)


@pytest.mark.parametrize("kind", KINDS)
def test_a_limit_is_exact_for_many_clients_at_once(start, tmp_path, kind):
    message_for, admitted, limit = KINDS[kind]
    # An attempt that the account's limit refuses counts for the address until then.
    limits = {"limits.auth": limit, "limits.auth_address": 1000} if kind == "account" else {"limits.general": limit}
    three = Replicas(start, tmp_path, 3, {**SETTINGS, **limits})
    message = message_for(three)
    begun = time.monotonic()
    first = ask_at_once(three, limit - LAST, message)
    rest = ask_at_once(three, CLIENTS - len(first), message)
    assert time.monotonic() - begun < WINDOW, "too slow: the window of the first ones is over"
    assert set(first) == {admitted}, "none is refused while fewer than the limit were admitted"
    assert collections.Counter(rest) == {admitted: LAST, 429: CLIENTS - limit}


def decisions(three, stranger):
    """How often the servers have asked the database about requests; a server asks about all that wait with one
    call."""
    # A connection adds its calls to the count once a second, with the first call after that.
    time.sleep(1.1)
    for server in three.servers:
        with wire.Connection(server.address) as connection:
            connection.send(request("GET", "/me", people.invented_token(), **{"X-Forwarded-For": stranger}))
            assert connection.read_response().status == 401
    return sum(map(int, three.query("SELECT calls FROM pg_stat_user_functions WHERE funcname = 'parley_admit_v1'")))


def refused_in(three, seconds, message):
    """The number of refusals of one user by all servers, over two connections to each, without pause."""
    end = time.monotonic() + seconds

    def flood(number):
        refused = 0
        with wire.Connection(three.servers[number % 3].address, timeout=program.PATIENCE) as connection:
            while time.monotonic() < end:
                # Several at a time: one by one, a slow machine would not make a flood of them.
                connection.send(message * TOGETHER)
                assert {connection.read_response().status for _ in range(TOGETHER)} == {429}
                refused += TOGETHER
        return refused
    return sum(people.at_once(6, flood))


@pytest.mark.parametrize("of, ask, message", [
    ("general", lambda person: person.request("GET", "/me"), lambda token: request("GET", "/me", token)),
    ("chat", lambda person: person.query("hello"), lambda token: request(
        "POST", "/chat/query", token, b'{"message": "hello"}', **{"Content-Type": "application/json"}))])
def test_refused_requests_cost_the_database_little(start, tmp_path, of, ask, message):
    database = postgres.url_for(tmp_path).partition("@/")[2].partition("?")[0]
    postgres.shared().query(f"ALTER DATABASE {database} SET track_functions = 'pl'")
    three = Replicas(start, tmp_path, 3, {**SETTINGS, f"limits.{of}": 20})
    while ask(three.people[0]).status == 200:
        pass
    before, begun = decisions(three, "198.51.100.1"), time.monotonic()
    refused = refused_in(three, SECONDS, message(three.token))
    took = time.monotonic() - begun
    asked = decisions(three, "198.51.100.2") - before
    print(f"{refused / took:.0f} refusals/s, {asked / took:.0f} questions/s to the database")
    most = MOST_QUESTIONS * took
    assert refused > most, "no flood: it would be right even if each of them asked the database"
    assert asked < most
