"""Automations by the real clock, for minutes: they are due on time, and a large batch starts no faster than its limit
allows while people are served."""
import time

import chats
import crashes
import people
import pytest
from automations import SCOPES, automator, created, rows, started
from people import at

MINUTES = 3
CHAT_LIMIT = 500
pytestmark = pytest.mark.skipif(not crashes.FULL, reason="takes minutes; see `make crash`")


def test_every_minute_is_entered_within_a_second(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data")
    ana = automator(house, "ana")
    made = created(ana, trigger={"type": "schedule", "cron": "* * * * *", "time_zone": "UTC"})
    first = at(made["next_at"])
    time.sleep(max(0, first + (MINUTES - 1) * 60 + 5 - time.time()))
    found = rows(ana, made)[::-1]
    assert [at(row["scheduled_for"]) for row in found] == [first + 60 * number for number in range(MINUTES)]
    for row in found:
        assert 0 <= at(row["created_at"]) - at(row["scheduled_for"]) <= 1


def test_a_thousand_inputs_start_at_their_rate_while_people_are_served(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data", {"limits.window_s": 60, "limits.chat": CHAT_LIMIT})
    token = house.token_for(house.add("ben"), scopes=SCOPES)["token"]
    ben = chats.Person(house, token)
    made = created(ben, message="{{n}}", variables=[{"name": "n", "required": True}])
    inputs = [{"key": f"row-{number}", "variables": {"n": number}} for number in range(1000)]
    bad = ben.request("POST", f"/automations/{made['id']}/runs", {"inputs": [*inputs[:-1], {"key": "bad"}]})
    assert people.faults(bad) == [("#/inputs/999/variables/n", "required")] and rows(ben, made) == []
    batch = started(ben, made, {"inputs": inputs})
    assert len(batch["data"]) == 1000
    end, asked = time.monotonic() + MINUTES * 60, 0
    while time.monotonic() < end:
        run = ben.ask("hello")
        assert at(run["started_at"]) - at(run["created_at"]) < 1
        asked += 1
        time.sleep(5)
    starts = sorted(at(row["started_at"]) for row in rows(ben, made) if row["started_at"])
    assert 30 * MINUTES <= len(starts) <= 30 * (MINUTES + 1)
    assert all(after - starts[number] >= 60 for number, after in enumerate(starts[30:])), "30 in any minute"
    left = {each["class"]: each["remaining"] for each in ben.get("/limits")["data"]}
    assert left["chat"] >= CHAT_LIMIT - asked, "runs of automations do not count as questions"
