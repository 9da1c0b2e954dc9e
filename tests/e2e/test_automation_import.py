"""`parley automation import`: what an export refers to, faults in the middle, limits."""
import json

import pytest

import automations
import chats
import program


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(automations.SETTINGS) as opened:
        yield opened


@pytest.fixture(name="command", params=["data directory", "url"])
def one_command(request, house, tmp_path):
    return automations.command_of(request, house, tmp_path)


def test_references_are_moved(command, house):
    """Also to an automation that comes later in the export; those to nothing are left out."""
    person = command.person
    session = person.ask("hi")["session_id"]
    first = automations.created(person, name="First", trigger={"type": "event", "event_types": ["chat.*"]})
    second = automations.created(person, name="Second")
    person.request("PATCH", f"/automations/{first['id']}", {"trigger": {
        "type": "event", "event_types": ["automation.run.*"], "automation_id": second["id"]}})
    automations.created(person, name="Continues", session={"policy": "continue", "session_id": session})
    automations.created(person, name="Hears", trigger={
        "type": "event", "event_types": ["chat.run.*"], "session_id": session})
    for name in ("Twin", "Twin"):
        automations.created(person, name=name)
    past = json.dumps({"name": "Past", "message": "x", "trigger": {
        "type": "schedule", "at": "2020-01-01T00:00:00Z", "time_zone": "UTC"}})
    bad = '{"name": "Bad", "message": "{{x}}"}'
    moved = "\n".join([bad, past, command("automation", "export")])
    other = automations.automator(house, (name := person.get("/me")["username"] + "3"))
    made = program.run("automation", "import", "-", "--data", house.server.data, "--user", name, input=moved)
    assert made.returncode == 1 and "1 of 8 automations could not be created" in made.stderr, made
    assert "Skipped Past: its time is in the past." in made.stderr and "Bad: " in made.stderr
    there = {each["name"]: each for each in other.pages("/automations")}
    assert len(other.pages("/automations")) == 6 and set(there) == {"First", "Second", "Continues", "Hears", "Twin"}
    assert there["First"]["trigger"]["automation_id"] == there["Second"]["id"]
    assert there["Continues"]["session"] == {"policy": "continue", "session_id": None, "keep": None}
    assert there["Continues"]["state"] == "active"
    assert (there["Hears"]["trigger"]["session_id"], there["Hears"]["state"]) == (None, "paused")
    assert made.stderr.count("was left out") == 2
    again = program.run("automation", "import", "-", "--data", house.server.data, "--user", name, input=moved)
    assert again.stdout == "" and again.stderr.count("already exists") == 6


def test_an_import_waits_for_the_rate_limit(tmp_path):
    with chats.house({**automations.SETTINGS, "limits.window_s": 3}) as house:
        ana = automations.automator(house, "ana")
        file = tmp_path / "token"
        made = ana.request("POST", "/tokens", {"name": "slow", "limits": {"general": 4}, "scopes": [
            "chat:write", "automation:read", "automation:write"]})
        file.write_text(made.json()["token"], encoding="utf-8")
        definitions = "\n".join(json.dumps({"name": f"a{number}", "message": "x"}) for number in range(8))
        done = program.run("automation", "import", "-", "--url", house.server.url(), "--token-file", str(file),
                           input=definitions)
        assert done.returncode == 0 and "waiting" in done.stderr, done
        assert len(ana.pages("/automations")) == 8


def test_a_line_without_end_is_refused():
    done = program.run("automation", "import", "/dev/zero")
    assert done.returncode == 1 and "Line 1 has more than 1 MiB" in done.stderr, done
