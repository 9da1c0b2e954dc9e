"""Links with which users set a new password (docs/guides/accounts.md)."""
import pytest

import people
from people import faults, password_of, refused

NEXT = "seven lantern quarry otters"


@pytest.fixture(name="house", scope="module")
def one_house():
    with people.house() as opened:
        yield opened


def link_for(house, user):
    response = house.ask("POST", f"/users/{user['id']}/reset-link", house.admin)
    assert response.status == 201 and response.header("location").endswith(f"/v1/api/users/{user['id']}")
    made = response.json()
    assert set(made) == {"object", "user_id", "url", "expires_at"}
    assert made["object"] == "reset_link" and made["user_id"] == user["id"]
    return made


def reset(house, made, password=NEXT, **more):
    return house.ask("POST", "/auth/reset", house.client_token,
                     {"reset_code": made["url"].partition("#reset=")[2], "password": password, **more})


def test_a_link_sets_a_password_once_and_ends_logins_and_tokens(house):
    user = house.add("ana")
    login = house.login("ana")
    token = house.make_token(login["access_token"])["token"]
    first, made = link_for(house, user), link_for(house, user)
    assert made["url"].startswith("/#reset=") and len(made["url"]) == len("/#reset=") + 32
    event = house.events(action="user.reset_link_created", target=user["id"])[0]
    assert abs(people.at(made["expires_at"]) - people.at(event["at"]) - 86400) < 60
    assert house.works(token) and house.works(login["access_token"]), "nothing changes before it is used"
    refused(reset(house, first), 401, "invalid_credentials")
    assert faults(reset(house, made, "ana12345")) == [("#/password", "guessable")]
    assert faults(reset(house, made, "short")) == [("#/password", "too_short")]
    answer = reset(house, made)
    assert answer.status == 200 and answer.json()["object"] == "auth.login"
    assert answer.header("ratelimit-policy").startswith('"auth"')
    assert house.works(answer.json()["access_token"])
    assert not house.works(token) and not house.works(login["access_token"])
    refused(house.try_login("ana"), 401, "invalid_credentials")
    assert house.login("ana", NEXT)
    refused(reset(house, made), 401, "invalid_credentials")
    actions = [event["action"] for event in house.events(target=user["id"])]
    assert actions == ["login.refused", "user.password_reset_by_link", "user.reset_link_created",
                       "user.reset_link_created", "user.created"]


def test_wrong_codes_and_users(house):
    user = house.add("ben")
    invited = house.ask("POST", f"/users/{user['id']}/invite", house.admin).json()["invitation"]["url"]
    code = invited.partition("#invite=")[2]
    refused(reset(house, {"url": "#reset=" + code}), 401, "invalid_credentials")
    made = link_for(house, user)
    wrong = house.ask("POST", "/auth/accept", house.client_token,
                      {"code": made["url"].partition("=")[2], "password": NEXT})
    refused(wrong, 401, "invalid_credentials")
    refused(reset(house, {"url": "#reset=x"}), 401, "invalid_credentials")
    assert faults(reset(house, {"url": ""})) == [("#/reset_code", "too_short")]
    refused(house.ask("POST", "/users/usr_none/reset-link", house.admin), 404, "not_found")
    member = house.login("ben")["access_token"]
    refused(house.ask("POST", f"/users/{user['id']}/reset-link", member), 403, "insufficient_scope",
            "required_scope")
    house.ask("PATCH", f"/users/{user['id']}", house.admin, {"disabled": True})
    refused(reset(house, made), 401, "invalid_credentials")


def test_attempts_count_by_address_and_by_user():
    with people.house(settings={"limits.auth": 3, "limits.auth_address": 100}) as house:
        user = house.add("ana")
        made = link_for(house, user)
        for _ in range(3):
            assert faults(reset(house, made, "ana12345"))
        refused(reset(house, made), 429, "rate_limited", "violated-policies")
        refused(reset(house, {"url": "#reset=unknown"}), 401, "invalid_credentials")


def test_a_link_is_absolute_and_its_code_is_nowhere():
    settings = {"server.public_url": "https://chat.example.org/parley/"}
    with people.house(settings=settings) as house:
        made = link_for(house, house.add("ana"))
        url, _, code = made["url"].partition("#reset=")
        assert url == "https://chat.example.org/parley/"
        assert code not in house.server.log.text()
        for file in house.server.data.rglob("*"):
            if file.is_file():
                assert code.encode() not in file.read_bytes(), file
        assert reset(house, made, password_of("another")).status == 200
