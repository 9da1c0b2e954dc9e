"""Passwords and tokens occur in no log line, error, list or file where they do not belong. The tests use
recognisable texts, and then search for them."""
import signal
import stat

import pytest

import people

# Files that contain a token by design: the public one, and the one that only the operator can read.
FILES_WITH_A_TOKEN = {"client-token", "cli-token"}


class Watched(people.House):
    """Records all responses."""

    def __init__(self, server):
        super().__init__(server)
        self.errors = []

    def ask(self, method, path, token=None, body=None, headers=None):
        response = super().ask(method, path, token, body, headers)
        if response.status >= 400:
            self.errors.append(response)
        return response


def secret(number):
    return f"canary {number} sings in the mine"


def content_of(path):
    """The content of a file, without long runs of zeros."""
    nothing = bytes(1 << 16)
    with path.open("rb") as file:
        return b"".join(part for part in iter(lambda: file.read(len(nothing)), b"")
                        if part != nothing)


def live(house):
    """Uses every kind of secret, valid and invalid, in the right and in the wrong places. Returns all of
    them."""
    code = house.setup_code()
    passwords = [secret(number) for number in range(9)]
    house.set_up("olga", passwords[0])
    house.add("ana", password=passwords[1])
    login = house.login("ana", passwords[1], label="laptop")
    token = login["access_token"]
    tokens = [house.operator["access_token"], house.operator["refresh_token"], token,
              login["refresh_token"]]
    for options in ({}, {"test": True}, {"scopes": ["account"]}):
        tokens.append(house.make_token(token, **options)["token"])
    fresh = house.refresh(login["refresh_token"]).json()
    tokens += [fresh["access_token"], fresh["refresh_token"]]

    house.try_login("ana", passwords[2])
    house.try_login(passwords[3], "typed into the wrong field")
    house.try_login("ana", passwords[4] * 100)
    house.ask("PUT", "/me/password", token, {"current_password": passwords[5],
                                             "new_password": passwords[6]})
    house.ask("PUT", "/me/password", token, {"current_password": passwords[1],
                                             "new_password": passwords[6]})
    house.ask("PATCH", f"/users/{login['user']['id']}", house.admin, {"password": passwords[7]})
    house.ask("POST", "/auth/login", house.client_token,
              b'{"password":"%s"' % passwords[8].encode())
    house.ask("POST", "/auth/setup", house.client_token, {
        "setup_code": code, "username": "x", "password": passwords[2]})
    tokens.append(people.invented_token("p", "Canary" + "0" * 26))
    tokens.append(people.invented_token("r", "Canary" + "1" * 26))
    for each in tokens:
        house.ask("GET", f"/me?token={each}")
        house.ask("GET", "/audit/" + each, house.admin)
        house.ask("DELETE", "/tokens/" + each, tokens[6])
        house.ask("GET", "/users/" + each, house.admin)
        house.ask("GET", "/tokens?after=" + each, tokens[6])
        house.ask("GET", "/me", each + "0", headers={"Cookie": each})
        house.refresh(each + "x")
        house.refresh(each, token=tokens[6])
    return [code, *passwords, *tokens]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_secret_lies_around(start, tmp_path, end):
    house = Watched(start("--data", tmp_path / "data",
                          settings={**people.ROOMY, "log.level": "debug"}))
    secrets = live(house)
    secrets += [house.client_token, house.command_line]
    assert len(house.errors) > 50

    for listed in ("/audit", "/users", "/tokens"):
        shown = str(house.pages(listed, house.admin))
        assert not [each for each in secrets if each in shown], listed
    for response in house.errors:
        told = response.body.decode() + str(response.fields)
        assert not [each for each in secrets if each in told], told

    files = {}
    for path in house.server.data.rglob("*"):
        if path.is_file():
            files[path.name] = content_of(path)
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, f"others can read {path.name}"
    assert FILES_WITH_A_TOKEN < set(files)
    house.server.signal(end)
    house.server.wait()
    for path in house.server.data.rglob("*"):
        if path.is_file():
            files["afterwards " + path.name] = content_of(path)
    setup_code, *others = secrets
    for name, content in files.items():
        where_allowed = name.removeprefix("afterwards ")
        if where_allowed in FILES_WITH_A_TOKEN:
            assert content.decode().strip() in (house.client_token, house.command_line)
            continue
        assert not [each for each in others if each.encode() in content], name
        assert where_allowed == "setup-link" or setup_code.encode() not in content, name

    log = house.server.log.text()
    assert log and not [each for each in secrets if each in log]


def test_the_tokens_in_files_are_what_they_are_said_to_be(start, tmp_path):
    def open_house():
        return people.House(start("--data", tmp_path / "data", settings=people.ROOMY))

    house = open_house()
    for name in (*FILES_WITH_A_TOKEN, "setup-link"):
        people.until((house.server.data / name).exists)
        assert stat.S_IMODE((house.server.data / name).stat().st_mode) == 0o600
    assert house.client_token[:4] == "plc_" and house.command_line[:4] == "plp_"
    assert house.ask("GET", "/users", house.command_line).status == 200
    people.refused(house.ask("GET", "/me", house.command_line), 403, "insufficient_scope")
    house.server.stop()
    assert not (house.server.data / "cli-token").exists(), "it goes with the server"
    again = open_house()
    assert again.client_token == house.client_token, "the web app's stays"
    people.refused(again.ask("GET", "/users", house.command_line), 401, "invalid_token")
    assert again.ask("GET", "/users", again.command_line).status == 200


def test_a_token_in_a_path_that_nobody_answers_is_not_logged(start):
    """People also paste tokens into the address bar."""
    house = people.House(start(settings=people.ROOMY)).set_up()
    token = house.make_token(house.admin)["token"]
    people.refused(house.ask("GET", f"/{token}", house.admin), 404, "not_found")
    people.refused(house.ask("GET", f"/me/{token}"), 401, "missing_token")
    house.server.stop()
    assert token not in house.server.log.text()
