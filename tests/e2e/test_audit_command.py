"""`parley audit`: names beside ids, the owners of tokens, and filters."""
import json
import re

import pytest

import people
import program


@pytest.fixture(name="house", scope="module")
def one_house():
    """Its operator is olga; ana has a token."""
    with people.house(settings=people.ROOMY) as opened:
        ana = opened.add("ana")
        opened.token_for(ana, name="laptop")
        yield opened


def audit(house, *arguments):
    done = program.run("audit", "--data", house.server.data, *arguments)
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout


def events(house, *arguments):
    return [json.loads(line) for line in audit(house, "--json", *arguments).splitlines()]


def test_events_have_names(house):
    created, = events(house, "--action", "user.created", "--target", "ana")
    assert (created["actor_name"], created["target_name"]) == ("olga", "ana")
    assert created["actor"].startswith("usr_") and created["target"].startswith("usr_")
    token = events(house, "--action", "token.created", "--limit", "1")[0]
    assert token["target_name"] == "laptop of ana" and token["target"].startswith("tok_")
    assert re.search(r"Z  olga  user\.created  ana  usr_\w+  \(127\.0\.0\.1, req_\w+\)\n",
                     audit(house)), audit(house)


def test_events_are_filtered(house):
    everything = events(house, "--limit", "1000")
    olga = events(house, "--actor", "OLGA")[0]["actor"]
    for arguments, fits in (
            (("--actor", "olga"), lambda event: event["actor"] == olga),
            (("--actor", olga), lambda event: event["actor"] == olga),
            (("--actor", "command line"), lambda event: event["actor"] == "command line"),
            (("--action", "token.created"), lambda event: event["action"] == "token.created"),
            (("--target", "ana"), lambda event: event.get("target_name") == "ana"),
            (("--since", "1h"), lambda event: True),
            (("--since", "2000-01-01T00:00:00Z"), lambda event: True),
            (("--until", "1h"), lambda event: False), (("--before", "1h"), lambda event: False)):
        assert events(house, "--limit", "1000", *arguments) == [
            event for event in everything if fits(event)], arguments
    assert len(events(house, "--limit", "2")) == 2
    refused = program.run("audit", "--data", house.server.data, "--since", "yesterday")
    assert refused.returncode == 1 and refused.stderr.count("\n") == 1, refused


def test_a_user_who_is_gone_is_an_id(house):
    bob = house.add("bob")
    program.run("user", "remove", "bob", "--yes", "--data", house.server.data)
    gone = events(house, "--target", bob["id"])
    assert {event["action"] for event in gone} >= {"user.created"}
    assert not any("target_name" in event for event in gone)
    assert bob["id"] in audit(house, "--target", bob["id"])


def test_a_note_is_shown(house):
    done = program.run("audit", "note", "Upgraded \x1b[2J", "--data", house.server.data)
    assert done.returncode == 0, done
    shown = audit(house, "--limit", "1")
    assert "command line  note  Upgraded \\u001b[2J" in shown and "\x1b" not in shown, shown
