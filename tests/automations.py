"""Automations of a server under test: creation, runs and their ends. Paths are relative to /v1/api."""
import datetime

import chats
import people

SCOPES = ["chat:read", "chat:write", "account", "automation:read", "automation:write"]
SETTINGS = {**chats.ROOMY, "limits.automation": 1000}
ENDED = {"completed", "failed", "cancelled", "skipped", "missed"}


def automator(house, name):
    return chats.Person(house, chats.somebody(house, name, scopes=SCOPES).token)


def created(person, **fields):
    response = person.request("POST", "/automations", {"name": "Digest", "message": "hello", **fields})
    assert response.status == 201, response.body
    assert response.header("location") == "/v1/api/automations/" + response.json()["id"]
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


def in_seconds(seconds):
    time = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
