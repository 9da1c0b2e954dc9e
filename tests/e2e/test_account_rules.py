"""Rights of tokens that tokens create, individual limits, repeated requests, invitations, and the filters of
operators' lists (docs/guides)."""
import datetime
import itertools
import signal

import pytest

import people
from people import faults, password_of, refused

ALL = ["chat:read", "chat:write", "account", "admin"]


@pytest.fixture(name="house", scope="module")
def one_house():
    with people.house() as opened:
        yield opened


def from_now(**time):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**time)
    return then.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_no_token_makes_one_that_may_do_more(house):
    """Parents of every kind request every kind of child: the child never has more rights than the parent."""
    end = from_now(hours=1)
    parents = [(house.admin, "login", ALL, None)]
    for test, expires_at, scopes in itertools.product(
            (False, True), (None, end), (["account"], ["account", "chat:read"], ALL)):
        if test:
            scopes = [scope for scope in scopes if scope != "admin"]
        made = house.make_token(house.admin, test=test, expires_at=expires_at, scopes=scopes)
        parents.append((made["token"], made["kind"], scopes, expires_at))
    counted = {201: 0, 403: 0, 422: 0}
    for (parent, kind, has, expires_at), test, asked, ends in itertools.product(
            parents, (None, True, False), (["account"], ["chat:read", "chat:write"], ["admin"]),
            ({}, {"expires_at": None}, {"expires_at": from_now(minutes=5)},
             {"expires_at": from_now(hours=2)})):
        body = {"name": "child", "scopes": asked, **({} if test is None else {"test": test}), **ends}
        response = house.ask("POST", "/tokens", parent, body)
        counted[response.status] += 1
        is_test = test if test is not None else kind == "test"
        too_late = expires_at and "expires_at" in ends and (ends["expires_at"] or "~") > expires_at
        allowed = (set(asked) <= set(has) and not (is_test and "admin" in asked) and not too_late
                   and (is_test or kind != "test"))
        assert (response.status == 201) == allowed, (kind, has, expires_at, body, response.body)
        if allowed:
            child = response.json()
            assert child["kind"] == ("test" if is_test else "personal")
            assert child["expires_at"] == ends.get("expires_at", expires_at)
        elif response.status == 403:
            needed = refused(response, 403, "insufficient_scope", "required_scope")
            assert needed["required_scope"] in set(asked) - set(has)
    assert min(counted.values()) > 20, counted


def test_one_token_is_looked_at_and_changed(house):
    ana = house.add_and_login("ana")["access_token"]
    made = house.make_token(ana, limits={"chat": 7})
    path = f"/tokens/{made['id']}"
    made.pop("token")
    assert made["limits"] == {"chat": 7, "general": None, "automation": None}
    assert house.get(path, ana) == made
    changed = house.ask("PATCH", path, ana, {
        "name": "other", "limits": {"chat": None, "general": 9, "automation": 5}})
    assert changed.status == 200
    assert changed.json() == {**made, "name": "other", "limits": {"chat": None, "general": 9, "automation": 5}}
    assert house.get(path, ana) == changed.json() == house.pages("/tokens", ana)[0]
    assert {event["action"] for event in house.events(target=made["id"])} == {
        "token.created", "token.renamed", "token.limits_changed"}
    for body, pointer in (({"name": ""}, "#/name"), ({"name": "n" * 129}, "#/name"),
                          ({"limits": {"chat": 0}}, "#/limits/chat"),
                          ({"limits": {"general": 1001}}, "#/limits/general"),
                          ({"limits": {"automation": 0}}, "#/limits/automation"),
                          ({"limits": {"automation": 31}}, "#/limits/automation"),
                          ({"limits": {"auth": 1}}, "#/limits/auth"), ({"scopes": []}, "#/scopes"),
                          ({"limits": {"chat": 31}}, "#/limits/chat")):
        assert [where for where, _ in faults(house.ask("PATCH", path, ana, body))] == [pointer]
    others = house.add_and_login("otherana")["access_token"]
    never = refused(house.ask("GET", "/tokens/tok_0000", others), 404, "not_found")
    for method, body in (("GET", None), ("PATCH", {"name": "x"}), ("DELETE", None)):
        answer = refused(house.ask(method, path, others, body), 404, "not_found")
        assert answer["detail"] == never["detail"]
    login = next(each for each in house.pages("/tokens", ana) if each["kind"] == "login")
    renamed = house.ask("PATCH", f"/tokens/{login['id']}", ana, {"name": "laptop"})
    assert renamed.status == 200 and renamed.json()["name"] == "laptop"
    answer = house.ask("PATCH", f"/tokens/{login['id']}", ana, {"limits": {"chat": 1}})
    assert faults(answer) == [("#/limits", "not_allowed")]


def test_limits_of_a_user_are_the_operators_to_set(house):
    user = house.add("gateway")
    path = f"/users/{user['id']}"
    shown = {"chat": None, "general": None, "automation": None}
    for limits in ({"chat": 300}, {"general": 1000}, {"chat": None}, {"automation": 90}):
        shown.update(limits)
        response = house.ask("PATCH", path, house.admin, {"limits": limits})
        assert response.status == 200 and response.json()["limits"] == shown
        assert house.get(path, house.admin)["limits"] == shown
    assert len(house.events(action="user.limits_changed", target=user["id"])) == 4
    for limits in ({"chat": 0}, {"chat": 1001}, {"general": 1.5}, {"chat": "30"}):
        assert faults(house.ask("PATCH", path, house.admin, {"limits": limits}))
    own = house.login("gateway")["access_token"]
    assert faults(house.ask("PATCH", "/me", own, {"display_name": "x", "limits": {"chat": 9}}))
    house.ask("PATCH", path, house.admin, {"limits": {"chat": 300}})
    assert house.make_token(own, limits={"chat": 300})["limits"]["chat"] == 300
    answer = house.ask("POST", "/tokens", own, {"name": "n", "limits": {"chat": 301}})
    assert faults(answer) == [("#/limits/chat", "out_of_range")]


def keyed(house, path, body, key, token=None):
    return house.ask("POST", path, token or house.admin, body, {"Idempotency-Key": key})


def test_what_is_made_with_a_key_is_made_once(house):
    user = house.add("keyed")
    for path, body, secret in (
            ("/tokens", {"name": "one", "expires_at": from_now(days=1)}, "token"),
            (f"/users/{user['id']}/tokens", {"name": "two"}, "token"),
            ("/users", {"username": "made once", "password": password_of("made once")}, None),
            ("/users", {"username": "invited once"}, "invitation")):
        key = "key of " + path + str(secret)
        key = key.replace(" ", "-")
        first = keyed(house, path, body, key)
        assert first.status == 201 and first.header("idempotency-replayed") is None, first.body
        for again in (keyed(house, path, body, key), keyed(house, path, body, f'"{key}"'),
                      keyed(house, path, dict(reversed(body.items())), key)):
            assert again.status == 201 and again.header("idempotency-replayed") == "true"
            assert again.header("location") == first.header("location")
            assert again.header("ratelimit-policy").startswith('"general"')
            assert {**again.json(), "last_used_at": 0} == {
                **{name: value for name, value in first.json().items() if name != secret},
                "last_used_at": 0}
        refused(keyed(house, path, {**body, next(iter(body)): "other"}, key), 422,
                "idempotency_mismatch")
        assert len(house.events(target=first.json()["id"])) == 1, "a replay is not audited"
    refused(keyed(house, "/tokens", {"name": "x"}, ""), 400, "invalid_idempotency_key")
    # One namespace of keys for all objects of a user.
    assert keyed(house, "/chat/sessions", {}, "shared").status == 201
    refused(keyed(house, "/tokens", {"name": "x"}, "shared"), 422, "idempotency_mismatch")
    # A refusal does not use up the key.
    assert faults(keyed(house, "/tokens", {"name": ""}, "unbound"))
    assert keyed(house, "/tokens", {"name": "x"}, "unbound").status == 201


def test_many_at_once_with_one_key_make_one(house):
    answers = people.at_once(8, lambda _: keyed(house, "/tokens", {"name": "race"}, "race"))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("token" in answer.json() for answer in answers) == 1


def test_keys_survive_a_kill(start, tmp_path):
    def opened():
        return people.House(start("--data", tmp_path / "data", settings=people.ROOMY))

    house = opened().set_up()
    personal = house.make_token(house.admin, scopes=ALL)["token"]
    first = keyed(house, "/tokens", {"name": "kept"}, "k", personal).json()
    house.server.signal(signal.SIGKILL)
    house.server.wait()
    house = opened()
    again = keyed(house, "/tokens", {"name": "kept"}, "k", personal)
    assert again.header("idempotency-replayed") == "true" and again.json()["id"] == first["id"]
    assert "token" not in again.json() and house.works(first["token"])


def test_an_invited_user_sets_a_password_once(house):
    response = house.ask("POST", "/users", house.admin, {"username": "ingrid"})
    made = response.json()
    assert response.status == 201 and set(made["invitation"]) == {"url", "expires_at"}
    assert made["invitation"]["url"].startswith("/#invite=")
    week = people.at(made["invitation"]["expires_at"]) - people.at(made["created_at"])
    assert abs(week - 7 * 86400) < 60
    assert "invitation" not in house.get(f"/users/{made['id']}", house.admin)
    refused(house.try_login("ingrid"), 401, "invalid_credentials")

    def accept(url, password):
        return house.ask("POST", "/auth/accept", house.client_token,
                         {"code": url.partition("=")[2], "password": password})

    first = made["invitation"]["url"]
    answer = house.ask("POST", f"/users/{made['id']}/invite", house.admin)
    assert answer.status == 201 and answer.json()["id"] == made["id"]
    second = answer.json()["invitation"]["url"]
    refused(accept(first, password_of("ingrid")), 401, "invalid_credentials")
    assert faults(accept(second, "ingrid12")) == [("#/password", "guessable")]
    accepted = accept(second, password_of("ingrid"))
    assert accepted.status == 200 and accepted.json()["object"] == "auth.login"
    assert accepted.header("ratelimit-policy").startswith('"auth"')
    assert house.works(accepted.json()["access_token"]) and house.login("ingrid")
    refused(accept(second, password_of("ingrid")), 401, "invalid_credentials")
    assert [event["action"] for event in house.events(target=made["id"])] == [
        "invitation.accepted", "user.invited", "login.refused", "user.created"]


def test_operators_see_how_the_server_is(house):
    status = house.get("/status", house.admin)
    assert set(status) == {"object", "version", "models", "memory_bytes", "storage", "queue"}
    assert status["object"] == "status" and status["queue"] == {"running": 0, "queued": 0}
    assert {"id": "scripted", "state": "ready", "memory_bytes": None} in status["models"]
    assert status["storage"]["writable"] is True and status["memory_bytes"] > 1 << 20
    assert status["storage"]["database_bytes"] > 0 and status["storage"]["disk_free_bytes"] > 0
    member = house.add_and_login("curious")["access_token"]
    assert refused(house.ask("GET", "/status", member), 403, "insufficient_scope",
                   "required_scope")["required_scope"] == "admin"


def test_a_set_up_is_one_event():
    with people.house() as house:
        assert [event["action"] for event in house.events(actor=house.operator["user"]["id"])] == [
            "setup"]


def test_the_audit_log_is_filtered(house):
    me = house.operator["user"]["id"]
    user = house.add("watched")
    made = house.token_for(user)
    events = house.pages("/audit", house.admin)
    at = next(event["at"] for event in events if event["target"] == made["id"])
    for query, wanted in (
            (f"target={made['id']}", lambda event: event["target"] == made["id"]),
            (f"actor={me}", lambda event: event["actor"] == me),
            ("action=user.created", lambda event: event["action"] == "user.created"),
            (f"since={at}", lambda event: event["at"] >= at),
            (f"before={at}", lambda event: event["at"] < at),
            (f"actor={me}&action=token.created&since={at}", lambda event: (
                event["actor"] == me and event["action"] == "token.created" and event["at"] >= at)),
            ("action=user", lambda event: False)):
        seen, after = [], ""
        while True:
            page = house.get(f"/audit?limit=3&{query}{after}", house.admin)
            seen += page["data"]
            if not page["has_more"]:
                break
            after = "&after=" + page["next_cursor"]
        assert seen == [event for event in events if wanted(event)], query
    cursor = house.get("/audit?limit=1", house.admin)["next_cursor"]
    refused(house.ask("GET", f"/audit?limit=1&actor={me}&after={cursor}", house.admin), 400,
            "invalid_cursor")
    problem = refused(house.ask("GET", "/audit?since=yesterday&before=x", house.admin), 422,
                      "validation_failed", "errors")
    assert [error["parameter"] for error in problem["errors"]] == ["since", "before"]


def test_users_are_searched(house):
    house.add("needle", display_name="Straße im HEU")
    house.add("needless")

    def named(text):
        return [user["username"] for user in house.get(f"/users?q={text}", house.admin)["data"]]

    assert named("NEEDLE") == ["needless", "needle"]
    assert named("STRASSE%20im") == ["needle"] and named("no-such-name") == []
    cursor = house.get("/users?q=needle&limit=1", house.admin)["next_cursor"]
    assert house.get(f"/users?q=needle&limit=1&after={cursor}", house.admin)["data"][0][
        "username"] == "needle"
    refused(house.ask("GET", f"/users?q=need&after={cursor}", house.admin), 400, "invalid_cursor")
