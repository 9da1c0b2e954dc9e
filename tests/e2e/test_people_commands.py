"""`parley user` and `parley token`, with and without a running server: the same output, the same effect."""
import json
import re

import pytest

import people
import program
import terminals
import wire

PASSWORD = "an old oak behind the barn"
TOKEN = re.compile(r"pl[pct]_[0-9A-Za-z]{38}\n")


def works(server, token):
    with wire.Connection(server.address) as connection:
        answer = connection.ask("GET", "/v1/api/me", {"Authorization": f"Bearer {token}"})
    return answer.status == 200


@pytest.fixture(params=["with a server", "without a server"])
def command(request, start, tmp_path):
    """Runs commands on a data directory; one() fails if its command fails."""
    directory = tmp_path / "data"
    server = start("--data", str(directory), settings=people.ROOMY)
    if request.param == "without a server":
        server.stop()

    def one(*arguments, password=None, fails=False):
        done = program.run(*arguments, "--data", directory, input=password)
        assert (done.returncode != 0) == fails, done
        return done.stderr if fails else done.stdout
    one.directory = directory
    return one


def test_users_from_the_first_to_the_last(command):
    assert re.fullmatch(r"ana  operator  active  usr_\w+\n",
                        command("user", "add", "ana", "--role", "operator", "--password-stdin",
                                password=PASSWORD + "\n"))
    assert "bob  member  active" in command("user", "add", "bob", "--password-stdin",
                                            password=PASSWORD)
    listed = [json.loads(line) for line in command("user", "list", "--json").splitlines()]
    assert [user["username"] for user in listed] == ["bob", "ana"]
    assert "disabled" in command("user", "disable", "BOB")
    assert "active" in command("user", "enable", "bob")
    assert command("user", "passwd", "bob", "--password-stdin", password="quite another long one")
    assert "chat=300  general=500" in command("user", "limits", "bob", "--chat", "300",
                                              "--general", "500")
    shown = command("user", "limits", "bob", "--chat", "server")
    assert "general=500" in shown and "chat=" not in shown
    assert "automation=90" in command("user", "limits", "bob", "--automation", "90")
    for limit in ("--chat", "--automation"):
        assert "1 to 1000" in command("user", "limits", "bob", limit, "1001", fails=True)
    assert "bob  operator" in command("user", "role", "bob", "operator")
    assert "bob  member" in command("user", "role", "bob", "member")
    assert re.fullmatch(r"(http://127.0.0.1:\d+)?/#invite=\w{32}\n", command("user", "invite", "bob"))
    assert re.fullmatch(r"(http://127.0.0.1:\d+)?/#reset=\w{32}\n", command("user", "reset-link", "bob"))
    made = json.loads(command("user", "reset-link", "bob", "--json"))
    assert set(made) == {"object", "user_id", "url", "expires_at"} and made["object"] == "reset_link"
    assert re.fullmatch(r"Removed bob \(usr_\w+\) with all sessions, messages and tokens\.\n",
                        command("user", "remove", "bob", "--yes"))
    assert "bob" not in command("user", "list")


def test_a_removal_asks_first(command):
    command("user", "add", "bob", "--password-stdin", password=PASSWORD)
    for answer, code, told in ((b"\r", 1, "Nothing was removed."), (b"n\r", 1, "Nothing was removed."),
                               (b"y\r", 0, "Removed bob")):
        asked = terminals.Terminal("user", "remove", "BOB", "--data", command.directory)
        try:
            question = asked.read_until("[y/N] ")
            assert "Remove bob (member) with all sessions, messages and tokens?" in question
            asked.type(answer)
            assert asked.end() == code and told in asked.output, asked.output
        finally:
            asked.close()
        assert ("bob" in command("user", "list")) == (code == 1)


def test_what_cannot_be_is_said_in_one_sentence(command):
    command("user", "add", "ana", "--role", "operator", "--password-stdin", password=PASSWORD)
    for arguments, password, words in (
            (("user", "add", "ANA", "--password-stdin"), PASSWORD, "taken"),
            (("user", "add", "bob", "--password-stdin"), "password", "easy to guess"),
            (("user", "add", "bob", "--password-stdin"), "short", "password"),
            (("user", "remove", "ana", "--yes"), None, "last operator"),
            (("user", "remove", "ana"), None, "give --yes"),
            (("user", "disable", "nobody"), None, "There is no user nobody."),
            (("user", "add", "bob"), None, "--password-stdin"),
            (("token", "create", "--user", "nobody"), None, "There is no user nobody."),
            (("token", "create", "--user", "ana", "--expires", "soon"), None, "90d"),
            (("token", "revoke", "--user", "ana", "tok_none"), None, "not found")):
        told = command(*arguments, password=password, fails=True)
        assert words in told and told.startswith("parley: ") and told.count("\n") == 1, told


def test_tokens(command, start):
    command("user", "add", "ana", "--password-stdin", password=PASSWORD)
    made = command("token", "create", "--user", "ana", "--name", "job", "--expires", "90d")
    assert TOKEN.fullmatch(made)
    told = json.loads(command("token", "create", "--user", "ana", "--test", "--scope", "chat:read",
                              "--json"))
    assert told["kind"] == "test" and told["scopes"] == ["chat:read"]
    client = command("token", "create", "--client", "--name", "phone")
    assert client.startswith("plc_") and "phone" in command("token", "list", "--client")
    listed = [json.loads(line) for line in
              command("token", "list", "--user", "ana", "--json").splitlines()]
    assert [token["name"] for token in listed] == ["command line", "job"]
    assert made.strip() not in command("token", "list", "--user", "ana")
    assert command("token", "revoke", "--user", "ana", listed[1]["id"]) == ""
    assert "job" not in command("token", "list", "--user", "ana")


def test_a_token_made_without_a_server_works_with_one(start, tmp_path):
    directory = tmp_path / "data"
    start("--data", str(directory)).stop()
    for arguments, password in ((("user", "add", "ana", "--password-stdin"), PASSWORD),
                                (("token", "create", "--user", "ana"), None)):
        done = program.run(*arguments, "--data", directory, input=password)
        assert done.returncode == 0, done
    server = start("--data", str(directory))
    assert works(server, done.stdout.strip())


def test_commands_name_a_directory_without_data(tmp_path):
    done = program.run("user", "list", "--data", tmp_path / "nothing")
    assert done.returncode == 1 and "No Parley data found" in done.stderr
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize("arguments", [
    ("token", "create"), ("token", "create", "--user", "a", "--client"), ("user",), ("token",),
    ("user", "add"), ("user", "add", "x", "--role", "king")])
def test_what_is_not_understood(arguments):
    assert program.run(*arguments).returncode == 2
