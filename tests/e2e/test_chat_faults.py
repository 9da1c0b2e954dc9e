"""Bugs that attacks on the chat found: races of clients, and a command line without its server."""
import json
import os
import pty
import signal
import subprocess

import pytest

import certificates
import chats
import people
import program
import wire
from people import refused

ROUNDS = 50
MANY_ROUNDS = 200  # For short runs.
SLOW = "{words:400} {delay_ms:50}"
STOPPED = 30  # Seconds until an interrupted command must have ended.


@pytest.fixture(name="house", scope="module")
def one_house():
    """Several loops, so that races occur on any machine."""
    with chats.house({"server.loops": 4, "limits.general": 100000}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def test_a_key_used_at_the_same_time_gives_the_same_run_to_all(ana):
    """The second one got a run without an id: it was stored, but not yet registered."""
    for number in range(ROUNDS):
        headers = {"Idempotency-Key": f"key-{number}", "Prefer": "wait=0"}
        answers = people.at_once(12, lambda each, headers=headers: ana.query(
            "{words:3}", headers, background=each % 2 == 0))
        runs = [answer.json() for answer in answers]
        assert {answer.status for answer in answers} <= {200, 202}, answers
        assert len({run["id"] for run in runs}) == 1 and people.is_id(runs[0]["id"], "run"), [
            (answer.status, answer.header("location"), answer.body) for answer in answers]
        assert len({run["session_id"] for run in runs}) == 1, runs


def follow_at_once(ana, session):
    """Starts a run, and follows it as soon as its session shows it: from its start, and from a number that it
    will not reach. Returns [(from its start, the stream as raw bytes), …]."""
    fields = {"Authorization": f"Bearer {ana.token}"}

    def work(number):
        if number == 0:
            # The delay is for those that come late on a busy machine.
            return ana.begin("{words:3} {delay_ms:3}", session_id=session) and None
        with wire.Connection(ana.house.server.address) as connection:
            path = f"/v1/api/chat/sessions/{session}"
            while not (told := connection.ask("GET", path, fields).json())["message_count"]:
                pass
            if not told["active_run_ids"]:
                return None
            connection.send(wire.request_bytes(
                "GET", f"/v1/api/chat/runs/{told['active_run_ids'][0]}/events"
                + ("" if number % 2 else "?after=999"), {**fields, "Connection": "close"}))
            return number % 2 == 1, connection.read_to_end()
    return [stream for stream in people.at_once(5, work) if stream]


def test_a_run_that_has_just_been_stored_can_be_followed(ana):
    """It was treated as ended: `id: 0`, `event: run.running`, and nothing else. And a reader that connected
    before the first event with a larger number got no events."""
    followed = 0
    for _ in range(MANY_ROUNDS):
        session = ana.request("POST", "/chat/sessions", {}).json()["id"]
        for from_start, stream in follow_at_once(ana, session):
            head, _, _ = stream.partition(b"\r\n\r\n")
            followed += 1
            if from_start:
                assert b"event: run.running" not in stream, stream
            if from_start or wire.parse_head(head).status == 200:
                assert b"\nevent: run.completed\n" in stream, stream
    assert followed > MANY_ROUNDS // 10, "too few came in time to show anything"


def test_a_run_that_is_deleted_with_its_session_is_cancelled(ana):
    """A run that had not quite begun failed instead, with `not_found`."""
    for _ in range(ROUNDS):
        session = ana.request("POST", "/chat/sessions", {}).json()["id"]

        def work(number, session=session):
            if number == 0:
                return ana.request("DELETE", f"/chat/sessions/{session}") and None
            with ana.stream("{words:5} {delay_ms:2}", session_id=session,
                            parent_message_id=None) as feed:
                return feed.rest()[-1] if feed.response.status == 200 else None
        for last in people.at_once(4, work):
            assert not last or last.type in ("run.cancelled", "run.completed"), last.frame


def test_a_full_queue_has_room_for_a_retry():
    """Requests that need no place in the queue were refused, too."""
    with chats.house({"runs.max_concurrent": 1, "runs.max_queued": 0}) as house:
        ana = chats.somebody(house, "ana")
        done = ana.ask("hello", {"Idempotency-Key": "done"})
        running = ana.begin("{first_delay_ms:60000} x", {"Idempotency-Key": "running"})
        refused(ana.query("more"), 503, "overloaded")
        again = ana.query("hello", {"Idempotency-Key": "done"})
        assert again.status == 200 and again.json() == done, again.body
        again = ana.query("{first_delay_ms:60000} x", {"Idempotency-Key": "running"},
                          background=True)
        assert again.status == 202 and again.json()["id"] == running["id"], again.body
        ana.cancel(running)


@pytest.fixture(name="olgas")
def house_of_olga(start, tmp_path):
    """A house that can stop and restart, with one user; its commands end with the test."""
    house = chats.LastingHouse(start, tmp_path / "data")
    commands = []

    def chat(*arguments, stdin=subprocess.DEVNULL):
        commands.append(subprocess.Popen(
            [program.BINARY, "chat", "--data", tmp_path / "data", *arguments], stdin=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=program.clean_environment()))
        return commands[-1]
    house.chat = chat
    yield house
    for command in commands:
        if command.poll() is None:
            command.kill()
        command.wait()


def tokens_left(house):
    return [token["name"] for token in house.pages("/tokens", house.admin)
            if token["name"] == "parley chat"]


def read_until(stream, text):
    seen = b""
    while text not in seen:
        more = os.read(stream.fileno(), 4096)
        assert more, seen
        seen += more


def test_ctrl_c_ends_a_command_whose_server_is_gone(olgas):
    command = olgas.chat(SLOW)
    read_until(command.stdout, b"w2")
    olgas.kill()
    read_until(command.stderr, b"waiting for the server")
    command.send_signal(signal.SIGINT)
    assert command.wait(STOPPED) != 0


def test_a_command_revokes_its_token_on_a_server_that_came_back(olgas):
    """It used the previous address of the server."""
    command = olgas.chat("{words:40} {delay_ms:50}")
    read_until(command.stdout, b"w2")
    olgas.kill()
    olgas.come_back()
    command.communicate(timeout=program.PATIENCE)
    assert command.returncode == 0 and tokens_left(olgas) == []


def test_a_server_that_was_killed_is_no_server(olgas):
    """The command trusted the remaining address: it waited for a minute, and prevented a server from starting
    during that time."""
    olgas.kill()
    command = olgas.chat("hello")
    try:
        _, complaint = command.communicate(timeout=STOPPED)
    finally:
        if command.poll() is None:  # It holds the data directory.
            command.kill()
            command.wait()
        olgas.come_back()
    assert command.returncode == 1 and b"No server runs on" in complaint


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_the_prompt_leaves_no_token(olgas, number):
    outside, inside = pty.openpty()
    try:
        command = olgas.chat(stdin=inside)
        read_until(command.stderr, b"> ")  # The output is not a terminal, so it gets only the answers.
        assert tokens_left(olgas) == ["parley chat"]
        command.send_signal(number)
        command.wait(STOPPED)
    finally:
        os.close(inside)
        os.close(outside)
    assert tokens_left(olgas) == []


def test_a_reader_who_leaves_leaves_no_token(olgas):
    """As in `parley chat … | head -1`."""
    command = olgas.chat("{words:60} {delay_ms:50}")
    read_until(command.stdout, b"w2")
    command.stdout.close()
    command.wait(STOPPED)
    assert tokens_left(olgas) == []


def test_an_answer_outlives_its_server_and_its_certificate(start, tmp_path):
    """The new address was read again, but not the new certificate."""
    authority = certificates.Authority(tmp_path)

    def serve(name, serial):
        certificate, key = authority.issue(name, serial)
        return start("--data", tmp_path / "data", "--tls-cert", str(certificate), "--tls-key",
                     str(key), settings=chats.FRUGAL)
    server = serve("one", 1)
    made = program.run("user", "add", "ana", "--password-stdin", "--data", server.data,
                       input="an old oak behind the barn")
    assert made.returncode == 0, made
    command = subprocess.Popen(
        [program.BINARY, "chat", "--data", server.data, "{words:40} {delay_ms:50}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=program.clean_environment())
    try:
        read_until(command.stdout, b"w2")
        server.signal(signal.SIGKILL)
        server.wait()
        serve("two", 2)
        assert command.wait(STOPPED) == 0
    finally:
        command.kill()
        command.communicate()


def test_a_busy_server_is_not_called_a_lost_one(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data",
                               {"runs.max_concurrent": 1, "runs.max_queued": 0})
    olga = chats.Person(house, house.make_token(house.admin)["token"])
    running = olga.begin("{first_delay_ms:60000} x")
    command = subprocess.Popen([program.BINARY, "chat", "--data", tmp_path / "data", "hello"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=program.clean_environment())
    try:
        told = command.stderr.readline()
    finally:
        command.kill()
        command.communicate()
        olga.cancel(running)
    assert b"connection was lost" not in told, told


@pytest.mark.parametrize("text, told", [
    ('[models.a]\ncontxt = 3\n', "Did you mean models.a.context?"),
    ('[models."llama-3.2"]\nengine = "scripted"\nengin = "x"\n',
     "Did you mean models.llama-3.2.engine?")])
def test_a_wrong_field_of_a_model_in_a_file_is_told_with_the_nearest(tmp_path, text, told):
    """The message called it a table of settings, because its last part could belong to the name of a model.
    """
    file = tmp_path / "parley.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    done = program.run("serve", "--print-settings", "--config", file)
    assert done.returncode == 2 and told in done.stderr, done


@pytest.mark.parametrize("name", ["a.engine", "a.context"])
def test_a_model_may_be_called_like_a_setting(tmp_path, name):
    file = tmp_path / "parley.toml"
    file.write_text(f'[models."{name}"]\ncontext = 77\n', encoding="utf-8")
    file.chmod(0o600)
    done = program.run("serve", "--print-settings", "--json", "--config", file)
    assert done.returncode == 0, done
    shown = {line["key"]: line["value"] for line in map(json.loads, done.stdout.splitlines())
             if "from" in line}
    assert shown[f"models.{name}.context"] == 77
