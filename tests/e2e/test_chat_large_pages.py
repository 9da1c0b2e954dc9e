"""Pages of lists end at about 1 MiB, however many items were requested; and the list of runs."""
import pytest

import chats
import people
from people import refused

MIB = 1024 * 1024
LARGE = "x" * 131_072  # One word, which the answer repeats.
COUNT = 25


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(name="runs", scope="module")
def large_answers(ana):
    """In one session, one after the other."""
    runs = [ana.ask(LARGE)]
    for _ in range(COUNT - 1):
        runs.append(ana.ask(LARGE, session_id=runs[0]["session_id"]))
    return runs


def pages(person, path, **query):
    """All pages of a list, each checked for its size."""
    found, after = [], ""
    while True:
        asked = "&".join(f"{name}={value}" for name, value in {"limit": 100, **query}.items())
        response = person.request("GET", f"{path}?{asked}{after}")
        assert response.status == 200, response.body
        page = response.json()
        assert len(response.body) <= MIB + 64 * 1024 or len(page["data"]) == 1, len(response.body)
        assert page["has_more"] == (page["next_cursor"] is not None) == (
            response.header("link") is not None)
        assert page["data"], "a page that leads on is not empty"
        found.append(page["data"])
        if not page["has_more"]:
            return found
        after = f"&after={page['next_cursor']}"


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_messages(ana, runs, order):
    found = pages(ana, f"/chat/sessions/{runs[0]['session_id']}/messages", order=order)
    assert len(found) >= 6
    expected = [message["id"] for run in runs for message in (run["user_message"], run["message"])]
    assert [message["id"] for page in found for message in page] == (
        expected if order == "asc" else expected[::-1])


def test_runs(ana, runs):
    found = pages(ana, "/chat/runs", session_id=runs[0]["session_id"])
    assert len(found) >= 6
    assert [run for page in found for run in page] == runs[::-1], "whole, the newest first"


def test_what_grows_in_json_counts_as_it_is_sent(house):
    bob = chats.somebody(house, "bob")
    escaped = "\x01" * 131_072  # Six bytes each.
    first = bob.ask(escaped)
    for _ in range(3):
        bob.ask(escaped, session_id=first["session_id"])
    found = pages(bob, f"/chat/sessions/{first['session_id']}/messages")
    assert len(found) == 8 and all(len(page) == 1 for page in found)


def test_sessions(house):
    cem = chats.somebody(house, "cem")
    made = [cem.request("POST", "/chat/sessions", {"instructions": "x" * 65_536}).json()["id"]
            for _ in range(40)]
    found = pages(cem, "/chat/sessions")
    assert len(found) == 3
    assert [session["id"] for page in found for session in page] == made[::-1]


def test_the_list_of_runs(house):
    dan, eva = chats.somebody(house, "dan"), chats.somebody(house, "eva")
    first = dan.ask("one")
    second = dan.ask("two", session_id=first["session_id"])
    failed = people.refused(dan.query("{fail_after:1} a b"), 502, "upstream_error", "run_id",
                            "session_id")["run_id"]
    running = dan.begin("{words:3} {delay_ms:60000}")
    eva.ask("mine")
    people.until(lambda: dan.run(running)["message"])

    def listed(**query):
        return [run["id"] for run in dan.pages("/chat/runs", **query)]
    everything = [running["id"], failed, second["id"], first["id"]]
    assert listed() == listed(limit=1) == listed(limit=2) == everything
    assert listed(status="completed") == listed(status="completed", limit=1) == everything[2:]
    assert listed(status="failed") == [failed] and listed(status="cancelled") == []
    assert listed(session_id=first["session_id"]) == everything[2:]
    assert listed(session_id=first["session_id"], status="failed") == []
    assert listed(session_id="ses_never") == []
    theirs = eva.get("/chat/runs")["data"][0]
    assert listed(session_id=theirs["session_id"]) == []
    live = dan.get("/chat/runs?status=running")["data"]
    assert [chats.text_of(run["message"]) for run in live] == ["w1"], "as it stands"
    assert dan.get("/chat/runs")["data"][1:] == [dan.run(run) for run in everything[1:]]

    cursor = dan.get("/chat/runs?limit=1")["next_cursor"]
    for path in (f"/chat/runs?limit=1&status=failed&after={cursor}",
                 f"/chat/runs?limit=1&session_id=x&after={cursor}"):
        refused(dan.request("GET", path), 400, "invalid_cursor")
    refused(eva.request("GET", f"/chat/runs?after={cursor}"), 400, "invalid_cursor")
    refused(dan.request("GET", "/chat/runs?status=done"), 422, "validation_failed", "errors")
    dan.cancel(running)
