"""Commands that talk to a remote server (--url) with a personal token."""
import http.server
import json
import re
import threading

import pytest

import chats
import people
import program
import terminals

EVIL = "\x1b]0;title\x07"


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="token_file")
def file_with_a_token(house, tmp_path):
    file = tmp_path / "token"
    file.write_text(house.make_token(house.admin)["token"] + "\n", encoding="utf-8")
    return file


def messages_in(house):
    olga = chats.Person(house, house.make_token(house.admin)["token"])
    session = olga.get("/chat/sessions?limit=1")["data"][0]
    return [chats.text_of(each) for each in olga.messages(session) if each["role"] == "user"]


def ask_elsewhere(url, *arguments, **options):
    return program.run("chat", "--url", url, *arguments, **options)


def test_a_server_elsewhere_is_asked_with_a_token_of_ones_own(house, token_file):
    url, token = house.server.url(), token_file.read_text(encoding="utf-8").strip()
    done = ask_elsewhere(url, "--token-file", str(token_file), "hello there")
    assert (done.stdout, done.stderr, done.returncode) == ("hello there\n", "", 0)
    done = ask_elsewhere(url + "/", "-c", "more", input="piped\n",
                         env=program.clean_environment(PARLEY_TOKEN=token))
    assert (done.stdout, done.returncode) == ("more\n\npiped\n", 0)
    assert messages_in(house) == ["hello there", "more\n\npiped"]
    refused = program.run("user", "list", "--url", url, "--token-file", str(token_file))
    assert refused.returncode == 1 and "scope admin" in refused.stderr, refused


def test_an_operator_works_from_elsewhere(house, tmp_path):
    file = tmp_path / "token"
    made = program.run("token", "create", "--user", "olga", "--scope", "admin", "--data",
                       house.server.data)
    file.write_text(made.stdout, encoding="utf-8")
    there = ("--url", house.server.url(), "--token-file", str(file))
    added = program.run("user", "add", "nina", "--password-stdin", *there,
                        input=people.password_of("nina"))
    assert "nina  member  active" in added.stdout, added
    assert "nina  operator" in program.run("user", "role", "nina", "operator", *there).stdout
    assert "olga" in program.run("audit", "--action", "user.created", *there).stdout
    assert program.run("user", "remove", "nina", "--yes", *there).returncode == 0


def test_a_conversation_with_a_server_elsewhere_leaves_no_history(house, token_file, tmp_path):
    command = terminals.Terminal("chat", "--url", house.server.url(), "--token-file",
                                 str(token_file), home=tmp_path)
    try:
        assert house.server.url() in command.read_until("> ")
        command.type(b"far away\r")
        command.read_until("far away\r\nfar away\r\n> ")
        command.type(b"\x1b[A again\r")
        command.read_until("far away again\r\nfar away again\r\n> ")
        command.type(b"\x04")
        assert command.end() == 0
    finally:
        command.close()
    assert [each.name for each in tmp_path.iterdir()] == ["token"]


class Hostile(http.server.BaseHTTPRequestHandler):
    """Answers each request with the body of its server."""

    def do_GET(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(self.server.status)
        self.send_header("Content-Type", self.server.kind)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    do_POST = do_GET  # pylint: disable=invalid-name

    def log_message(self, *_):
        pass


@pytest.fixture(name="hostile")
def hostile_server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("status, kind, body, told", [
    (403, "application/problem+json", json.dumps({"detail": EVIL}), "\\u001b]0;title"),
    (200, "text/event-stream", 'event: message.delta\nid: 1\ndata: {"type":3}\n\n',
     "is not a Parley server"),
    (404, "text/html", "<h1>no</h1>", "status 404"),
    (404, "text/html", "x" * 1_000_000, "status 404"),
])
def test_an_answer_of_a_hostile_server_is_one_sentence(hostile, token_file, status, kind, body, told):
    hostile.status, hostile.kind, hostile.body = status, kind, body.encode()
    done = ask_elsewhere(f"http://127.0.0.1:{hostile.server_port}", "--token-file",
                         str(token_file), "x")
    assert told in done.stderr and done.returncode == 1, done
    assert done.stderr.count("\n") == 1 and "\x1b" not in done.stderr + done.stdout, done


@pytest.mark.parametrize("arguments, told", [
    ((), "--url needs a token"),
    (("--token-file", "/nowhere/token"), "cannot be read"),
    (("--user", "olga", "--token-file", "TOKEN"), "--user cannot be combined with --url"),
    (("--data", "/tmp", "--token-file", "TOKEN"), "exclude each other"),
])
def test_a_server_elsewhere_needs_a_token(house, token_file, arguments, told):
    token = token_file.read_text(encoding="utf-8").strip()
    arguments = [str(token_file) if each == "TOKEN" else each for each in arguments]
    done = ask_elsewhere(house.server.url(), *arguments, "x")
    assert told in done.stderr and done.returncode == 1, done
    assert token not in done.stderr


def test_a_token_is_neither_printed_nor_sent_in_the_clear(house, tmp_path):
    broken = house.make_token(house.admin)["token"][:-1] + "?"
    (tmp_path / "token").write_text(broken, encoding="utf-8")
    done = ask_elsewhere(house.server.url(), "--token-file", str(tmp_path / "token"), "x")
    assert "does not hold a valid Parley token" in done.stderr and broken[8:] not in done.stderr
    done = ask_elsewhere("http://192.0.2.1:80", "x", env=program.clean_environment(PARLEY_TOKEN=broken))
    assert "unencrypted" in done.stderr and done.returncode == 1
    assert not re.search(r"--token[^-]", program.run("chat", "--help").stdout)
