"""`parley chat` on a terminal: line editing, history, pastes, commands, Ctrl-C."""
import os
import pathlib
import re
import signal
import stat
import termios
import time

import pytest

import chats
import people
import terminals

SLOW = "{words:400} {delay_ms:50}"
PASTE = b"\x1b[200~%s\x1b[201~"


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="olga", scope="module")
def the_operator(house):
    return chats.Person(house, house.make_token(house.admin)["token"])


@pytest.fixture(name="chat")
def chat_on_a_terminal(house, tmp_path):
    opened = []

    def one(*arguments, **environment):
        if "--url" not in arguments:
            arguments = ("--data", str(house.server.data), "--user", "olga", *arguments)
        opened.append(terminals.Terminal("chat", *arguments, home=tmp_path, **environment))
        return opened[-1]
    yield one
    for each in opened:
        each.close()


def messages_of(olga):
    session = olga.get("/chat/sessions?limit=1")["data"][0]
    return [chats.text_of(each) for each in olga.messages(session) if each["role"] == "user"]


def history_in(home):
    return home / ".local/state/parley/chat-history"


def test_lines_are_edited_and_kept_for_the_next_time(chat, olga, tmp_path):
    first = chat()
    banner = first.read_until("/help")
    assert "model scripted" in banner and "Parley" in banner, banner
    first.read_until("> ")
    first.type(b"wXrld\x1b[D\x1b[D\x1b[D\x7fo\x01hello \r")
    first.read_until("\nhello world\r\n> ")
    first.type("Grüße 世界\r".encode())
    first.read_until("Grüße 世界\r\nGrüße 世界\r\n> ")
    first.type(b"\x04")
    assert first.end() == 0
    assert first.output.endswith("\x1b[?2004l"), "pastes are no longer marked"
    assert first.modes() & termios.ECHO and first.modes() & termios.ICANON
    assert messages_of(olga) == ["hello world", "Grüße 世界"]
    kept = history_in(tmp_path)
    assert kept.read_text().splitlines() == ['"hello world"', '"Grüße 世界"']
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700

    again = chat()
    again.read_until("> ")
    again.type(b"\x1b[A\x1b[A again\r")
    again.read_until("hello world again\r\nhello world again\r\n> ")
    again.type(b"/exit\r")
    assert again.end() == 0
    assert messages_of(olga) == ["hello world again"]


def test_a_paste_of_several_lines_is_one_message(chat, olga):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(PASTE % b"one\rtwo\r\nthree\n/exit" + b" end\r")
    command.read_until("> ")
    command.type(b"\x04")
    assert command.end() == 0
    assert messages_of(olga) == ["one\ntwo\nthree\n/exit end"]


def test_a_long_paste_arrives_whole(chat, olga):
    text = "\n".join(f"line {number}" for number in range(3000))
    command = chat("--no-history")
    command.read_until("> ")
    command.type(PASTE % text.replace("\n", "\r").encode())
    command.type(b"\r")
    command.read_until("line 2999\r\n> ")
    command.type(b"\x04")
    assert command.end() == 0
    assert messages_of(olga) == [text]


def test_commands_of_a_conversation(chat, olga):
    command = chat("--no-history")
    command.read_until("> ")
    for line, told in ((b"/help", "/model NAME"), (b"/model", "* scripted"),
                       (b"/model nope", "There is no model nope"),
                       (b"/model scripted", "answers from the next message on"),
                       (b"/nonsense", "There is no command /nonsense")):
        command.type(line + b"\r")
        command.read_until(told)
        command.read_until("> ")
    command.type(b"first\r")
    command.read_until("first\r\nfirst\r\n> ")
    command.type(b"/new\r")
    command.read_until("New session.\r\n> ")
    command.type(b"/etc/hosts\r")
    command.read_until("/etc/hosts\r\n/etc/hosts\r\n> ")
    command.type(b"/exit\r")
    assert command.end() == 0
    assert messages_of(olga) == ["/etc/hosts"], "a path is text; /new began another session"


def test_ctrl_c_stops_the_answer_and_a_second_one_leaves(chat, olga):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(b"half a line")
    command.read_until("half a line")
    command.type(b"\x03")
    command.read_until("^C\r\n> ")
    command.type(SLOW.encode() + b"\r")
    command.read_until("w3 ")
    command.type(b"\x03")
    assert "w400" not in command.read_until("> ")
    assert command.process.poll() is None
    command.type(b"\x03")
    assert command.end() == 130
    assert messages_of(olga) == [SLOW]
    session = olga.get("/chat/sessions?limit=1")["data"][0]
    assert session["active_run_ids"] == []


def has_pending_interrupt(process):
    """Whether Ctrl-C has not reached it yet: two pending signals of one kind would count as one."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    pending = re.findall(r"^(?:Sig|Shd)Pnd:\s+(\w+)$", status, re.M)
    assert pending, status
    return any(int(each, 16) >> (signal.SIGINT - 1) & 1 for each in pending)


def test_two_ctrl_c_leave_a_server_that_is_silent(chat, house):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(SLOW.encode() + b"\r")
    command.read_until("w2 ")
    house.server.signal(signal.SIGSTOP)
    try:
        command.type(b"\x03")
        time.sleep(1)
        people.until(lambda: not has_pending_interrupt(command.process))
        command.type(b"\x03")
        assert command.end() == 130
    finally:
        house.server.signal(signal.SIGCONT)


def test_keys_that_are_typed_during_an_answer_wait_for_the_prompt(chat, olga):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(b"{words:60} {delay_ms:20}\r")
    command.read_until("w2 ")
    command.type(b"next\r\x04")
    assert "next" not in command.read_until("w60\r\n> "), "keys do not mix with the answer"
    assert command.end() == 0
    assert messages_of(olga) == ["{words:60} {delay_ms:20}", "next"]


def test_a_stopped_chat_goes_on(chat, olga):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(b"be")
    command.read_until("be")
    command.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, command.process.pid, os.WSTOPPED)
    modes = termios.tcgetattr(command.outside)
    modes[3] |= termios.ECHO | termios.ICANON  # As a shell does.
    termios.tcsetattr(command.outside, termios.TCSANOW, modes)
    command.process.send_signal(signal.SIGCONT)
    command.read_until("\x1b[?2004h")
    assert not command.modes() & termios.ECHO
    command.type(b"fore\r")
    command.read_until("\nbefore\r\n> ")
    command.type(b"\x04")
    assert command.end() == 0
    assert messages_of(olga) == ["before"]


def test_a_line_is_bounded(chat, olga):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(PASTE % (b"x" * 1_100_000) + b"\r")
    command.read_until("too long and was not sent")
    command.read_until("> ")
    command.type(b"short\r")
    command.read_until("short\r\nshort\r\n> ")
    command.type(b"\x04")
    assert command.end() == 0
    assert messages_of(olga) == ["short"]


def test_a_token_is_not_kept_in_the_history(chat, house, tmp_path):
    token = house.make_token(house.admin)["token"]
    command = chat()
    command.read_until("> ")
    command.type(f"my token is {token} ok\r".encode())
    command.read_until("ok\r\n> ")
    command.type(b"harmless\r")
    command.read_until("harmless\r\nharmless\r\n> ")
    command.type(b"\x04")
    assert command.end() == 0
    assert history_in(tmp_path).read_text() == '"harmless"\n'


def test_control_characters_of_an_answer_do_not_reach_the_terminal(chat):
    command = chat("--no-history")
    command.read_until("> ")
    command.type(PASTE % b"a\x1b]0;title\x07\x9bb" + b"\r")
    printed = command.read_until("\\u001b]0;title\\u0007")
    printed += command.read_until("> ")
    assert "\x1b]0;" not in printed and "\x07" not in printed, repr(printed)
    command.type(b"\x04")
    assert command.end() == 0
