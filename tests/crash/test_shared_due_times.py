"""`kill -9` and SIGSTOP of servers that share a database, in the moment in which one of them enters a due time: it
has one row, one question and one terminal event, whichever server goes on with it."""
import json
import time

import crashes
import people
import pytest
from automations import ENDED
from people import at
from shared_due_times import SERVERS, Creators, Shared, by, is_ready

SHORT, FENCED = (0.3, 2), (6, 9)  # Seconds of a stop; others take its work over in the second case.


@pytest.fixture(name="shared")
def three_servers(start, tmp_path):
    made = Shared(start, tmp_path)
    yield made
    made.continue_stopped(everyone=True)


def victim_of(shared, chance, moment):
    if moment == "entering":
        return shared.next_entering()
    if moment == "entered":
        number = shared.next_entered()
        time.sleep(chance.choice((0, chance.uniform(0, 0.2))))  # It starts the run, and ends it.
        return number
    time.sleep(chance.uniform(0, 0.5))
    return chance.randrange(SERVERS)


def strike(shared, chance, happened):
    """One server is killed, or stopped; at most one is stopped at a time."""
    shared.continue_stopped()
    moment = chance.choice(("entering", "entering", "entered", "any"))
    number = victim_of(shared, chance, moment)
    nobody_is_stopped = not any(shared.is_stopped(each) for each in range(SERVERS))
    deed = chance.choice(("kill", "kill", "short stop", "long stop")) if nobody_is_stopped else "kill"
    happened[f"{deed}, {moment}"] = happened.get(f"{deed}, {moment}", 0) + 1
    if deed == "kill":
        shared.kill(number)
    else:
        shared.stop_for(number, chance.uniform(*(SHORT if deed == "short stop" else FENCED)))


@pytest.mark.parametrize("database", range(crashes.how_often(1, 12)))
def test_25_deaths_of_servers_enter_each_due_time_once(shared, database):
    chance = crashes.chance_for(f"shared due times {database}")
    happened = {}
    with Creators(shared) as creators:
        for _ in range(25):
            creators.create_more()
            strike(shared, chance, happened)
    people.until(lambda: all(is_ready(server) for server in shared.servers))
    made = creators.made
    assert len(made) > 20, "hardly any was due"
    rows = check_rows(shared.people[0], made)
    check_questions(shared.people[1], rows)
    check_events(shared.people[2], rows)
    lags = sorted(at(row["created_at"]) - at(row["scheduled_for"]) for row in rows)
    print(json.dumps({"strikes": happened, "due_times": len(made), "entries_rolled_back": shared.entries_lost(),
                      "lag_s": {"median": lags[len(lags) // 2], "longest": lags[-1]}}, indent=1))
    for server in shared.servers:
        assert not server.log.entries(message="a task of automations failed")


def check_rows(person, made):
    """Each automation has one row, of its due time, completed by its first attempt."""
    def all_ended():
        found = person.pages("/automation_runs")
        return len(found) >= len(made) and all(row["status"] in ENDED for row in found) and found
    rows = people.until(all_ended)
    of = by(lambda row: row["automation_id"], rows)
    assert set(of) == {each["id"] for each in made}
    for each in made:
        [row] = of[each["id"]]
        # A retry was answered with the automation as it is: its time may be over.
        assert row["key"] == row["scheduled_for"] == (each["next_at"] or row["scheduled_for"])
        assert row["scheduled_for"][:23] == each["trigger"]["at"][:23]
        assert row["status"] == "completed" and len(row["attempts"]) == 1, row
    return rows


def check_questions(person, rows):
    """Each row has one question, with one answer."""
    assert len({row["session_id"] for row in rows}) == len(rows)
    for row in rows:
        assert len(person.messages(row["session_id"])) == 2, row
    assert sorted(run["id"] for run in person.pages("/chat/runs")) == sorted(row["run_id"] for row in rows)


def check_events(person, rows):
    events = person.pages("/events")
    assert [event["sequence_number"] for event in events] == list(range(1, len(events) + 1))
    told = by(lambda event: event["data"]["id"], events)
    for row in rows:
        assert [event["type"] for event in told[row["id"]]] == ["automation.run.queued", "automation.run.completed"]
        assert [event["type"] for event in told[row["run_id"]]] == ["chat.run.created", "chat.run.completed"]
