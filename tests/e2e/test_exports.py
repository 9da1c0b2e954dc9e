"""Export of all data of a user: what is in it, of which moment, and that it can be imported again."""
import concurrent.futures
import itertools
import json
import threading
import time

import pytest

import chats
import program
import receivers
from moved import TRIP, conversations, exported, gpt_chain, imported
from people import refused

NUMBERS = itertools.count(1)


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({"webhooks.allowed_networks": "203.0.113.0/24", "limits.general": 100_000}) as opened:
        yield opened


@pytest.fixture(name="fresh", scope="module")
def another_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana")
def somebody(house):
    """A new user for each test."""
    return chats.somebody(house, f"ana{next(NUMBERS)}")


def test_an_export_comes_back_as_it_was(fresh, ana):
    first = ana.ask("One")
    ana.ask("Edited", session_id=first["session_id"], parent_message_id=None)
    ana.ask(session_id=first["session_id"], parent_message_id=first["user_message"]["id"])
    ana.ask("Two", metadata={"k": "v"})
    in_format = ana.ask('{"price": 3}', response_format={"type": "json_object"})
    ana.ask("{max_tokens} x", session_id=in_format["session_id"], response_format={"type": "json_object"})
    imported(ana, "chatgpt", TRIP)
    lines = exported(ana)
    assert lines[0]["object"] == "user"
    before = conversations(lines)
    assert [len(each["messages"]) for each in before] == [5, 2, 4, 3]
    assert [message["output"] for message in before[2]["messages"] if "output" in message] == [{"price": 3}, None]
    ben = chats.somebody(fresh, "ben")
    for each in before:
        imported(ben, "parley", each)
    after = conversations(exported(ben))
    for old, new in zip(before, after, strict=True):
        same = ("title", "archived", "keep", "instructions", "metadata", "created_at", "updated_at", "message_count")
        assert {name: old["session"][name] for name in same} == {name: new["session"][name] for name in same}
        names = {}
        for told, stored in zip(old["messages"], new["messages"], strict=True):
            names[told["id"]] = stored["id"]
            assert names.get(told["parent_id"]) == stored["parent_id"]
            for name in ("role", "content", "created_at", "metadata", "model", "stop_reason"):
                assert told.get(name) == stored.get(name)
            assert told.get("output", "absent") == stored.get("output", "absent")
    for each in before:
        imported(ben, "parley", each, 200)


def test_an_export_has_automations_only_with_their_scope(house):
    user = house.add("exporter")
    every = chats.Person(house, house.token_for(
        user, scopes=["chat:read", "chat:write", "automation:read", "automation:write"])["token"])
    made = every.request("POST", "/automations", {"name": "Daily", "message": "x", "trigger": {"type": "hook"}}).json()
    # It is never called: no session is deleted.
    webhook = receivers.created(every, "https://203.0.113.7/hook", event_types=["chat.session.deleted"])
    lines = exported(every)
    assert [line["id"] for line in lines if line["object"] in ("automation", "webhook")] == [made["id"], webhook["id"]]
    assert webhook["secret"].startswith("whsec_")
    assert not any(secret in json.dumps(lines) for secret in (made["hook"]["secret"], webhook["secret"]))
    reader = chats.Person(house, house.token_for(user, scopes=["chat:read"])["token"])
    assert {line["object"] for line in exported(reader)} == {"user"}
    refused(reader.request("POST", "/import", {"format": "chatgpt", "conversation": TRIP}), 403, "insufficient_scope", "required_scope")
    writer = chats.Person(house, house.token_for(user, scopes=["chat:write"])["token"])
    refused(writer.request("GET", "/export"), 403, "insufficient_scope", "required_scope")
    assert imported(writer, "chatgpt", TRIP).json()["imported"] == 4


def test_only_own_data_is_exported(house, ana):
    ana.ask("mine")
    ben = chats.somebody(house, "another exporter")
    assert len(exported(ben)) == 1
    assert len(exported(ana)) == 4


def test_one_session_is_exported(house, ana):
    one, other = ana.ask("One"), ana.ask("Two")
    lines = exported(ana, f"?session_id={one['session_id']}")
    assert [line["object"] for line in lines] == ["chat.session", "chat.message", "chat.message"]
    assert lines[0]["id"] == one["session_id"] and chats.text_of(lines[1]) == "One"
    ben = chats.somebody(house, "no owner")
    refused(ben.request("GET", f"/export?session_id={other['session_id']}"), 404, "not_found")


def test_an_export_is_of_one_moment_and_needs_no_name(house, ana):
    for number in range(40):
        imported(ana, "chatgpt", gpt_chain(f"Conversation {number}", 50, "x" * 2000))
    lines = exported(ana)
    assert len(lines) == 1 + 40 * 51
    data = house.server.data
    assert not [path for path in data.rglob("*") if "export" in path.name]


def test_no_change_comes_between_the_lines_of_an_export(ana):
    """The last session is renamed before the first one, so its number may be one higher, but not more."""
    def made():
        return ana.request("POST", "/chat/sessions", {"title": "0"}).json()["id"]
    first = made()
    for number in range(20):
        imported(ana, "chatgpt", gpt_chain(f"Between {number}", 100, "x" * 1000))
    last = made()
    ended = threading.Event()

    def rename():
        for number in itertools.count(1):
            for session in (last, first):
                assert ana.request("PATCH", f"/chat/sessions/{session}", {"title": str(number)}).status == 200
            if ended.is_set():
                return number
    with concurrent.futures.ThreadPoolExecutor(1) as thread:
        renamed = thread.submit(rename)
        seen = []
        until = time.monotonic() + program.PATIENCE
        # On a busy machine it may take more of them until it was renamed meanwhile.
        while len(seen) < 10 or len(set(seen)) < 2 or seen[-1] <= 10:
            assert not renamed.done(), renamed.result()
            assert time.monotonic() < until, f"it was not renamed meanwhile: {seen}"
            titles = {line["id"]: int(line["title"]) for line in exported(ana) if line.get("id") in (first, last)}
            seen.append(titles[first])
            assert titles[last] - titles[first] in (0, 1), titles
        ended.set()
        renamed.result()
