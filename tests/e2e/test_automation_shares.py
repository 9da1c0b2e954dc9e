"""What automations may take: places, starts in a minute, and whose they are."""
import pytest

import automations
import chats
import people
import receivers
from automations import SCOPES, SETTINGS, automator, created, created_due, ended, rows, started
from people import at
from stopwatch import Stopwatch


def most_at_once(runs):
    """The greatest number of runs that were running at the same moment."""
    steps = sorted([(at(each["started_at"]), 1) for each in runs] + [(at(each["completed_at"]), -1) for each in runs])
    count = most = 0
    for _, step in steps:
        count += step
        most = max(most, count)
    return most


@pytest.mark.parametrize("settings, places", [({}, 2), ({"automations.max_concurrent": 1}, 1),
                                              ({"automations.max_concurrent": 3}, 3)])
def test_they_use_half_of_the_places_or_as_configured(settings, places):
    with chats.house({**SETTINGS, "runs.max_concurrent": 4, **settings}) as house:
        ana, ben = (automator(house, name) for name in ("ana", "ben"))
        made = created(ana, message="{first_delay_ms:1500} hello", overlap="allow")
        batch = started(ana, made, {"inputs": [{} for _ in range(5)]})["data"]
        people.until(lambda: len(rows(ana, made, status="running")) == places)
        watch = Stopwatch()
        asked = ben.ask("A person")
        waited = at(asked["started_at"]) - at(asked["created_at"])
        assert waited < 1 + watch.withheld(), "there is a place for people"
        done = [ended(ana, each) for each in batch]
        assert {each["status"] for each in done} == {"completed"}
        assert most_at_once([each["run"] for each in done]) == places


def test_users_take_turns():
    with chats.house({**SETTINGS, "automations.max_concurrent": 1}) as house:
        ana, ben = (automator(house, name) for name in ("ana", "ben"))
        many, one = [created(who, message="{first_delay_ms:200} hello", overlap="allow") for who in (ana, ben)]
        batch = started(ana, many, {"inputs": [{} for _ in range(24)]})["data"]
        people.until(lambda: rows(ana, many, status="running"))
        single = ended(ben, started(ben, one))
        starts = [ended(ana, row)["started_at"] for row in batch]
        assert max(starts) > single["started_at"], "it has not waited for all of another user"
        # Those before it was there do not count: there are more of them on a busy machine.
        assert sum(single["created_at"] < each < single["started_at"] for each in starts) <= 2


def test_each_attempt_is_a_start_and_test_mode_is_not_counted():
    with chats.house({**SETTINGS, "limits.automation": 3}) as house:
        owner = house.add("tess")
        tess, rehearsing = (chats.Person(house, house.token_for(owner, scopes=SCOPES, test=test)["token"])
                            for test in (False, True))
        batch = started(rehearsing, created(rehearsing, overlap="allow"), {"inputs": [{} for _ in range(8)]})["data"]
        assert {ended(rehearsing, each)["status"] for each in batch} == {"completed"}
        failing = created(tess, message="{error:upstream_error}", retry={"max_attempts": 2, "backoff_s": 1})
        assert len(ended(tess, started(tess, failing))["attempts"]) == 2
        assert tess.get("/limits")["data"][-1]["remaining"] == 1
        made = created(tess)
        assert ended(tess, started(tess, made))["status"] == "completed"
        waiting = started(tess, made)
        assert tess.ask("A person")["status"] == "completed"
        assert automations.row(tess, waiting)["status"] == "queued"


def test_they_outlive_the_token_that_made_them():
    with chats.house(receivers.SETTINGS) as house, receivers.Receiver() as receiver:
        owner = house.add("ana")
        made = house.token_for(owner, scopes=SCOPES)
        ana = chats.Person(house, made["token"])
        webhook = receivers.created(ana, receiver.url(), event_types=["automation.run.completed"])
        automation = created_due(ana, 3)
        other = chats.Person(house, house.token_for(owner, scopes=SCOPES)["token"])
        assert other.request("DELETE", f"/tokens/{made['id']}").status == 204
        people.refused(ana.request("GET", "/automations"), 401, "invalid_token")
        [row] = people.until(lambda: rows(other, automation))
        assert ended(other, row)["status"] == "completed"
        [sent] = receiver.wait_for(1)
        assert receivers.verified(sent, webhook["secret"])["data"]["id"] == row["id"]
