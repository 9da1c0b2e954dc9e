"""`parley chat`: one question from the command line, from a pipe or line by line, answered by the server of
the data directory."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest

import chats
import people
import program
from chats import text_of, words

SLOW = "{words:400} {delay_ms:50}"
LOST = "The connection was lost; waiting for the server.\n"


class Command:
    """A running `parley chat`; its output is read as it is written."""

    def __init__(self, directory, *arguments, stdin=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            [program.BINARY, "chat", "--data", directory, *arguments], stdin=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=program.clean_environment())
        self.output = b""

    def read(self, fits):
        """The output so far, when it matches; fails if the command ends before."""
        deadline = time.monotonic() + program.PATIENCE
        while not fits(self.output):
            ready, _, _ = select.select([self.process.stdout], [], [],
                                        deadline - time.monotonic())
            assert ready, self.output
            more = os.read(self.process.stdout.fileno(), 65536)
            assert more, (self.output, self.process.communicate()[1])
            self.output += more
        return self.output.decode()

    def end(self):
        """The output, the error messages and the exit code."""
        rest, complaint = self.process.communicate(timeout=program.PATIENCE)
        return (self.output + rest).decode(), complaint.decode(), self.process.returncode

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@pytest.fixture(name="house", scope="module")
def one_house():
    """Its operator, who chats here, is its only user until a test adds another."""
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="olga", scope="module")
def the_operator(house):
    return chats.Person(house, house.make_token(house.admin)["token"])


@pytest.fixture(name="chat")
def chat_in(house):
    """Starts a `parley chat` in that house."""
    started = []

    def one(*arguments, directory=house.server.data, **options):
        started.append(Command(directory, "--user", "olga", *arguments, **options))
        return started[-1]
    yield one
    for command in started:
        command.kill()


def say(directory, *arguments, code=0, **options):
    """Runs `parley chat` to its end; returns the output or the error messages."""
    done = program.run("chat", "--data", directory, *arguments, **options)
    assert done.returncode == code, done
    if code == 0:
        assert done.stderr == "", done
        return done.stdout
    assert done.stderr.startswith("parley: ") and done.stderr.count("\n") == 1, done
    return done.stderr


def newest(person):
    return person.get("/chat/sessions?limit=1")["data"][0]


def newest_run(person):
    last = person.messages(newest(person), order="desc", limit=1)[0]
    return person.run(last["run_id"])


def test_an_answer_is_printed_whole_with_one_line_break(house, olga):
    assert say(house.server.data, "--user", "olga", "Hello my world") == "Hello my world\n"
    session = newest(olga)
    assert session["title"] == "Hello my world" and session["message_count"] == 2
    assert say(house.server.data, "--user", "OLGA", "{words:300}") == words(300) + "\n"
    assert newest(olga)["id"] != session["id"], "each one is a session of its own"


def test_words_are_printed_as_they_come(chat, olga):
    command = chat("{words:400} {delay_ms:200}")
    command.read(lambda text: text.startswith(b"w1 "))
    assert newest(olga)["active_run_ids"], "more is to come"
    command.read(lambda text: text.startswith(words(3).encode()))
    command.process.send_signal(signal.SIGINT)
    command.end()


@pytest.mark.parametrize("flag", ["-c", "--continue"])
def test_the_last_session_goes_on(house, olga, flag):
    say(house.server.data, "--user", "olga", "one")
    session = newest(olga)
    assert say(house.server.data, "--user", "olga", flag, "two") == "two\n"
    assert say(house.server.data, flag, "--user", "olga", "three") == "three\n"
    assert newest(olga)["id"] == session["id"]
    assert [text_of(message) for message in olga.messages(session)] == [
        "one", "one", "two", "two", "three", "three"]


def test_there_may_be_no_session_to_go_on_with(house):
    house.add("nina")
    assert "There is no session to continue" in say(house.server.data, "--user", "nina", "-c", "x", code=1)


@pytest.mark.parametrize("given, kept", [("from a pipe\n", "from a pipe"), ("no end", "no end"),
                                         ("two\nlines\n\n", "two\nlines\n"), ("\u00e9 🦀", "é 🦀"),
                                         ("x" * 131_072, "x" * 131_072)],
                         ids=lambda text: text[:12])
def test_a_message_may_come_from_a_pipe(house, olga, given, kept):
    assert say(house.server.data, "--user", "olga", input=given) == kept + "\n"
    assert text_of(newest_run(olga)["user_message"]) == kept


@pytest.mark.parametrize("piped, asked", [("a line\n", "Say this:\n\na line"), ("", "Say this:")])
def test_piped_text_is_added_to_the_message(house, olga, piped, asked):
    say(house.server.data, "--user", "olga", "Say this:", input=piped)
    assert text_of(newest_run(olga)["user_message"]) == asked


def test_a_file_is_added_to_the_message(house, olga, tmp_path):
    (tmp_path / "notes").write_text("from a file\n", "utf-8")
    with open(tmp_path / "notes", "rb") as file:
        done = subprocess.run([program.BINARY, "chat", "--data", house.server.data, "--user", "olga",
                               "Read:"], stdin=file, capture_output=True, check=False,
                              timeout=program.PATIENCE, env=program.clean_environment())
    assert done.returncode == 0, done
    assert text_of(newest_run(olga)["user_message"]) == "Read:\n\nfrom a file"


@pytest.mark.parametrize("given, told", [("", "message is empty"), ("\n", "message is empty"),
                                         ("x" * 131_073, "message"), (b"\xff\xfe", "UTF-8"),
                                         ("x" * ((4 << 20) + 1), "longer than 4 MiB")],
                         ids=["nothing", "a line break", "too much", "not UTF-8", "far too much"])
def test_what_a_pipe_brings_may_be_refused(house, given, told):
    done = subprocess.run([program.BINARY, "chat", "--data", house.server.data, "--user", "olga"],
                          input=given if isinstance(given, bytes) else given.encode(),
                          capture_output=True, timeout=program.PATIENCE, check=False,
                          env=program.clean_environment())
    assert done.returncode == 1 and done.stdout == b"", done
    assert told in done.stderr.decode() and done.stderr.count(b"\n") == 1, done


def test_json_is_one_event_per_line(house, olga):
    printed = say(house.server.data, "--user", "olga", "--json", "Hello \x1b[31m\n world")
    events = [json.loads(line) for line in printed.splitlines()]
    run = newest_run(olga)
    assert events == [event.data for event in olga.events(run)]
    assert [event["type"] for event in events][::len(events) - 1] == ["run.created",
                                                                      "run.completed"]


def test_who_talks_must_be_said_where_there_are_several(house):
    house.add("bert")
    told = say(house.server.data, "hello", code=1)
    assert told == "parley: There are several users: choose one with --user NAME.\n"
    assert "no user nobody" in say(house.server.data, "--user", "nobody", "hello", code=1)
    done = program.run("chat", "--data", house.server.data, "--json", "hello")
    assert done.returncode == 1 and "several users" in json.loads(done.stderr)["error"]


def test_the_only_user_need_not_be_named(start, tmp_path):
    server = start("--data", tmp_path / "data", settings=chats.FRUGAL)
    assert "parley user add NAME" in say(server.data, "hello", code=1)
    people.House(server).set_up()
    assert say(server.data, "hello") == "hello\n"


def test_without_a_server_it_says_how_to_start_one(start, tmp_path):
    for arguments in (("hello",), ("-c", "hello"), ("--json", "hello")):
        done = program.run("chat", "--data", tmp_path / "none", *arguments)
        assert done.returncode == 1 and "No server runs on" in done.stderr, done
    assert not (tmp_path / "none").exists()
    server = start("--data", tmp_path / "data")
    server.stop()
    assert say(server.data, "hello", code=1) == (
        f"parley: No server runs on {server.data}. Start one with `parley serve`, then try "
        "again.\n")


def test_what_fails_is_one_sentence(house, olga):
    told = say(house.server.data, "--user", "olga", "--model", "nope", "hello", code=1)
    assert told == 'parley: There is no model "nope" on this server.\n'
    assert say(house.server.data, "--user", "olga", "--model", "scripted", "hello") == "hello\n"
    for message, printed in (("{error:model_unavailable}", ""), ("{fail_after:2} a b c", "a b")):
        done = program.run("chat", "--data", house.server.data, "--user", "olga", message)
        assert done.returncode == 1 and done.stdout == printed + "\n", done
        assert re.fullmatch(r"parley: .+\n", done.stderr), done
        assert newest_run(olga)["status"] == "failed"


def test_ctrl_c_cancels_the_answer(chat, olga):
    command = chat(SLOW)
    command.read(lambda text: b"w3" in text)
    command.process.send_signal(signal.SIGINT)
    printed, _, code = command.end()
    run = newest_run(olga)
    assert run["status"] == "cancelled" and printed == text_of(run["message"]) + "\n"
    assert printed.startswith("w1 w2 w3") and code == 130


def test_no_token_is_left_behind(house, chat, olga):
    def left():
        return [token["name"] for token in olga.house.pages("/tokens", house.admin)
                if token["name"] == "parley chat"]
    command = chat(SLOW)
    command.read(lambda text: b"w2" in text)
    assert left() == ["parley chat"]
    command.process.send_signal(signal.SIGINT)
    command.end()
    for arguments, code in ((("hello",), 0), (("{error:overloaded}",), 1),
                            (("--model", "nope", "x"), 1)):
        assert chat(*arguments).end()[2] == code
    assert left() == []


def test_a_terminal_is_not_obeyed(house, olga):
    evil = "a\x1b[2J\x1b]0;title\x07 \x9b31m \r\b \x7f \u202e b\tc\nd"
    printed = say(house.server.data, "--user", "olga", evil)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", printed), repr(printed)
    assert printed.startswith("a\\u001b[2J") and printed.endswith("b\tc\nd\n"), repr(printed)
    assert text_of(newest_run(olga)["message"]) == evil, "it is kept as it was"


def test_text_is_printed_as_it_is(house):
    text = 'print("C:\\temp\\n") # \U0001f469\u200d\U0001f4bb'
    assert say(house.server.data, "--user", "olga", text) == text + "\n"


@pytest.mark.parametrize("ends", ["kill", "end_in_a_hurry"])
def test_an_answer_outlives_its_server(start, tmp_path, ends):
    house = chats.LastingHouse(start, tmp_path / "data")
    command = Command(tmp_path / "data", "{words:60} {delay_ms:200}")  # Time to kill it, also on a busy machine.
    try:
        command.read(lambda text: b"w5" in text)
        getattr(house, ends)()
        house.come_back()
        assert command.end() == (words(60) + "\n", LOST, 0)
    finally:
        command.kill()


def test_line_by_line_it_is_one_session(house, olga):
    outside, inside = pty.openpty()
    process = subprocess.Popen(
        [program.BINARY, "chat", "--data", house.server.data, "--user", "olga"], stdin=inside,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=program.clean_environment())
    try:
        os.write(outside, b"first line\n\n{error:overloaded}\nsecond line\n\x04")
        printed, complaint = process.communicate(timeout=program.PATIENCE)
    finally:
        process.kill()
        os.close(inside)
        os.close(outside)
    assert printed.decode() == "first line\n\nsecond line\n", "a file gets the answers alone"
    assert process.returncode == 0 and complaint.count(b"\n") == 2, complaint
    assert [text_of(message) for message in olga.messages(newest(olga))] == [
        "first line", "first line", "{error:overloaded}", "", "second line", "second line"]
