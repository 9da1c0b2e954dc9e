"""Tokens: their format, their rights, and their end."""
import datetime
import time

import pytest

import people
from people import CHALLENGE, faults, refused, said

TOKEN_FIELDS = {"object", "id", "name", "kind", "scopes", "hint", "created_at", "created_by",
                "last_used_at", "expires_at", "limits"}
NO_TOKEN = "tok_0000000000000000000000000000"


@pytest.fixture(name="house", scope="module")
def one_house():
    with people.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return house.add_and_login("ana")["access_token"]


def in_future(seconds):
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.strftime("%Y-%m-%dT%H:%M:%S.") + f"{then.microsecond // 1000:03d}Z"


def test_a_personal_token_field_by_field(house, ana):
    expires_at = in_future(3600)
    response = house.ask("POST", "/tokens", ana, {
        "name": "backup job", "scopes": ["chat:read"], "expires_at": expires_at, "test": False})
    made = response.json()
    assert response.status == 201 and set(made) == TOKEN_FIELDS | {"token"}
    assert response.header("location") == f"/v1/api/tokens/{made['id']}"
    assert response.header("cache-control") == "no-store"
    text = made.pop("token")
    me = house.get("/me", ana)["id"]
    assert made == {
        "object": "api_token", "id": made["id"], "name": "backup job", "kind": "personal",
        "scopes": ["chat:read"], "hint": f"plp_…{text[-4:]}", "created_at": made["created_at"],
        "created_by": me, "last_used_at": None, "expires_at": expires_at,
        "limits": {"chat": None, "general": None, "automation": None}}
    assert people.is_id(made["id"], "tok") and abs(people.at(made["created_at"]) - time.time()) < 60
    assert house.pages("/tokens", ana)[0] == made, "the secret is shown once"
    assert house.events(action="token.created", target=made["id"], actor=me)

    assert house.works(text)
    used = people.until(lambda: house.pages("/tokens", ana)[0]["last_used_at"])
    assert abs(people.at(used) - time.time()) < 60


def test_a_token_in_test_mode(house, ana):
    made = house.make_token(ana, test=True)
    assert made["kind"] == "test" and made["token"][:4] == "plt_" and house.works(made["token"])


def test_every_kind_of_token_is_well_formed(house, ana):
    login = house.login("ana")
    tokens = [house.client_token, login["access_token"], login["refresh_token"],
              house.make_token(ana)["token"], house.make_token(ana, test=True)["token"]]
    assert [token[:4] for token in tokens] == ["plc_", "pls_", "plr_", "plp_", "plt_"]
    for token in (*tokens, house.command_line):
        assert people.TOKEN.fullmatch(token) and token[-6:] == people.checksum(token[:-6])


def test_scopes_have_defaults_and_an_order(house, ana):
    assert house.make_token(ana)["scopes"] == ["chat:read", "chat:write"]
    assert house.make_token(ana, scopes=None)["scopes"] == ["chat:read", "chat:write"]
    assert house.make_token(ana, scopes=["account", "chat:read", "account"])["scopes"] == [
        "chat:read", "account"]
    assert house.make_token(ana)["expires_at"] is None


@pytest.mark.parametrize("body, expected", [
    ({}, {"#/name"}), ({"name": ""}, {"#/name"}), ({"name": "n" * 129}, {"#/name"}),
    ({"name": "n", "scopes": []}, {"#/scopes"}),
    ({"name": "n", "scopes": ["chat:read", "everything"]}, {"#/scopes/1"}),
    ({"name": "n", "scopes": "chat:read"}, {"#/scopes"}),
    ({"name": "n", "expires_at": "tomorrow"}, {"#/expires_at"}),
    ({"name": "n", "expires_at": "2020-01-01T00:00:00.000Z"}, {"#/expires_at"}),
    ({"name": "n", "expires_at": "2027-02-30T00:00:00.000Z"}, {"#/expires_at"}),
    ({"name": "n", "expires_at": 1}, {"#/expires_at"}), ({"name": "n", "test": 1}, {"#/test"}),
    ({"name": "n", "user": "usr_x", "kind": "client"}, {"#/user", "#/kind"})])
def test_tokens_that_will_not_do(house, ana, body, expected):
    answer = house.ask("POST", "/tokens", ana, body)
    assert {pointer for pointer, _ in faults(answer)} == expected


def test_a_token_hands_out_only_scopes_that_it_has(house, ana):
    account = house.make_token(ana, scopes=["account", "chat:read"])["token"]
    assert house.make_token(account, scopes=["account", "chat:read"])
    for by, scopes, missing in ((account, ["chat:write"], "chat:write"),
                                (account, ["chat:read", "admin"], "admin"),
                                (account, None, "chat:write"),
                                (ana, ["admin"], "admin")):
        answer = house.ask("POST", "/tokens", by, {"name": "more", "scopes": scopes})
        problem = refused(answer, 403, "insufficient_scope", "required_scope")
        assert problem["required_scope"] == missing
        assert answer.header("www-authenticate") == (
            CHALLENGE + f', error="insufficient_scope", scope="{missing}"')
    for by in (ana, house.admin):  # No scope would help: only client tokens have it.
        answer = house.ask("POST", "/tokens", by, {"name": "more", "scopes": ["auth:login"]})
        assert faults(answer) == [("#/scopes/0", "not_allowed")]
    scarce = house.make_token(ana)["token"]
    for method, path in (("GET", "/tokens"), ("POST", "/tokens"), ("DELETE", "/tokens/x"),
                         ("GET", "/tokens/x"), ("PATCH", "/tokens/x")):
        answer = house.ask(method, path, scarce,
                           {"name": "n"} if method in ("POST", "PATCH") else None)
        problem = refused(answer, 403, "insufficient_scope", "required_scope")
        assert problem["required_scope"] == "account"


def test_an_operator_makes_tokens_for_others(house):
    user = house.add("otto")
    admin_only = house.make_token(house.admin, scopes=["admin", "chat:read"])["token"]
    path = f"/users/{user['id']}/tokens"
    made = house.token_for(user, scopes=["account"])
    assert made["created_by"] == house.operator["user"]["id"]
    assert house.get("/me", made["token"])["id"] == user["id"]
    shown = house.pages("/tokens", made["token"])
    assert shown[0]["id"] == made["id"] and shown[0]["created_by"] == made["created_by"]
    assert house.events(action="token.created", target=made["id"], actor=made["created_by"])
    answer = house.ask("POST", path, admin_only, {"name": "n", "scopes": ["chat:write"]})
    assert refused(answer, 403, "insufficient_scope", "required_scope")[
        "required_scope"] == "chat:write"
    # The operator has the scope, and the member cannot have it: no scope would help.
    answer = house.ask("POST", path, house.admin, {"name": "n", "scopes": ["admin"]})
    assert faults(answer) == [("#/scopes", "not_allowed")]
    assert house.ask("POST", path, admin_only, {"name": "n", "scopes": ["chat:read"]}).status == 201


def test_logins_are_listed_and_ended_like_tokens(house):
    login, other = house.add_and_login("lia"), house.login("lia", label="phone")
    token = login["access_token"]
    phone, first = house.pages("/tokens", token)
    assert set(phone) == TOKEN_FIELDS
    assert phone["kind"] == "login" and phone["name"] == "phone" and first["name"] == ""
    assert phone["hint"] == f"pls_…{other['access_token'][-4:]}"
    assert phone["scopes"] == ["chat:read", "chat:write", "account", "automation:read", "automation:write"]
    assert phone["created_by"] == login["user"]["id"]
    assert house.ask("DELETE", f"/tokens/{phone['id']}", token).status == 204
    assert not house.works(other["access_token"]) and house.works(token)
    refused(house.refresh(other["refresh_token"]), 401, "invalid_credentials")


def test_revoking_works_at_once(house, ana):
    made = house.make_token(ana)
    assert house.works(made["token"])
    response = house.ask("DELETE", f"/tokens/{made['id']}", ana)
    assert response.status == 204 and response.body == b""
    assert not house.works(made["token"])
    refused(house.ask("DELETE", f"/tokens/{made['id']}", ana), 404, "not_found")
    assert made["id"] not in [token["id"] for token in house.pages("/tokens", ana)]
    assert house.events(action="token.revoked", target=made["id"])


def test_a_token_expires(house, ana):
    made = house.make_token(ana, expires_at=in_future(5))
    # On a machine that was paused, its time may be over already.
    assert house.works(made["token"]) or time.time() >= people.at(made["expires_at"])
    people.until(lambda: not house.works(made["token"]))
    assert time.time() >= people.at(made["expires_at"])
    assert made["id"] not in [token["id"] for token in house.pages("/tokens", ana)]


def test_what_belongs_to_others_does_not_exist(house, ana):
    theirs = house.make_token(house.admin)
    never = house.ask("DELETE", "/tokens/" + NO_TOKEN, ana)
    for name in (theirs["id"], "x", "'%20OR%201=1--"):
        answer = house.ask("DELETE", "/tokens/" + name, ana)
        refused(answer, 404, "not_found")
        assert said(answer) == said(never)
        assert [name for name, _ in answer.fields] == [name for name, _ in never.fields]
        own_id = answer.json()["request_id"].encode()
        assert answer.body.replace(own_id, b"") == never.body.replace(
            never.json()["request_id"].encode(), b"")
    assert house.works(theirs["token"])
    assert theirs["id"] not in [token["id"] for token in house.pages("/tokens", ana)]


def test_whatever_is_wrong_with_a_token_is_told_in_the_same_words(house, ana):
    revoked = house.make_token(ana)
    house.ask("DELETE", f"/tokens/{revoked['id']}", ana)
    wrong_checksum = ana[:-1] + ("0" if ana[-1] != "0" else "1")
    bad = [revoked["token"], wrong_checksum, people.invented_token(), people.invented_token("x"),
           people.invented_token("c"), house.login("ana")["refresh_token"], "x", "' OR 1=1--",
           ana + "0", ana[:-1], ana.swapcase(), "pls_" + "0" * 38, ana + " " + ana, "a" * 8000]
    answers = [house.ask(method, path, token) for token in bad
               for method, path in (("GET", "/me"), ("GET", "/nothing"), ("DELETE", "/me"))]
    answers.append(house.ask("POST", "/auth/login", bad[0], {"username": "ana", "password": "x"}))
    for answer in answers:
        refused(answer, 401, "invalid_token")
        assert said(answer) == said(answers[0])
        assert answer.header("www-authenticate") == CHALLENGE + ', error="invalid_token"'


def test_without_a_token_nothing_is_told(house, ana):
    answers = [house.ask("GET", path, headers=headers) for path in ("/me", "/nothing", "/tokens/x")
               for headers in ({}, {"Authorization": "Basic YW5hOng="}, {"Authorization": ana},
                               {"Authorization": "Bearer"}, {"Cookie": f"token={ana}"},
                               {"X-Api-Key": ana}, {"Proxy-Authorization": f"Bearer {ana}"})]
    answers += [house.ask("GET", f"/me?{name}={ana}") for name in ("token", "access_token")]
    for answer in answers:
        refused(answer, 401, "missing_token")
        assert said(answer) == said(answers[0])
        assert answer.header("www-authenticate") == CHALLENGE


def test_the_scheme_is_compared_without_case(house, ana):
    for scheme in ("bearer", "BEARER", "Bearer "):
        assert house.ask("GET", "/me", headers={"Authorization": f"{scheme} {ana}"}).status == 200


def test_two_authorizations_are_none(house, ana):
    for other in (f"Bearer {ana}", "Bearer x", "Basic x"):
        answer = house.ask("GET", "/me", ana, headers={"AUTHORIZATION": other})
        refused(answer, 400, "invalid_request")
        assert answer.header("www-authenticate") is None


def test_a_client_token_may_only_log_in(house):
    for method, path, body in (("GET", "/me", None), ("GET", "/limits", None),
                               ("GET", "/tokens", None), ("POST", "/tokens", {"name": "x"}),
                               ("PATCH", "/me", {"display_name": "x"}),
                               ("PUT", "/me/password", {}), ("GET", "/users", None),
                               ("POST", "/auth/logout", None)):
        answer = house.ask(method, path, house.client_token, body)
        problem = refused(answer, 403, "insufficient_scope", "required_scope")
        assert f'scope="{problem["required_scope"]}"' in answer.header("www-authenticate")


def test_lists_go_page_by_page(house):
    user = house.add("many")
    token = house.token_for(user, scopes=["account", "chat:read"])["token"]
    names = [f"number {number}" for number in range(25)]
    for name in names:
        house.make_token(token, name=name, scopes=["chat:read"])
    expected = [*reversed(names), "from above"]
    assert [each["name"] for each in house.pages("/tokens", token, limit=7)] == expected

    response = house.ask("GET", "/tokens", token)
    page = response.json()
    assert set(page) == {"object", "data", "has_more", "next_cursor"} and page["object"] == "list"
    assert len(page["data"]) == 20 and page["has_more"] is True
    assert response.header("link") == (
        f'</v1/api/tokens?after={page["next_cursor"]}>; rel="next"')
    last = house.ask("GET", f"/tokens?after={page['next_cursor']}", token)
    assert last.json()["has_more"] is False and last.json()["next_cursor"] is None
    assert [each["name"] for each in last.json()["data"]] == expected[20:]
    assert last.header("link") is None

    cursor = page["next_cursor"]
    wrong = [(f"/tokens?after={cursor}", house.admin), (f"/users?after={cursor}", house.admin),
             (f"/audit?after={cursor}", house.admin), (f"/tokens?after={cursor}A", token),
             (f"/tokens?after={cursor[:-2]}", token), ("/tokens?after=5", token),
             (f"/tokens?after={cursor.swapcase()}", token)]
    for path, by in wrong:
        refused(house.ask("GET", path, by), 400, "invalid_cursor")
    for limit in ("0", "101", "-1", "x", "", "1.5", "99999999999999999999"):
        problem = refused(house.ask("GET", f"/tokens?limit={limit}", token), 422,
                          "validation_failed", "errors")
        assert [error["parameter"] for error in problem["errors"]] == ["limit"]
    users = house.pages("/users", house.admin, limit=1)
    assert users == house.pages("/users", house.admin) and users[0]["id"] == user["id"]
    events = house.pages("/audit", house.admin, limit=30)
    assert [event["at"] for event in events] == sorted((e["at"] for e in events), reverse=True)


def test_a_refusal_names_whom_to_ask():
    with people.house(settings={"server.contact": "ask@example.org"}) as house:
        for answer, code in ((house.ask("GET", "/me"), "missing_token"),
                             (house.ask("GET", "/me", "x"), "invalid_token"),
                             (house.try_login("nobody"), "invalid_credentials")):
            assert refused(answer, 401, code, "contact")["contact"] == "ask@example.org"
        refused(house.ask("GET", "/me", house.client_token), 403, "insufficient_scope",
                "required_scope")
