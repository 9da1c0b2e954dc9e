"""The time of the charge: before the body is read; the charge moves if the body shows another class. A
refused request costs nothing."""
import json

import people
import program
import wire
from people import ROOMY

CHAT = {**ROOMY, "limits.chat": 4, "limits.general": 100}
PROXY = {**ROOMY, "server.trusted_proxies": "127.0.0.1/32"}


def query(house, token, key=None, body=None, **fields):
    headers = {"Idempotency-Key": key} if key else {}
    payload = {"message": "Hello", "model": "scripted", **fields} if body is None else body
    return house.ask("POST", "/chat/query", token, payload, headers)


def left(house, token, of="chat"):
    return {each["class"]: each["remaining"] for each in house.get("/limits", token)["data"]}[of]


def policy(response):
    return response.header("ratelimit-policy").split('"')[1]


def begin(house, path, token, announced=100, extra=None):
    """Sends a head, but not the body that it announces."""
    connection = wire.Connection(house.server.address, timeout=program.PATIENCE)
    connection.send(wire.request_bytes("POST", "/v1/api" + path, {
        "Authorization": f"Bearer {token}", "Content-Type": "application/json",
        "Content-Length": str(announced), **(extra or {})}))
    return connection


def test_a_replay_counts_as_general_and_returns_its_place():
    with people.house(settings=CHAT) as house:
        token = house.admin
        first = query(house, token, "one")
        assert first.status == 200 and policy(first) == "chat" and left(house, token) == 3
        for _ in range(5):
            again = query(house, token, "one")
            assert again.header("idempotency-replayed") == "true" and policy(again) == "general"
        assert left(house, token) == 3
        for number in range(3):
            assert query(house, token, f"more-{number}").status == 200
        # The limit of AI chat is used up: only a replay is served.
        general = left(house, token, "general")
        again = query(house, token, "one")
        assert again.status == 200 and again.json()["id"] == first.json()["id"]
        assert policy(again) == "general"
        people.refused(query(house, token, "new"), 429, "rate_limited", "violated-policies")
        refused = query(house, token)
        assert refused.status == 429 and policy(refused) == "chat"
        # One for the replay, one for the key whose body had to be read, one for this request. The one without
        # a key was refused before its body, which costs nothing.
        assert left(house, token, "general") == general - 3


def test_a_refused_body_counts_as_general():
    with people.house(settings=CHAT) as house:
        token = house.admin
        for body in (b"{", b"[1,", b'{"a":1,"a":2}', b"\xff"):
            answer = query(house, token, body=body)
            assert answer.status == 400 and policy(answer) == "general"
            assert query(house, token, "key", body=body).status == 400
        assert left(house, token) == 4
        wrong = query(house, token, message="")
        assert wrong.status == 422 and policy(wrong) == "chat" and left(house, token) == 3


def test_a_place_is_taken_before_the_body_comes():
    with people.house(settings=CHAT) as house:
        token = house.admin
        waiting = [begin(house, "/chat/query", token) for _ in range(4)]
        people.until(lambda: left(house, token) == 0)
        late = begin(house, "/chat/query", token)
        assert late.read_response().status == 429, "without a byte of its body"
        # With a key it might be a replay, which only the body shows.
        body = json.dumps({"message": "Hello", "model": "scripted"}).encode()
        perhaps = begin(house, "/chat/query", token, len(body), {"Idempotency-Key": "k"})
        perhaps.send(body)
        answer = perhaps.read_response()
        assert answer.status == 429 and policy(answer) == "chat"
        for connection in (*waiting, late, perhaps):
            connection.close()


def test_unfinished_logins_are_counted():
    with people.house(settings={"limits.auth": 10}) as house:
        waiting = [begin(house, "/auth/login", house.client_token) for _ in range(9)]
        people.until(lambda: left(house, house.admin, "auth") == 0)
        late = begin(house, "/auth/login", house.client_token)
        answer = late.read_response()
        problem = people.refused(answer, 429, "rate_limited", "violated-policies")
        assert "from this address" in problem["detail"] and policy(answer) == "auth"
        for connection in (*waiting, late):
            connection.close()


def attempt(house, username, address):
    return house.try_login(username, "x" * 1025, headers={"X-Forwarded-For": address})


def test_an_office_has_a_number_of_its_own():
    with people.house(settings={**PROXY, "limits.auth": 3, "limits.auth_address": 20}) as house:
        for number in range(20):
            answer = attempt(house, f"name {number}", "192.0.2.1")
            assert answer.status == 422, answer.body
        answer = attempt(house, "one more", "192.0.2.1")
        assert answer.header("ratelimit-policy") == '"auth";q=20;w=60'
        assert "from this address" in answer.json()["detail"] and answer.status == 429

        for number in range(3):
            assert attempt(house, "ana", f"192.0.2.{number + 2}").status == 422
        for _ in range(30):
            answer = attempt(house, "ana", "198.51.100.1")
            assert answer.status == 429 and "for this account" in answer.json()["detail"]
            assert answer.header("ratelimit-policy") == '"auth";q=3;w=60'
        # Refused requests used none of the address's 20.
        for number in range(20):
            assert attempt(house, f"other {number}", "198.51.100.1").status == 422


def test_a_network_has_ten_times_the_number():
    with people.house(settings={**PROXY, "limits.auth": 3}) as house:
        statuses = [attempt(house, f"n{number}", f"2001:db8:1:{number:x}::1").status
                    for number in range(40)]
        assert statuses == [422] * 30 + [429] * 10
        answer = attempt(house, "more", "2001:db8:1:ffff::1")
        assert answer.header("ratelimit-policy") == '"auth";q=30;w=60'
        assert "from this network" in answer.json()["detail"]
        assert attempt(house, "more", "2001:db8:2::1").status == 422
        assert attempt(house, "more", "192.0.2.1").status == 422


def test_a_preflight_of_an_allowed_origin_is_not_counted():
    page = "https://app.example.org"
    with people.house(settings={"limits.general": 3, "server.cors_origins": page}) as house:
        asked = {"Origin": page, "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "authorization,x-stainless-os,x-stainless-lang"}
        for _ in range(10):
            answer = house.ask("OPTIONS", "/chat/query", headers=asked)
            assert answer.status == 204 and policy(answer) == "general"
            allowed = answer.header("access-control-allow-headers")
            assert allowed == asked["Access-Control-Request-Headers"]
        for origin in ({}, {"Origin": "https://evil.example"}, {"Origin": page}):
            assert house.ask("OPTIONS", "/chat/query", headers=origin).status == 204
        assert house.ask("OPTIONS", "/chat/query").status == 429
        assert house.ask("OPTIONS", "/chat/query", headers=asked).status == 204


def test_limits_of_ones_own_are_counted_and_shown():
    with people.house(settings=CHAT) as house:
        user = house.add("gateway")
        path = f"/users/{user['id']}"
        token = house.token_for(user, scopes=["chat:read", "chat:write", "account"])["token"]

        def lists():
            return house.ask("GET", "/chat/sessions", token)

        def allow(chat):
            assert house.ask("PATCH", path, house.admin, {"limits": {"chat": chat}}).status == 200
            people.until(lambda: shown()["limit"] == (chat or 4))

        def shown():
            return {each["class"]: each for each in house.get("/limits", token)["data"]}["chat"]

        assert [lists().status for _ in range(5)] == [200] * 4 + [429]
        allow(50)
        answer = lists()
        assert answer.header("ratelimit-policy") == '"chat";q=50;w=60'
        assert answer.header("ratelimit").startswith('"chat";r=45;'), "four were spent before"
        assert [lists().status for _ in range(46)] == [200] * 45 + [429]
        assert shown()["remaining"] == 0
        allow(2)
        assert lists().status == 429
        allow(60)
        assert [lists().status for _ in range(11)] == [200] * 10 + [429]
        allow(None)
        assert lists().status == 429


def test_a_tokens_own_limit_counts_inside_its_users():
    with people.house(settings={**ROOMY, "limits.chat": 10}) as house:
        user = house.add("ana")
        plain, tight = (house.token_for(user, scopes=["chat:read"], **more)["token"]
                        for more in ({}, {"limits": {"chat": 3}}))

        def lists(token):
            return house.ask("GET", "/chat/sessions", token)

        answers = [lists(tight) for _ in range(4)]
        assert [each.status for each in answers] == [200, 200, 200, 429]
        assert answers[0].header("ratelimit-policy") == '"chat";q=3;w=60'
        assert "with this token" in answers[3].json()["detail"]
        assert [lists(plain).status for _ in range(8)] == [200] * 7 + [429]
