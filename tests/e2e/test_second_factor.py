"""Second factors: codes of an authenticator app and recovery codes (docs/guides/accounts.md)."""
import base64
import re
import urllib.parse

import pytest

import people
import program
import totp
from people import faults, password_of, refused
from replicas import Replicas


@pytest.fixture(name="house", scope="module")
def one_house():
    with people.house() as opened:
        yield opened


def enrol(house, token, name):
    response = house.ask("POST", "/me/totp", token, {"password": password_of(name)})
    assert response.status == 201 and response.header("location") == "/v1/api/me/totp", response.body
    made = response.json()
    assert set(made) == {"object", "secret", "uri"} and made["object"] == "totp.enrolment"
    assert len(base64.b32decode(made["secret"])) == 20
    return made


def protect(house, name):
    """A user with a second factor: (login, app, recovery codes)."""
    login = house.add_and_login(name)
    app = totp.App(enrol(house, login["access_token"], name)["secret"])
    response = house.ask("POST", "/me/totp/confirm", login["access_token"], {"code": app.code()})
    assert response.status == 200, response.body
    assert set(response.json()) == {"object", "recovery_codes"}
    return login, app, response.json()["recovery_codes"]


def test_a_second_factor_from_beginning_to_end(house):
    login, other = house.add_and_login("ana"), house.login("ana")
    token = login["access_token"]
    personal = house.make_token(token)["token"]
    assert login["user"]["second_factor"] is False
    assert house.get("/me/totp", token) == {"object": "totp", "enabled": False, "recovery_codes_left": 0}
    assert faults(house.ask("POST", "/me/totp", token, {"password": "wrong"})) == [("#/password", "wrong")]
    refused(house.ask("POST", "/me/totp/confirm", token, {"code": "123456"}), 409, "conflict")
    made = enrol(house, token, "ana")
    uri = urllib.parse.urlsplit(made["uri"])
    assert (uri.scheme, uri.netloc, uri.path) == ("otpauth", "totp", "/Parley:ana")
    assert dict(urllib.parse.parse_qsl(uri.query)) == {
        "secret": made["secret"], "issuer": "Parley", "algorithm": "SHA1", "digits": "6", "period": "30"}
    assert house.login("ana"), "nothing changes before the first code"
    assert faults(house.ask("POST", "/me/totp/confirm", token, {"code": "wrong"})) == [("#/code", "wrong")]
    app = totp.App(made["secret"])
    response = house.ask("POST", "/me/totp/confirm", token, {"code": app.code()})
    codes = response.json()["recovery_codes"]
    assert len(set(codes)) == 10 and all(re.fullmatch(r"[a-z2-7]{4}(-[a-z2-7]{4}){5}", code) for code in codes)
    assert house.works(token) and house.works(personal) and not house.works(other["access_token"])
    assert house.get("/me/totp", token) == {"object": "totp", "enabled": True, "recovery_codes_left": 10}
    refused(house.ask("POST", "/me/totp", token, {"password": password_of("ana")}), 409, "conflict")

    missing = house.try_login("ana")
    refused(missing, 401, "second_factor_required")
    assert missing.header("www-authenticate") == people.CHALLENGE
    code = app.code()
    assert house.login("ana", code=f"{code[:3]} {code[3:]}")["user"]["second_factor"] is True
    refused(house.try_login("ana", code=code), 401, "invalid_credentials")
    refused(house.try_login("ana", code="wrong"), 401, "invalid_credentials")
    assert people.said(house.try_login("ana", "wrong", code=code)) == people.said(
        house.try_login("nobody", "wrong")), "a wrong password reveals nothing"
    house.login("ana", code=codes[0].upper().replace("-", " "))
    refused(house.try_login("ana", code=codes[0]), 401, "invalid_credentials")
    assert house.get("/me/totp", token)["recovery_codes_left"] == 9

    owner = {"password": password_of("ana"), "code": codes[1]}
    for path in ("/me/totp/recovery-codes", "/me/totp/disable"):
        assert faults(house.ask("POST", path, token, {**owner, "password": "x"})) == [("#/password", "wrong")]
        assert faults(house.ask("POST", path, token, {**owner, "code": "x"})) == [("#/code", "wrong")]
    renewed = house.ask("POST", "/me/totp/recovery-codes", token, owner).json()["recovery_codes"]
    assert len(renewed) == 10 and not set(renewed) & set(codes)
    assert faults(house.ask("POST", "/me/totp/disable", token, {**owner, "code": codes[2]})) == [("#/code", "wrong")]
    assert house.ask("POST", "/me/totp/disable", token, {**owner, "code": renewed[0]}).status == 204
    refused(house.ask("POST", "/me/totp/disable", token, owner), 409, "conflict")
    assert house.works(token) and house.login("ana")["user"]["second_factor"] is False
    events = [event["action"] for event in house.events(target=login["user"]["id"])
              if event["action"].startswith("totp.") and event["action"] != "totp.refused"]
    assert events == ["totp.disabled", "totp.recovery_codes_renewed", "totp.enabled"]
    assert len(house.events(action="login.by_recovery_code")) == 1
    assert house.events(action="totp.refused", target=login["user"]["id"])


def test_an_operator_removes_it(house):
    login, _, _ = protect(house, "ben")
    path = f"/users/{login['user']['id']}/totp"
    refused(house.ask("DELETE", path, login["access_token"]), 403, "insufficient_scope", "required_scope")
    assert house.get(f"/users/{login['user']['id']}", house.admin)["second_factor"] is True
    assert house.ask("DELETE", path, house.admin).status == 204
    refused(house.ask("DELETE", path, house.admin), 404, "not_found")
    assert not house.works(login["access_token"]) and house.login("ben")
    assert len(house.events(action="totp.removed")) == 1


def test_links_are_no_way_around_it(house):
    login, _, codes = protect(house, "cleo")
    user = f"/users/{login['user']['id']}"
    invited = house.ask("POST", user + "/invite", house.admin).json()["invitation"]["url"]
    refused(house.ask("POST", "/auth/accept", house.client_token,
                      {"code": invited.partition("=")[2], "password": password_of("new")}),
            401, "second_factor_required")
    url = house.ask("POST", user + "/reset-link", house.admin).json()["url"]
    body = {"reset_code": url.partition("=")[2], "password": password_of("new")}
    refused(house.ask("POST", "/auth/reset", house.client_token, body), 401, "second_factor_required")
    refused(house.ask("POST", "/auth/reset", house.client_token, {**body, "code": "x"}), 401, "invalid_credentials")
    assert house.ask("POST", "/auth/reset", house.client_token, {**body, "code": codes[0]}).status == 200
    refused(house.try_login("cleo", password_of("new")), 401, "second_factor_required")


def test_wrong_codes_are_slowed_down(house):
    _, _, codes = protect(house, "dora")
    for _ in range(5):
        refused(house.try_login("dora", code="wrong"), 401, "invalid_credentials")
    slowed = house.try_login("dora", code=codes[0])
    refused(slowed, 429, "rate_limited")
    assert 1 <= int(slowed.header("retry-after")) <= 60
    refused(house.try_login("dora"), 401, "second_factor_required")
    refused(house.try_login("dora", "wrong"), 401, "invalid_credentials")


def at_once_everywhere(houses, count, name, code):
    return sorted(people.at_once(
        count, lambda number: houses[number % len(houses)].try_login(name, code=code).status))


@pytest.fixture(name="houses", params=["one server", "three servers"])
def houses_with_the_same_users(request, house, start, tmp_path):
    return [house] if request.param == "one server" else Replicas(start, tmp_path, 3).houses


def test_wrong_codes_at_once_are_slowed_down(houses):
    protect(houses[0], "edda")
    assert at_once_everywhere(houses, 30, "edda", "wrong") == [401] * 5 + [429] * 25


def test_the_right_code_at_once_lets_one_in_and_locks_nobody_out(houses):
    _, app, _ = protect(houses[0], "fay")
    answers = at_once_everywhere(houses, 9, "fay", app.code())
    assert answers[0] == 200 and set(answers[1:]) <= {401, 409}, answers
    assert houses[-1].login("fay", code=app.code())


def test_attempts_count_by_user():
    with people.house(settings={"limits.auth": 4, "limits.auth_address": 100}) as house:
        login = house.add_and_login("ana")
        for _ in range(3):
            assert faults(house.ask("POST", "/me/totp", login["access_token"], {"password": "wrong"}))
        refused(house.ask("POST", "/me/totp", login["access_token"], {"password": "wrong"}), 429, "rate_limited", "violated-policies")


def test_it_survives_a_restart_and_its_secrets_are_in_no_file(start, tmp_path):
    def opened():
        return people.House(start("--data", tmp_path / "data", settings=people.ROOMY))

    house = opened().set_up()
    login = house.add_and_login("ana")
    made = enrol(house, login["access_token"], "ana")
    app = totp.App(made["secret"])
    codes = house.ask("POST", "/me/totp/confirm", login["access_token"],
                      {"code": app.code()}).json()["recovery_codes"]
    house.server.stop()
    secrets = [made["secret"].encode(), base64.b32decode(made["secret"]), codes[0].encode(),
               codes[0].replace("-", "").encode()]
    for file in (tmp_path / "data").rglob("*"):
        if file.is_file():
            assert not any(secret in file.read_bytes() for secret in secrets), file
    house = opened()
    refused(house.try_login("ana"), 401, "second_factor_required")
    assert house.login("ana", code=app.code()) and house.login("ana", code=codes[0])
    house.server.stop()
    done = program.run("user", "totp-remove", "ana", "--data", tmp_path / "data")
    assert done.returncode == 0 and done.stdout.startswith("Removed the second factor of ana (usr_"), done
    done = program.run("user", "totp-remove", "ana", "--data", tmp_path / "data")
    assert done.returncode == 1 and "second factor was not found" in done.stderr, done
    assert opened().login("ana")
