"""The maximum size of a body, and one user's share of the memory for bodies."""
import contextlib
import json
import select

import pytest

import chats
import completions
import people
import program
import upstreams
import wire

KIB = 1024
MIB = 1024 * KIB
SETTINGS = {**people.ROOMY, "limits.chat": 5000, "server.max_body_mib": 3}


@pytest.fixture(name="house", scope="module")
def one_house(tmp_path_factory):
    with upstreams.mock() as mock:
        key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
        with chats.house({**SETTINGS, **upstreams.settings_of(mock, key, "silent")}) as opened:
            yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def head(target, token, size):
    return wire.request_bytes("POST", target, {
        "Authorization": f"Bearer {token}", "Content-Type": "application/json",
        "Content-Length": str(size)})


def padded(size, **fields):
    """A JSON object of that many bytes."""
    text = json.dumps({**fields, "padding": ""})
    return (text[:-2] + "x" * (size - len(text)) + text[-2:]).encode()


@pytest.mark.parametrize("target, limit", [
    ("/v1/api/auth/login", 16 * KIB), ("/v1/api/auth/refresh", 16 * KIB),
    ("/v1/api/auth/setup", 16 * KIB), ("/v1/api/chat/query", MIB), ("/v1/api/chat/sessions", MIB),
    ("/v1/chat/completions", 3 * MIB)])
def test_a_route_has_its_own_limit(house, ana, target, limit):
    token = house.client_token if "/auth/" in target else ana.token
    for size, fits in ((limit, True), (limit + 1, False)):
        with wire.Connection(house.server.address) as connection:
            connection.send(head(target, token, size))
            if fits:
                connection.send(padded(size))
            response = connection.read_response()
        assert (response.status != 413) == fits, (target, size, response.body[:300])
        assert fits or b"too_large" in response.body or b"exceeds" in response.body


def test_a_large_completion_is_answered(house, ana):
    body = padded(2 * MIB, model="scripted", messages=[{"role": "user", "content": "a b"}])
    with wire.Connection(house.server.address) as connection:
        connection.send(head("/v1/chat/completions", ana.token, len(body)) + body)
        answer = connection.read_response()
    assert answer.status == 200, answer.body
    assert answer.json()["choices"][0]["message"]["content"] == "a b"


def test_one_user_does_not_take_the_memory_of_others_at_the_same_address(house, ana):
    """An eighth of 256 MiB for one user: unfinished bodies of one do not stop those of an office."""
    ben = chats.somebody(house, "ben")
    with contextlib.ExitStack() as stack:
        greedy = []
        for _ in range(40):
            connection = stack.enter_context(wire.Connection(house.server.address))
            connection.send(head("/v1/api/chat/query", ana.token, MIB) + b" " * (MIB - 10))
            greedy.append(connection)
        refused, _, _ = select.select([each.socket for each in greedy], [], [], program.PATIENCE)
        assert refused, "40 bodies of 1 MiB were taken"
        response = next(each for each in greedy if each.socket in refused).read_response()
        assert response.status == 503 and response.json()["code"] == "overloaded"
        with wire.Connection(house.server.address) as other:
            body = padded(900 * KIB)
            other.send(head("/v1/api/chat/query", ben.token, len(body)) + body)
            assert other.read_response().status == 422


def test_one_user_does_not_take_all_the_memory_from_several_addresses(house):
    """The bodies from both addresses together exceed the user's eighth of 256 MiB."""
    cem, dan = chats.somebody(house, "cem"), chats.somebody(house, "dan")
    with contextlib.ExitStack() as stack:
        greedy = []
        for number in range(40):
            connection = stack.enter_context(wire.Connection(
                house.server.address, source=f"127.0.0.{number % 2 + 1}"))
            connection.send(head("/v1/api/chat/query", cem.token, MIB) + b" " * (MIB - 10))
            greedy.append(connection)
        refused, _, _ = select.select([each.socket for each in greedy], [], [], program.PATIENCE)
        assert refused, "one user's 40 bodies of 1 MiB were taken"
        response = next(each for each in greedy if each.socket in refused).read_response()
        people.refused(response, 503, "overloaded")
        assert int(response.header("retry-after")) >= 1
        with wire.Connection(house.server.address, source="127.0.0.2") as other:
            body = padded(900 * KIB)
            other.send(head("/v1/api/chat/query", dan.token, len(body)) + body)
            assert other.read_response().status == 422, "another user at the same address"


@pytest.mark.parametrize("model, store", [("scripted", False), ("scripted", True), ("silent", False)])
def test_an_answer_that_takes_long_does_not_hold_the_share_of_its_body(ana, model, store):
    """Twelve of these bodies exceed the share of one user."""
    with contextlib.ExitStack() as stack:
        answers = [stack.enter_context(completions.streaming(
            ana, "a {delay_ms:60000}b", model=model, store=store, padding="x" * (3 * MIB - KIB)))
            for _ in range(12)]
        assert [answer.status_code for answer in answers] == [200] * 12
        for answer in answers:
            if store:
                ana.cancel(answer.headers["x-run-id"])
