"""Automations of a server under test: creation, runs and their ends. Paths are relative to /v1/api."""
import datetime
import re

import chats
import people
import program

SCOPES = ["chat:read", "chat:write", "account", "automation:read", "automation:write"]
SETTINGS = {**chats.ROOMY, "limits.automation": 1000}
ENDED = {"completed", "failed", "cancelled", "skipped", "missed"}


def automator(house, name):
    return chats.Person(house, chats.somebody(house, name, scopes=SCOPES).token)


def command_of(request, house, tmp_path, *words):
    """A function that runs `parley WORDS…` as one user of its own, on the data directory or with a token, as the
    parameter of the test says; gives its output, or its complaint if it is to fail."""
    name = "user" + re.sub(r"\W", "", request.node.name)
    person = automator(house, name)
    file = tmp_path / "token"
    file.write_text(person.token + "\n", encoding="utf-8")
    if request.param == "url":
        who = ("--url", house.server.url(), "--token-file", str(file))
    else:
        who = ("--data", house.server.data, "--user", name)

    def one(*arguments, code=0, **options):
        done = program.run(*words, *arguments, *who, **options)
        assert done.returncode == code, done
        return done.stderr if code else done.stdout
    one.who, one.person = who, person
    return one


def created(person, **fields):
    response = person.request("POST", "/automations", {"name": "Digest", "message": "hello", **fields})
    assert response.status == 201, response.body
    assert response.header("location") == "/v1/api/automations/" + response.json()["id"]
    return response.json()


def created_due(person, seconds, **fields):
    """It is due once, in so many seconds. If the machine was too busy to create it before, it gets twice the time."""
    trigger = {"type": "schedule", "at": in_seconds(seconds), "time_zone": "UTC"}
    response = person.request("POST", "/automations", {"name": "Digest", "message": "hello", **fields, "trigger": trigger})
    if response.status == 422 and seconds < 60:
        assert people.faults(response) == [("#/trigger/at", "never_fires")]
        return created_due(person, 2 * seconds, **fields)
    assert response.status == 201, response.body
    return response.json()


def started(person, automation, body=None, status=202, headers=None):
    response = person.request("POST", f"/automations/{automation['id']}/runs", body or {}, headers)
    assert response.status == status, response.body
    return response.json()


def row(person, run):
    return person.get(f"/automation_runs/{run['id']}")


def ended(person, run):
    def come_to():
        now = row(person, run)
        return now if now["status"] in ENDED else None
    return people.until(come_to)


def rows(person, automation, **query):
    return person.pages(f"/automations/{automation['id']}/runs", **query)


def every_ten_minutes():
    """A trigger that is due for the first time in about five minutes."""
    minute = (datetime.datetime.now(datetime.timezone.utc).minute + 5) % 10
    return {"type": "schedule", "cron": f"{minute}-59/10 * * * *", "time_zone": "UTC"}


def in_seconds(seconds):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
