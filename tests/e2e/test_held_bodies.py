"""A request with a delayed body has the rights that its caller has at the end of the body."""
import json

import pytest

import people
import program
import wire

ALL = ["chat:read", "chat:write", "account", "admin"]
SETTINGS = {**people.ROOMY, "limits.chat": 5000, "model.default": "scripted"}

ROWS = {
    "query": ("POST", "/v1/api/chat/query", {"message": "hi"}),
    "session": ("POST", "/v1/api/chat/sessions", {"title": "t"}),
    "completion": ("POST", "/v1/chat/completions",
                   {"model": "scripted", "messages": [{"role": "user", "content": "hi"}]}),
    "token": ("POST", "/v1/api/tokens", {"name": "another"}),
    "me": ("PATCH", "/v1/api/me", {"display_name": "Eve"}),
    "user": ("POST", "/v1/api/users", {"username": "mallory", "password": "not seen coming 4711"}),
}


@pytest.fixture(name="house", scope="module")
def one_house():
    with people.house(settings=SETTINGS) as opened:
        yield opened


def revoke(house, user, token):
    assert house.ask("DELETE", f"/tokens/{token['id']}", token["token"]).status == 204


def disable(house, user, token):
    change(house, user, disabled=True)


def reset(house, user, token):
    change(house, user, password="set by the operator 0815")


def demote(house, user, token):
    change(house, user, role="member")


def change(house, user, **fields):
    response = house.ask("PATCH", f"/users/{user['id']}", house.admin, fields)
    assert response.status == 200, response.body


@pytest.mark.parametrize("way", [revoke, disable, reset])
def test_rights_that_are_lost_while_bodies_come(house, way):
    user = house.add(f"held-{way.__name__}", role="operator")
    token = house.token_for(user, scopes=ALL)
    held = {name: hold(house, token["token"], *row) for name, row in ROWS.items()}
    way(house, user, token)
    statuses = {name: finish(*each).status for name, each in held.items()}
    assert statuses == dict.fromkeys(ROWS, 401)


def test_a_role_that_is_lost_while_a_body_comes(house):
    user = house.add("held-demoted", role="operator")
    token = house.token_for(user, scopes=ALL)
    held = hold(house, token["token"], *ROWS["user"])
    demote(house, user, token)
    assert finish(*held).status == 403


def hold(house, token, method, target, body):
    """Sends all but the last byte, and waits until the server waits for it."""
    payload = json.dumps(body).encode()
    connection = wire.Connection(house.server.address, timeout=program.PATIENCE)
    connection.send(wire.request_bytes(method, target, {
        "Authorization": f"Bearer {token}", "Content-Type": "application/json",
        "Expect": "100-continue", "Content-Length": str(len(payload))}))
    assert connection.read_response().status == 100  # The token has been checked.
    connection.send(payload[:-1])
    return connection, payload[-1:]


def finish(connection, rest):
    with connection:
        connection.send(rest)
        return connection.read_response()


def test_a_body_is_not_read_for_nothing_when_general_is_full():
    with people.house(settings={**people.ROOMY, "limits.chat": 4, "limits.general": 10}) as house:
        token = house.token_for(house.add("ana"))["token"]
        while house.ask("GET", "/me", token).status == 200:
            pass
        answers = [house.ask("POST", "/chat/query", token, b"{").status for _ in range(8)]
        assert answers == [400] * 4 + [429] * 4
