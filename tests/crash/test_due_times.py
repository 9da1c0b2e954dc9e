"""`kill -9` around the second in which automations are due: each due time has one row, one question and one
terminal event."""
import time

import chats
import crashes
import people
import program
import pytest
from automations import automator, created, ended, in_seconds, rows

AT_ONCE = 5  # Automations that are due in the same second.


@pytest.mark.parametrize("part", range(crashes.how_often(1, 12)))
def test_a_kill_around_a_due_second_enters_it_once(start, tmp_path, part):
    chance = crashes.chance_for(f"due times {part}")
    house = chats.LastingHouse(start, tmp_path / "data", {"limits.automation": 1000, "limits.general": 5000})
    ana = automator(house, "ana")
    for _ in range(25 if crashes.FULL else 2):
        due = in_seconds(8 if program.IS_SANITIZED else 4)  # Time to create them all, also on a busy machine.
        made = [created(ana, message="{delay_ms:50} one two three",
                        trigger={"type": "schedule", "at": due, "time_zone": "UTC"})
                for _ in range(AT_ONCE)]
        kill_at = people.at(made[0]["next_at"]) + chance.uniform(-0.3, 0.3)
        time.sleep(max(0, kill_at - time.time()))
        house.kill()
        house.come_back()
        for each in made:
            people.until(lambda each=each: rows(ana, each))
            [row] = rows(ana, each)
            assert row["scheduled_for"] == each["next_at"]
            row = ended(ana, row)
            assert row["status"] == "completed" and len(row["attempts"]) == 1
            assert len(ana.messages(row["session_id"])) == 2
            told = [event["type"] for event in ana.pages("/events", types="automation.run.*")
                    if event["data"]["id"] == row["id"]]
            assert told == ["automation.run.queued", "automation.run.completed"]
            assert ana.request("DELETE", f"/automations/{each['id']}").status == 204
