"""Logins at an OpenID provider, with a real one (docs/guides/accounts.md)."""
import json
import socket
import urllib.parse

import pytest

import people
import program
import providers
from people import refused


@pytest.fixture(name="provider", scope="module")
def one_provider():
    with providers.provider() as opened:
        yield opened


@pytest.fixture(name="house", scope="module")
def one_house(provider):
    settings = provider.settings(name="Team", operator_groups="ops,root", allowed_groups="staff")
    with people.house(settings={**people.ROOMY, **settings}) as opened:
        yield opened


def begin(house):
    response = house.ask("POST", "/auth/oidc/begin", house.client_token)
    assert response.status == 200, response.body
    begun = response.json()
    assert set(begun) == {"object", "url", "attempt", "expires_at"} and begun["object"] == "oidc.attempt"
    return begun


def come_back(house, begun, returned, **changes):
    body = {"attempt": begun["attempt"], **{name: returned[name] for name in ("code", "state", "iss")}, **changes}
    return house.ask("POST", "/auth/oidc/callback", house.client_token, body)


def log_in(house, provider, subject, **changes):
    begun = begin(house)
    return come_back(house, begun, provider.visit(begun["url"], subject), **changes)


def logged_in(house, provider, subject):
    response = log_in(house, provider, subject)
    assert response.status == 200, response.body
    return response.json()


def with_parameter(url, **changes):
    parts = urllib.parse.urlsplit(url)
    query = {**dict(urllib.parse.parse_qsl(parts.query)), **changes}
    return urllib.parse.urlunsplit(parts._replace(query=urllib.parse.urlencode(query)))


def actions(house, target):
    listed = house.get(f"/audit?target={target}", house.admin)["data"]
    return [(event["actor"], event["action"]) for event in reversed(listed)]


def test_a_login_from_beginning_to_end(house, provider):
    provider.put("1", preferred_username="ana", name="Ana N.", email="ana@example.org", groups=["staff"])
    begun = begin(house)
    sent = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(begun["url"]).query))
    assert sent["redirect_uri"] == providers.PUBLIC_URL + "/" and sent["code_challenge_method"] == "S256"
    assert sent["response_type"] == "code" and sent["client_id"] == "parley" and len(sent["nonce"]) >= 32
    assert people.at(begun["expires_at"])
    response = come_back(house, begun, provider.visit(begun["url"], "1"), label="laptop")
    assert response.status == 200, response.body
    login = response.json()
    assert login["object"] == "auth.login" and login["token_type"] == "Bearer"
    assert login["user"]["username"] == "ana" and login["user"]["display_name"] == "Ana N."
    assert login["user"]["role"] == "member" and login["user"]["second_factor"] is False
    # An ordinary login: it is listed, can be refreshed, and ends.
    listed = house.get("/tokens", login["access_token"])["data"]
    assert [(token["kind"], token["name"]) for token in listed] == [("login", "laptop")]
    renewed = house.ask("POST", "/auth/refresh", house.client_token, {"refresh_token": login["refresh_token"]}).json()
    assert house.ask("POST", "/auth/logout", renewed["access_token"]).status == 204
    assert not house.works(renewed["access_token"])
    # The same person is the same user.
    assert logged_in(house, provider, "1")["user"]["id"] == login["user"]["id"]
    assert actions(house, login["user"]["id"]) == [("oidc", "user.created")]
    assert "login.by_oidc" in {event["action"] for event in
                               house.get(f"/audit?actor={login['user']['id']}", house.admin)["data"]}


def test_no_password_works_for_such_a_user(house, provider):
    provider.put("nopass", preferred_username="nopass", groups=["staff"])
    logged_in(house, provider, "nopass")
    wrong = house.add_and_login("haspass")
    assert wrong
    for password in ("", people.password_of("nopass")):
        answer = house.ask("POST", "/auth/login", house.client_token, {"username": "nopass", "password": password})
        other = house.ask("POST", "/auth/login", house.client_token, {"username": "haspass", "password": "wrong"})
        assert people.said(answer) == people.said(other)


def test_groups_decide_about_the_role_at_each_login(house, provider):
    provider.put("2", preferred_username="bob", groups=["staff", "root"])
    first = logged_in(house, provider, "2")
    assert first["user"]["role"] == "operator" and "admin" in first["scope"]
    assert house.ask("GET", "/users", first["access_token"]).status == 200
    provider.put("2", preferred_username="bob", groups=["staff"])
    second = logged_in(house, provider, "2")
    assert second["user"]["role"] == "member" and "admin" not in second["scope"]
    assert house.ask("GET", "/users", first["access_token"]).status == 403, "the earlier login has lost it, too"
    provider.put("2", preferred_username="bob", groups=["ops"])
    assert logged_in(house, provider, "2")["user"]["role"] == "operator"
    assert actions(house, first["user"]["id"]) == [
        ("oidc", "user.created"), ("oidc", "user.demoted"), ("oidc", "user.promoted")]


def test_a_person_in_no_allowed_group_is_refused(house, provider):
    for groups in ([], ["Staff"], None):
        provider.put("3", preferred_username="cleo", **({} if groups is None else {"groups": groups}))
        problem = refused(log_in(house, provider, "3"), 401, "invalid_credentials")
        assert "group" in problem["detail"]
    listed = house.get("/users?q=cleo", house.admin)["data"]
    assert listed == []
    assert ("anonymous", "login.by_oidc_refused") in actions(house, "unknown%20user")


def test_an_existing_user_is_not_taken_over_by_name(house, provider):
    own = house.add_and_login("dora")["user"]
    for number, subject in enumerate(("4", "5"), 2):
        provider.put(subject, preferred_username="DORA", email="dora@example.org", groups=["staff"])
        user = logged_in(house, provider, subject)["user"]
        assert user["username"] == f"DORA-{number}" and user["id"] != own["id"]
    assert house.login("dora")["user"]["id"] == own["id"]
    provider.put("6", email="erik@example.org", groups=["staff"])
    assert logged_in(house, provider, "6")["user"]["username"] == "erik"
    provider.put("7", groups=["staff"])
    assert logged_in(house, provider, "7")["user"]["username"] == "user"


def test_a_disabled_user_stays_refused(house, provider):
    provider.put("8", preferred_username="fred", groups=["staff"])
    login = logged_in(house, provider, "8")
    user = login["user"]["id"]
    assert house.ask("PATCH", f"/users/{user}", house.admin, {"disabled": True}).status == 200
    refused(log_in(house, provider, "8"), 401, "invalid_credentials")
    assert not house.works(login["access_token"])
    assert actions(house, user)[-1] == ("anonymous", "login.by_oidc_refused")
    assert house.ask("PATCH", f"/users/{user}", house.admin, {"disabled": False}).status == 200
    assert logged_in(house, provider, "8")["user"]["id"] == user
    # A removed one comes back as a new user.
    assert house.ask("DELETE", f"/users/{user}", house.admin).status == 204
    again = logged_in(house, provider, "8")["user"]
    assert again["id"] != user and again["username"] == "fred"


def test_an_attempt_is_bound_to_its_state_and_used_once(house, provider):
    provider.put("9", preferred_username="gina", groups=["staff"])
    one, two = begin(house), begin(house)
    returned = provider.visit(one["url"], "9")
    refused(come_back(house, two, returned), 401, "invalid_credentials")  # A link of another person.
    refused(come_back(house, one, returned, state="x" * 32), 401, "invalid_credentials")
    changed = one["attempt"][:-2] + ("BA" if one["attempt"].endswith("AA") else "AA")
    refused(come_back(house, one, returned, attempt=changed), 401, "invalid_credentials")
    refused(come_back(house, one, returned, iss="https://other.example.org"), 401, "invalid_credentials")
    assert come_back(house, one, returned).status == 200, "the refusals have not used it up"
    problem = refused(come_back(house, one, returned), 401, "invalid_credentials")
    assert "used before" in problem["detail"]
    # Not even with a new code for the same state.
    again = provider.visit(one["url"], "9")
    refused(come_back(house, one, again), 401, "invalid_credentials")


def test_a_code_without_its_issuer_is_refused(house, provider):
    """This provider promises in its metadata to name itself (RFC 9207)."""
    provider.put("12", preferred_username="iris", groups=["staff"])
    begun = begin(house)
    returned = provider.visit(begun["url"], "12")
    refused(come_back(house, begun, returned, iss=None), 401, "invalid_credentials")
    house.server.log.wait_for(message="login at the provider refused",
                              reason="iss is missing, which the provider promises to send")
    assert log_in(house, provider, "12").status == 200


def test_many_at_once_use_an_attempt_once(house, provider):
    provider.put("10", preferred_username="hugo", groups=["staff"])
    begun = begin(house)
    returned = provider.visit(begun["url"], "10")
    statuses = people.at_once(6, lambda _: come_back(house, begun, returned).status)
    assert sorted(statuses) == [200, 401, 401, 401, 401, 401]


@pytest.mark.parametrize("changes", [
    {"nonce": "n" * 32}, {"client_id": "other"}, {"code_challenge": "A" * 43}], ids=lambda each: next(iter(each)))
def test_a_code_that_was_not_made_for_this_attempt_is_refused(house, provider, changes):
    provider.put("11", preferred_username="ines", groups=["staff"])
    begun = begin(house)
    returned = provider.visit(with_parameter(begun["url"], **changes), "11")
    refused(come_back(house, begun, returned), 401, "invalid_credentials")
    assert house.get("/users?q=ines", house.admin)["data"] == []


def test_codes_that_are_not_valid_are_refused(house, provider):
    begun = begin(house)
    state = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(begun["url"]).query))["state"]
    answer = house.ask("POST", "/auth/oidc/callback", house.client_token,
                       {"attempt": begun["attempt"], "code": "never made", "state": state, "iss": provider.issuer})
    request = refused(answer, 401, "invalid_credentials")["request_id"]
    log = house.server.log
    assert log.wait_for(message="request served", request_id=request)
    entry, = log.entries(message="login at the provider refused", request_id=request)
    assert entry["reason"] == "invalid_grant" and not log.entries(level="error", request_id=request)
    assert people.faults(house.ask("POST", "/auth/oidc/callback", house.client_token, {"code": ""}))
    refused(house.ask("POST", "/auth/oidc/begin"), 401, "missing_token")


def test_the_web_app_is_told_of_the_provider(house):
    with people.wire.Connection(house.server.address) as connection:
        assert connection.ask("GET", "/app.json").json()["login_provider"] == "Team"


@pytest.mark.parametrize("options", [{"algorithm": "ES256"}, {"claims_in_token": True}], ids=json.dumps)
def test_other_providers(options):
    with providers.provider(**options) as provider, \
            people.house(settings={**people.ROOMY, **provider.settings(operator_groups="ops")}) as house:
        provider.put("1", preferred_username="ana", name="Ana", groups=["ops"])
        user = logged_in(house, provider, "1")["user"]
        assert user["username"] == "ana" and user["role"] == "operator"
        provider.put("2", preferred_username="bob")
        assert logged_in(house, provider, "2")["user"]["role"] == "member", "no group is needed to log in"


def test_a_provider_that_is_down(provider):
    with providers.provider() as own, people.house(settings={**people.ROOMY, **own.settings()}) as house:
        own.put("1", preferred_username="ana")
        begun = begin(house)
        returned = own.visit(begun["url"], "1")
        own.stop()
        problem = refused(come_back(house, begun, returned), 502, "provider_error")
        assert "cannot be reached" in problem["detail"]
        assert house.server.log.wait_for(message="login provider failed")
        assert house.add_and_login("bob"), "passwords still work"
        own.start()  # With other keys.
        assert logged_in(house, own, "1")["user"]["username"] == "ana"
        own.stop()
        doctor = program.run("doctor", "--json", *(f"--set={key}={value}" for key, value in own.settings().items()))
        own.start()
    found = [json.loads(line) for line in doctor.stdout.splitlines() if '"oidc"' in line]
    assert found and found[0]["verdict"] == "fail" and own.issuer in found[0]["finding"]
    doctor = program.run("doctor", "--json", *(f"--set={key}={value}" for key, value in provider.settings().items()))
    found = [json.loads(line) for line in doctor.stdout.splitlines() if '"oidc"' in line]
    assert found and found[0]["verdict"] == "ok"


def test_a_provider_that_was_never_there():
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    settings = {"server.public_url": "https://chat.example.org", "oidc.issuer": f"http://127.0.0.1:{port}",
                "oidc.client_id": "parley"}
    with people.house(settings=settings) as house:
        refused(house.ask("POST", "/auth/oidc/begin", house.client_token), 502, "provider_error")


def test_attempts_count_as_auth(provider):
    with people.house(settings={**provider.settings(), "limits.auth": 10}) as house:
        house_limit = [house.ask("POST", "/auth/oidc/begin", house.client_token).status for _ in range(12)]
        assert house_limit[-1] == 429 and 200 in house_limit
        answer = house.ask("POST", "/auth/oidc/callback", house.client_token, {})
        assert answer.status == 429 and '"auth"' in answer.header("ratelimit-policy")


def test_a_server_without_a_provider():
    with people.house() as house:
        refused(house.ask("POST", "/auth/oidc/begin", house.client_token), 404, "not_found")
        body = {"attempt": "a", "code": "c", "state": "s"}
        refused(house.ask("POST", "/auth/oidc/callback", house.client_token, body), 404, "not_found")


@pytest.mark.parametrize("settings, message", [
    ({"oidc.issuer": "http://id.example.org"}, "https"),
    ({"oidc.issuer": "https://id.example.org"}, "oidc.client_id"),
    ({"oidc.issuer": "https://id.example.org", "oidc.client_id": "parley"}, "server.public_url"),
    ({"oidc.scopes": "profile"}, "openid"),
], ids=["plain", "no client", "no address", "no openid"])
def test_settings_that_cannot_work(settings, message):
    done = program.run("serve", *(f"--set={key}={value}" for key, value in settings.items()))
    assert done.returncode != 0 and message in done.stderr, done.stderr
