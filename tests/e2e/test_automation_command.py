"""`parley automation` and `parley events`, on a data directory and with a token (--url)."""
import json
import re
import signal
import subprocess

import pytest

import automations
import chats
import people
import program
import terminals

EVERY_MORNING = ("--cron", "0 9 * * MON-FRI", "--time-zone", "Europe/Berlin")


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(automations.SETTINGS) as opened:
        yield opened


@pytest.fixture(name="command", params=["data directory", "url"])
def one_command(request, house, tmp_path):
    return automations.command_of(request, house, tmp_path)


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_from_the_definition_to_the_answer(command, tmp_path):
    added = command("automation", "add", "--name", "Digest", "--message", "Good morning, {{reader}}!",
                    "--variable", "reader=Ana", *EVERY_MORNING)
    assert re.fullmatch(r"Digest  active  20\S+Z  aut_\w+\n", added)
    assert command("automation", "list") == added
    shown = command("automation", "show", "Digest")
    assert "0 9 * * MON-FRI, Europe/Berlin" in shown and shown.endswith("\nGood morning, {{reader}}!\n")
    assert command("automation", "run", "Digest") == "Good morning, Ana!\n"
    row = lines(command("automation", "run", "Digest", "--variable", "reader=Ben", "--key", "b",
                        "--json"))[0]
    assert (row["status"], row["message"], row["key"]) == ("completed", "Good morning, Ben!", "b")
    again = lines(command("automation", "run", "Digest", "--key", "b", "--json"))[0]
    assert again["id"] == row["id"]
    runs = command("automation", "runs", "Digest").splitlines()
    assert len(runs) == 2 and runs[0].endswith(f"  completed  manual  {row['id']}")
    assert command("automation", "runs", "--status", "failed") == ""
    inputs = tmp_path / "inputs.json"
    inputs.write_text(json.dumps([{"variables": {"reader": name}} for name in "abc"]), encoding="utf-8")
    batch = lines(command("automation", "run", "Digest", "--inputs", str(inputs), "--json"))
    assert len(batch) == 3
    assert len(lines(command("automation", "runs", "--batch", batch[0]["batch_id"], "--json"))) == 3


def test_a_file_with_options(command, tmp_path):
    definition = {"name": "Report", "message": "write", "trigger": {
        "type": "schedule", "cron": "30 2 * * *", "time_zone": "UTC"}}
    file = tmp_path / "report.json"
    file.write_text(json.dumps(definition), encoding="utf-8")
    made = lines(command("automation", "add", "-", "--paused", "--json", input=json.dumps(definition)))[0]
    assert (made["state"], made["trigger"]["cron"]) == ("paused", "30 2 * * *")
    seen = command("automation", "preview", str(file), "--time-zone", "Europe/Berlin", "-n", "2",
                   "--from", "2027-03-27T12:00:00Z", "--message", "read {{run.local_date}}")
    assert seen == ("2027-03-28T03:30:00+02:00  2027-03-28T01:30:00.000Z  moved_by_clock_change\n"
                    "2027-03-29T02:30:00+02:00  2027-03-29T00:30:00.000Z\n"
                    "\nread 2027-03-28\n")
    assert lines(command("automation", "resume", "Report", "--json"))[0]["state"] == "active"
    times = command("automation", "next", "Report", "-n", "3", "--from", "2027-01-01T00:00:00Z")
    assert [line.split()[1] for line in times.splitlines()] == [
        f"2027-01-0{day}T02:30:00.000Z" for day in (1, 2, 3)]
    assert "Report  paused (user)  -  aut_" in command("automation", "pause", "Report")


def test_hooks_are_created_and_rotated(command, house):
    made = command("automation", "add", "--name", "Calls", "--message", "hello", "--hook", "token").splitlines()
    assert made[0].startswith("Calls  active  -  aut_")
    url, secret = made[1:]
    assert re.fullmatch(r"/v1/api/hooks/hok_\w+", url) and secret.startswith("plh_")
    shown = command("automation", "show", "Calls")
    assert f"hook {url}, token" in shown and secret not in shown
    new = command("automation", "rotate", "Calls", "--overlap", "0").splitlines()
    assert new[0] == url and new[1].startswith("plh_") and new[1] != secret
    path = url.removeprefix("/v1/api")
    assert [house.ask("POST", path, token, {}).status for token in (secret, new[1])] == [401, 202]
    assert len(command("automation", "runs", "Calls", "--trigger", "hook").splitlines()) == 1
    signed = lines(command("automation", "add", "--name", "Issues", "--message", "hello", "--hook", "github",
                           "--json"))[0]
    assert signed["hook"]["url"] == "/hooks/" + signed["hook"]["id"] and signed["hook"]["secret"]
    listening = {"name": "Heard", "message": "x", "trigger": {"type": "event", "event_types": ["chat.run.*"]}}
    command("automation", "add", "-", input=json.dumps(listening))
    assert "events chat.run.*" in command("automation", "show", "Heard")


def test_definitions_are_moved(command, house, tmp_path):
    command("automation", "add", "--name", "Digest", "--message", "Hi {{reader}}", "--variable", "reader=Ana",
            *EVERY_MORNING)
    command("automation", "add", "--name", "Calls", "--message", "hello", "--hook", "token", "--paused")
    moved = command("automation", "export")
    assert [each["name"] for each in lines(moved)] == ["Digest", "Calls"]
    assert lines(command("automation", "export", "Digest")) == lines(moved)[:1]
    file = tmp_path / "automations.jsonl"
    file.write_text(moved + "\n", encoding="utf-8")
    automations.automator(house, (name := command.person.get("/me")["username"] + "2"))
    other = ("--data", house.server.data, "--user", name)
    made = program.run("automation", "import", str(file), *other)
    assert made.returncode == 0, made
    assert re.fullmatch(r"Digest  active  20\S+Z  aut_\w+\nCalls  paused \(user\)  -  aut_\w+\n/\S+\nplh_\w+\n",
                        made.stdout), made.stdout
    def without_ids(exported):
        return [{**each, "id": None} for each in lines(exported)]
    assert without_ids(program.run("automation", "export", *other).stdout) == without_ids(moved)
    again = program.run("automation", "import", "-", *other, input=moved)
    assert again.returncode == 0 and again.stdout == "" and again.stderr.count("already exists") == 2
    assert "Line 2 is not a JSON object" in command("automation", "import", "-", code=1, input="{}\n[]")
    assert "bad: " in command("automation", "import", "-", code=1, input='{"name": "bad", "message": "{{x}}"}')
    assert "cannot be opened" in command("automation", "import", "/nonexistent/file", code=1)


def test_a_run_that_fails_is_tried_again_or_cancelled(command):
    command("automation", "add", "--name", "Bad", "--message", "{error:upstream_error}")
    command.person.request("PATCH", f"/automations/{command.person.get('/automations')['data'][0]['id']}",
                           {"retry": {"max_attempts": 1, "backoff_s": 1}})
    told = command("automation", "run", "Bad", code=1)
    assert "The run ended with status failed: " in told
    failed = lines(command("automation", "runs", "--status", "failed", "--json"))[0]
    assert "status failed" in command("automation", "retry", failed["id"], code=1)
    assert len(lines(command("automation", "runs", "Bad", "--json"))[0]["attempts"]) == 2
    command("automation", "add", "--name", "Slow", "--message", "{first_delay_ms:60000}")
    row = lines(command("automation", "run", "Slow", "--no-wait", "--json"))[0]
    assert "cancelled" in command("automation", "cancel", row["id"])


def test_a_removal_asks_first(command):
    command("automation", "add", "--name", "Old", "--message", "x")
    assert "--yes" in command("automation", "remove", "Old", code=1, stdin=subprocess.DEVNULL)
    asked = terminals.Terminal("automation", "remove", "Old", *map(str, command.who))
    try:
        assert "Remove Old and the list of its runs?" in asked.read_until("[y/N] ")
        asked.type(b"n\r")
        assert asked.end() == 1 and "Nothing was removed." in asked.output
    finally:
        asked.close()
    assert command("automation", "remove", "Old", "--yes").startswith("Removed Old (aut_")
    assert command("automation", "list") == ""


@pytest.mark.parametrize(("arguments", "words"), [
    (("show", "Nothing"), "There is no automation named Nothing."),
    (("show", "aut_none"), "not found"),
    (("add",), "--name and --message"),
    (("add", "/nonexistent/file"), "cannot be opened"),
    (("add", "-"), "Standard input is not JSON"),
    (("add", "--name", "x", "--message", "{{y}}"), "y"),
    (("add", "--name", "x", "--message", "y", "--cron", "60 * * * *", "--time-zone", "UTC"), "trigger"),
    (("run", "Twice"), "Several automations are named Twice"),
    (("run", "Twice", "--variable", "x"), "NAME=TEXT"),
])
def test_what_cannot_be_is_said_in_one_sentence(command, arguments, words):
    for _ in range(2):
        command("automation", "add", "--name", "Twice", "--message", "x")
    told = command("automation", *arguments, code=1, input="{")
    assert words in told and told.count("\n") == 1, told


def test_temporary_tokens_are_revoked(house):
    nina = automations.automator(house, "nina")
    before = [each["id"] for each in nina.get("/tokens")["data"]]
    for arguments in (("automation", "list"), ("events",), ("automation", "list", "--test")):
        assert program.run(*arguments, "--user", "nina", "--data", house.server.data).returncode == 0
    assert [each["id"] for each in nina.get("/tokens")["data"]] == before
    types = [each["type"] for each in nina.pages("/events", types="token.*")]
    assert types == ["token.created"], "the log has only the tokens of the user"
    body = {"name": "x", "scopes": ["chat:read"], "temporary": True}
    assert people.faults(nina.request("POST", "/tokens", body)) == [("#/temporary", "not_allowed")]


def test_test_mode_has_automations_of_its_own(house):
    automations.automator(house, "tess")
    who = ("--user", "tess", "--data", house.server.data)
    added = program.run("automation", "add", "--name", "Rehearsal", "--message", "x", "--test", *who)
    assert "Rehearsal" in added.stdout, added
    assert "Rehearsal" in program.run("automation", "list", "--test", *who).stdout
    assert program.run("automation", "list", *who).stdout == ""


def test_events_are_listed(command):
    command("automation", "add", "--name", "Digest", "--message", "hello")
    command("automation", "run", "Digest")
    kinds = [each["type"] for each in lines(command("events", "--types", "automation.*", "--json"))]
    assert kinds == ["automation.created", "automation.run.queued", "automation.run.completed"]
    some = lines(command("events", "--types", "automation.created", "--types",
                         "chat.run.completed,chat.run.created", "--json"))
    assert [each["type"] for each in some] == ["automation.created", "chat.run.created",
                                               "chat.run.completed"]
    number = some[1]["sequence_number"]
    line = command("events", "--after", str(number - 1), "--limit", "1")
    assert re.fullmatch(rf"{number}  20\S+Z  chat.run.created  run_\w+  ses_\w+\n", line)
    assert "number" in command("events", "--after", "1000000", code=1)
    assert "is not a type" in command("events", "--types", "nothing", code=1)


class Follower:
    """`parley events -f`."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([program.BINARY, "events", "-f", "--json", *map(str, arguments)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=program.clean_environment())

    def next(self):
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        return json.loads(line)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(program.PATIENCE)

    def close(self):
        self.process.kill()
        self.process.communicate()


def test_events_are_followed(command):
    command("automation", "add", "--name", "Digest", "--message", "hello")
    follower = Follower("--after", "0", "--types", "automation.*", *command.who)
    try:
        assert follower.next()["type"] == "automation.created"
        command("automation", "run", "Digest", "--no-wait")
        assert [follower.next()["type"] for _ in range(2)] == ["automation.run.queued",
                                                               "automation.run.completed"]
        assert follower.interrupt() == 130
    finally:
        follower.close()


def test_following_goes_on_after_a_restart(start, tmp_path):
    data = ("--data", str(tmp_path / "data"))
    server = start(*data, settings=automations.SETTINGS)
    house = people.House(server).set_up()
    follower = Follower("--after", "0", "--types", "automation.created", "--user", "olga", *data)
    try:
        automations.created(chats.Person(house, house.admin))
        first = follower.next()
        server.stop()
        house = people.House(start(*data, settings=automations.SETTINGS))
        made = program.run("automation", "add", "--name", "x", "--message", "y", "--user", "olga", *data)
        assert made.returncode == 0, made
        second = follower.next()
        assert second["sequence_number"] > first["sequence_number"]
        assert follower.interrupt() == 130
        assert "The connection was lost" in follower.process.stderr.read()
    finally:
        follower.close()
