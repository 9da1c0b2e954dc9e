"""Null in a PATCH counts as absent, unless null is a value of the field."""
import pytest

import chats
import receivers
from automations import SETTINGS, automator, created
from receivers import Receiver


SCHEDULE = {"type": "schedule", "cron": "0 9 * * *", "time_zone": "UTC"}


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({**SETTINGS, **receivers.SETTINGS}) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def patched(person, path, change):
    response = person.request("PATCH", path, change)
    assert response.status == 200, response.body
    return response.json()


def test_an_automation(ana):
    made = created(ana, trigger=SCHEDULE, paused=True, metadata={"a": "b"}, instructions="Be brief.",
                   catch_up="none", retry={"max_attempts": 1}, overlap="queue", timeout_s=7)
    path = f"/automations/{made['id']}"
    unchanged = dict.fromkeys(["paused", "metadata", "name", "message", "catch_up", "catch_up_window_s", "retry",
                               "session", "variables"])
    now = patched(ana, path, unchanged)
    assert {**now, "updated_at": None, "revision": None} == {**made, "updated_at": None, "revision": None}
    assert (now["state"], now["pause_reason"]) == ("paused", "user")
    cleared = patched(ana, path, dict.fromkeys(["instructions", "trigger", "pause_after_failures"]))
    assert (cleared["instructions"], cleared["trigger"], cleared["pause_after_failures"]) == (None, None, None)
    defaults = patched(ana, path, {"trigger": SCHEDULE, "overlap": None, "timeout_s": None})
    assert (defaults["overlap"], defaults["timeout_s"]) == ("skip", 300)


def test_a_webhook(ana):
    with Receiver() as receiver:
        made = receivers.created(ana, receiver.url(), payload="full", ordered=True, description="Mine",
                                 metadata={"a": "b"})
        path = f"/webhooks/{made['id']}"
        disabled = patched(ana, path, {"state": "disabled"})
        now = patched(ana, path, dict.fromkeys(["state", "payload", "ordered", "metadata", "url", "event_types"]))
        assert {**now, "updated_at": None} == {**disabled, "updated_at": None}
        assert (now["state"], now["disabled_reason"]) == ("disabled", "user")
        assert patched(ana, path, {"description": None})["description"] is None
