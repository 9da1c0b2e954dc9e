"""Users: their own changes, changes by an operator, and the audit log."""
import pytest

import people
from people import faults, password_of, refused, said

USER_FIELDS = {"object", "id", "username", "display_name", "role", "disabled", "created_at",
               "last_login_at", "limits", "budget", "retention_days", "second_factor"}
EVENT_FIELDS = {"object", "id", "at", "actor", "action", "target", "address", "request_id"}
NOBODY = "usr_0000000000000000000000000000"


@pytest.fixture(name="house", scope="module")
def one_house():
    with people.house() as opened:
        yield opened


def check_event(house, action, target, actor):
    """The newest event is this one, and contains no private data."""
    event = house.get("/audit?limit=1", house.admin)["data"][0]
    assert set(event) == EVENT_FIELDS and event["object"] == "audit.event"
    assert people.is_id(event["id"], "evt") and people.is_id(event["request_id"], "req")
    assert people.at(event["at"]) and event["address"] == "127.0.0.1"
    assert (event["action"], event["target"], event["actor"]) == (action, target, actor)
    assert house.get("/audit/" + event["id"], house.admin) == event


def change(house, user, **wanted):
    return house.ask("PATCH", f"/users/{user['id']}", house.admin, wanted)


def test_a_user_is_made(house):
    response = house.ask("POST", "/users", house.admin, {
        "username": "ana@example.org", "password": password_of("ana"), "display_name": "Ana",
        "role": "operator"})
    user = response.json()
    assert response.status == 201 and set(user) == USER_FIELDS
    assert response.header("location") == f"/v1/api/users/{user['id']}"
    assert people.is_id(user["id"], "usr") and user["object"] == "user"
    assert user["username"] == "ana@example.org" and user["display_name"] == "Ana"
    assert user["role"] == "operator" and user["disabled"] is False
    assert people.at(user["created_at"]) and user["last_login_at"] is None
    assert user["limits"] == {"chat": None, "general": None, "automation": None}
    assert house.get("/users/" + user["id"], house.admin) == user
    check_event(house, "user.created", user["id"], house.operator["user"]["id"])


def test_what_is_left_away_has_defaults(house):
    user = house.add("plain")
    assert user["role"] == "member" and user["display_name"] == "plain"


@pytest.mark.parametrize("password, code", [
    ("x" * 7, "too_short"), ("", "too_short"), ("x" * 1025, "too_long"), ("é" * 513, "too_long"),
    ("мама", "too_short"), ("журавль", "too_short"), ("😀😀", "too_short"),
    ("e\u0301a\u0301o\u0301u\u0301", "too_short"),
    ("password", "guessable"), ("aaaaaaaaaaaa", "guessable"), ("abcdefgh", "guessable"),
    ("12345678", "guessable"), ("weakling1", "guessable"), ("p@ssw0rd", "guessable")])
def test_passwords_that_will_not_do(house, password, code):
    wanted = {"username": "weakling", "password": password}
    answer = house.ask("POST", "/users", house.admin, wanted)
    assert faults(answer) == [("#/password", code)]
    assert password in ("", "password") or password not in answer.body.decode()


@pytest.mark.parametrize("body, expected", [
    ({}, {"#/username"}),
    ({"username": "a" * 129}, {"#/username"}),
    ({"username": "é" * 129}, {"#/username"}),
    ({"username": "tab\tin it"}, {"#/username"}),
    ({"username": "zero\u200bwidth"}, {"#/username"}),
    ({"username": " a"}, {"#/username"}),
    ({"username": "a\0b"}, {"#/username"}),
    ({"username": "a", "display_name": "d" * 129}, {"#/display_name"}),
    ({"username": "a", "display_name": "line\nbreak"}, {"#/display_name"}),
    ({"username": "a", "role": "owner"}, {"#/role"}),
    ({"username": "a", "id": NOBODY}, {"#/id"}),
    # Whether a password can be guessed depends on the name, which must be right first.
    ({"username": "", "role": "owner", "password": "password"}, {"#/username", "#/role"}),
    ({"username": "a", "disabled": False}, {"#/disabled"}),
    ({"username": "\u202e", "display_name": "\u2028"}, {"#/username", "#/display_name"})])
def test_users_that_will_not_do(house, body, expected):
    wanted = {"password": "otter lantern quarry", **body} if body else body
    answer = house.ask("POST", "/users", house.admin, wanted)
    assert {pointer for pointer, _ in faults(answer)} == expected


def test_longest_names_and_passwords(house):
    name = "ü" * 127 + "x"
    password = "otter lantern quarry" + "é" * 502
    user = house.add(name, password=password, display_name="🦦" * 128)
    assert user["username"] == name and user["display_name"] == "🦦" * 128
    assert house.login(name, password)["user"]["id"] == user["id"]


def test_a_name_that_is_taken(house):
    house.add("José")
    for spelling in ("José", "josé", "JOSE\u0301"):
        answer = house.ask("POST", "/users", house.admin,
                           {"username": spelling, "password": password_of("jose")})
        refused(answer, 409, "conflict")


def test_of_many_who_want_a_name_at_once_one_gets_it(house):
    def add(number):
        return house.ask("POST", "/users", house.admin, {
            "username": "wanted" if number % 2 else "WANTED", "password": password_of("w")}).status

    assert sorted(people.at_once(8, add)) == [201] + [409] * 7


def test_operators_who_demote_each_other_at_once_leave_one():
    with people.house() as house:
        both = [house.operator, house.add_and_login("rival", role="operator")]

        def demote(number):
            return house.ask("PATCH", f"/users/{both[1 - number]['user']['id']}",
                             both[number]["access_token"], {"role": "member"}).status

        assert sorted(people.at_once(2, demote)) in ([200, 403], [200, 409])
        roles = [user["role"] for user in house.get("/users", house.command_line)["data"]]
        assert sorted(roles) == ["member", "operator"]


def test_users_change_their_own_name(house):
    login = house.add_and_login("nils")
    token = login["access_token"]
    changed = house.ask("PATCH", "/me", token, {"display_name": "Nils the Second"})
    assert changed.status == 200 and changed.json()["display_name"] == "Nils the Second"
    assert house.get("/me", token) == changed.json()
    check_event(house, "user.renamed", login["user"]["id"], login["user"]["id"])
    for hostile in ("role", "disabled", "username", "password", "id"):
        answer = house.ask("PATCH", "/me", token, {"display_name": "x", hostile: "operator"})
        assert faults(answer) == [("#/" + hostile, "unknown_field")]
    assert faults(house.ask("PATCH", "/me", token, {"display_name": "x" * 129}))
    scarce = house.make_token(token)["token"]
    refused(house.ask("PATCH", "/me", scarce, {"display_name": "x"}), 403, "insufficient_scope",
            "required_scope")


def test_a_new_password_ends_other_logins_but_no_tokens(house):
    login, other = house.add_and_login("petra"), house.login("petra")
    token = login["access_token"]
    personal = house.make_token(token)["token"]

    def put(current, new, by=token):
        return house.ask("PUT", "/me/password", by,
                         {"current_password": current, "new_password": new})

    answer = put("not it", "another good phrase")
    assert faults(answer) == [("#/current_password", "wrong")]
    assert "not it" not in answer.body.decode()
    assert faults(put(password_of("petra"), "password1")) == [("#/new_password", "guessable")]
    assert faults(put(password_of("petra"), "short")) == [("#/new_password", "too_short")]
    refused(put(password_of("petra"), "another good phrase", personal), 403,
            "insufficient_scope", "required_scope")
    assert house.works(other["access_token"]), "nothing has changed yet"

    response = put(password_of("petra"), "another good phrase")
    assert response.status == 204 and response.body == b""
    assert house.works(token) and house.works(personal)
    assert not house.works(other["access_token"])
    refused(house.refresh(other["refresh_token"]), 401, "invalid_credentials")
    assert house.refresh(login["refresh_token"]).status == 200
    refused(house.try_login("petra"), 401, "invalid_credentials")
    assert house.login("petra", "another good phrase")
    assert house.events(action="user.password_changed", target=login["user"]["id"],
                        actor=login["user"]["id"])


def test_an_operator_changes_a_user(house):
    user = house.add("clara")
    me = house.operator["user"]["id"]
    for wanted, action in (({"display_name": "Clara C."}, "user.renamed"),
                           ({"role": "operator"}, "user.promoted"),
                           ({"role": "member"}, "user.demoted"),
                           ({"disabled": True}, "user.disabled"),
                           ({"disabled": False}, "user.enabled")):
        response = change(house, user, **wanted)
        user = {**user, **wanted}
        assert response.status == 200 and response.json() == user
        check_event(house, action, user["id"], me)
    for hostile in ("username", "id", "object", "created_at", "last_login_at"):
        assert faults(change(house, user, **{hostile: "x"})) == [("#/" + hostile, "unknown_field")]
    assert faults(change(house, user, role="owner", disabled="yes")) == [
        ("#/role", "not_allowed"), ("#/disabled", "wrong_type")]
    assert house.get("/users/" + user["id"], house.admin) == user


def test_a_password_that_an_operator_sets_ends_logins_and_tokens(house):
    login = house.add_and_login("forgetful")
    personal = house.make_token(login["access_token"])["token"]
    assert faults(change(house, login["user"], password="forgetful1")) == [
        ("#/password", "guessable")]
    assert change(house, login["user"], password="a better phrase yet").status == 200
    check_event(house, "user.password_reset", login["user"]["id"], house.operator["user"]["id"])
    assert not house.works(login["access_token"]) and not house.works(personal)
    refused(house.try_login("forgetful"), 401, "invalid_credentials")
    again = house.login("forgetful", "a better phrase yet")
    kept = house.make_token(again["access_token"])["token"]
    answer = change(house, login["user"], keep_tokens=True)
    assert faults(answer) == [("#/keep_tokens", "not_allowed")]
    assert change(house, login["user"], password="the third phrase now",
                  keep_tokens=True).status == 200
    assert not house.works(again["access_token"]) and house.works(kept)


def test_the_audit_log_tells_all_that_was_changed_at_once(house):
    user = house.add("covered")
    assert change(house, user, disabled=False, role="operator", display_name="C",
                  password="set behind a curtain").status == 200
    told = [event["action"] for event in house.events(target=user["id"])]
    assert sorted(told) == ["user.created", "user.enabled", "user.password_reset", "user.promoted",
                            "user.renamed"]


def test_a_disabled_user_is_locked_out_at_once(house):
    login = house.add_and_login("dirk")
    token = login["access_token"]
    tokens = [token, house.make_token(token)["token"], house.make_token(token, test=True)["token"],
              house.token_for(login["user"])["token"]]
    assert all(house.works(each) for each in tokens)
    assert change(house, login["user"], disabled=True).json()["disabled"] is True
    assert not any(house.works(each) for each in tokens)
    refused(house.refresh(login["refresh_token"]), 401, "invalid_credentials")
    refused(house.try_login("dirk"), 401, "invalid_credentials")
    assert change(house, login["user"], disabled=False).status == 200
    assert [house.works(each) for each in tokens] == [False, True, True, True], "no login revives"
    refused(house.refresh(login["refresh_token"]), 401, "invalid_credentials")
    assert house.login("dirk")


def test_a_demoted_operator_loses_the_scope_at_once(house):
    login = house.add_and_login("ottilie", role="operator")
    personal = house.make_token(login["access_token"], scopes=["admin"])["token"]
    for token in (login["access_token"], personal):
        assert house.ask("GET", "/users", token).status == 200
    change(house, login["user"], role="member")
    for token in (login["access_token"], personal):
        refused(house.ask("GET", "/users", token), 403, "insufficient_scope", "required_scope")


def test_a_removed_user_is_gone_with_all_that_was_theirs(house):
    login = house.add_and_login("gone")
    personal = house.make_token(login["access_token"])["token"]
    path = f"/users/{login['user']['id']}"
    response = house.ask("DELETE", path, house.admin)
    assert response.status == 204 and response.body == b""
    check_event(house, "user.removed", login["user"]["id"], house.operator["user"]["id"])
    assert not house.works(login["access_token"]) and not house.works(personal)
    refused(house.refresh(login["refresh_token"]), 401, "invalid_credentials")
    refused(house.try_login("gone"), 401, "invalid_credentials")
    never = refused(house.ask("GET", "/users/" + NOBODY, house.admin), 404, "not_found")
    for method, body in (("GET", None), ("PATCH", {"disabled": True}), ("DELETE", None),
                         ("PATCH", {"password": "a good enough phrase"})):
        answer = house.ask(method, path, house.admin, body)
        refused(answer, 404, "not_found")
        assert said(answer)["detail"] == never["detail"]
    refused(house.ask("POST", path + "/tokens", house.admin, {"name": "x"}), 404, "not_found")
    assert house.add("gone")["id"] != login["user"]["id"], "the name is free again"


def test_the_last_operator_stays():
    with people.house() as house:
        only = house.operator["user"]
        path = f"/users/{only['id']}"
        second = house.add("second", role="operator")
        assert change(house, second, disabled=True).status == 200, "disabled ones do not count"
        for wanted in ({"disabled": True}, {"role": "member"},
                       {"role": "member", "display_name": "x"}):
            refused(change(house, only, **wanted), 409, "conflict")
        refused(house.ask("DELETE", path, house.admin), 409, "conflict")
        assert house.get("/me", house.admin) == only
        refused(house.ask("DELETE", path, house.command_line), 409, "conflict")
        assert change(house, second, disabled=False).status == 200
        assert house.ask("DELETE", path, house.admin).status == 204
        assert not house.works(house.admin)


@pytest.mark.parametrize("method, path, body", [
    ("GET", "/users", None), ("POST", "/users", {"username": "a", "password": "x"}),
    ("GET", "/users/" + NOBODY, None), ("PATCH", "/users/" + NOBODY, {"role": "operator"}),
    ("DELETE", "/users/" + NOBODY, None), ("POST", f"/users/{NOBODY}/tokens", {"name": "x"}),
    ("GET", "/audit", None)])
def test_what_only_operators_may_do(house, method, path, body):
    token = house.operator.setdefault("scarce", house.make_token(
        house.admin, scopes=["chat:read", "chat:write", "account"])["token"])
    for mine in (token, house.client_token):
        answer = house.ask(method, path, mine, body)
        assert refused(answer, 403, "insufficient_scope", "required_scope")[
            "required_scope"] == "admin"
        assert answer.header("www-authenticate") == (
            people.CHALLENGE + ', error="insufficient_scope", scope="admin"')
