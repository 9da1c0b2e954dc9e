"""Sentences of the interface of automations that no other test is about."""
import re
import time

import pytest

import chats
import hooks
import people
from automations import SETTINGS, automator, created, created_due, ended, row, rows, started
from people import at, faults, refused

ONCE = {"max_attempts": 1, "backoff_s": 1}
SCHEDULE = {"type": "schedule", "cron": "0 9 * * *", "time_zone": "UTC"}
ALL_VALUES = ("{{run.scheduled_for}} {{run.local_date}} {{run.local_time}} {{run.key}} {{run.trigger}} "
              "{{automation.name}}")


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house({**SETTINGS, "limits.hook": 5000}) as opened:
        yield opened


@pytest.fixture(name="ana")
def one_user(house, request):
    return automator(house, "u" + re.sub(r"\W", "", request.node.name)[-40:])


def test_what_is_left_out_has_its_default(ana):
    defaults = {
        "variables": [], "instructions": None, "model": None, "max_output_tokens": None, "temperature": None,
        "top_p": None, "seed": None, "stop": None, "response_format": None, "trigger": None, "overlap": "queue",
        "session": {"policy": "new", "keep": 30, "session_id": None}, "catch_up": "latest", "catch_up_window_s": 86_400,
        "retry": {"max_attempts": 3, "backoff_s": 30}, "timeout_s": 300, "pause_after_failures": 10,
        "output_tokens_per_day": None, "paused": False, "metadata": {}, "revision": 1, "state": "active",
        "pause_reason": None, "next_at": None, "hook": None, "last_run": None, "consecutive_failures": 0}
    made = created(ana)
    assert {name: made[name] for name in defaults} == defaults
    assert created(ana, trigger=SCHEDULE)["trigger"] == {
        **SCHEDULE, "at": None, "every_weeks": 1, "starts_at": None, "ends_at": None}
    assert created(ana, trigger={"type": "hook"})["trigger"] == {
        "type": "hook", "verify": "token", "dedupe_pointer": None}


@pytest.mark.parametrize("fields, pointer, code", [
    ({"name": "x" * 129}, "name", "too_long"), ({"message": "x" * 131_073}, "message", "too_long"),
    ({"variables": [{"name": f"v{n}"} for n in range(33)]}, "variables", "too_long"),
    *(({"variables": [{"name": name}]}, "variables/0/name", code) for name, code in (
        ("Reader", "invalid_format"), ("1st", "invalid_format"), ("x" * 33, "too_long"), ("", "too_short"))),
    ({"variables": [{"name": "a", "pointer": "a"}]}, "variables/0/pointer", "invalid_format"),
    *(({"session": {"keep": keep}}, "session/keep", "out_of_range") for keep in (0, 1001)),
    ({"session": {"policy": "continue", "keep": 4}}, "session/keep", "not_allowed"),
    ({"session": {"session_id": "ses_1"}}, "session/session_id", "not_allowed"),
    *(({"catch_up_window_s": seconds}, "catch_up_window_s", "out_of_range") for seconds in (59, 604_801)),
    *(({"retry": {"max_attempts": count}}, "retry/max_attempts", "out_of_range") for count in (0, 11)),
    *(({"retry": {"backoff_s": seconds}}, "retry/backoff_s", "out_of_range") for seconds in (0, 3601)),
    ({"timeout_s": 0}, "timeout_s", "out_of_range"),
    *(({"pause_after_failures": count}, "pause_after_failures", "out_of_range") for count in (0, 101)),
    ({"output_tokens_per_day": 5}, "max_output_tokens", "required")])
def test_bounds_of_an_automation(ana, fields, pointer, code):
    body = {"name": "A", "message": "b", **fields}
    for path in ("/automations", "/automations/preview"):
        assert faults(ana.request("POST", path, body)) == [("#/" + pointer, code)]


@pytest.mark.parametrize("fields", [
    {"name": "ü" * 128, "message": "x" * 131_072, "variables": [{"name": f"v{n}"} for n in range(32)],
     "session": {"keep": 1000}, "catch_up_window_s": 604_800, "retry": {"max_attempts": 10, "backoff_s": 3600},
     "pause_after_failures": 100},
    {"name": "A", "message": "b", "variables": [{"name": "x" * 32}], "session": {"keep": 1}, "catch_up_window_s": 60,
     "retry": {"max_attempts": 1, "backoff_s": 1}, "timeout_s": 1, "pause_after_failures": 1},
    {"session": {"keep": None}, "pause_after_failures": None}])
def test_the_bounds_themselves_are_accepted(ana, fields):
    made = created(ana, **fields)
    assert made["session"]["keep"] == fields["session"]["keep"]
    assert made["pause_after_failures"] == fields["pause_after_failures"]


def test_objects_are_replaced_as_a_whole(ana):
    made = created(ana, retry={"max_attempts": 2, "backoff_s": 7}, session={"policy": "new", "keep": 5})
    path = f"/automations/{made['id']}"
    changed = ana.request("PATCH", path, {"retry": {"max_attempts": 4}, "session": {"policy": "new"}}).json()
    assert changed["retry"] == {"max_attempts": 4, "backoff_s": 30}
    assert changed["session"]["keep"] == 30


def test_a_deletion_may_be_conditional_and_leaves_the_sessions(ana):
    made = created(ana)
    path = f"/automations/{made['id']}"
    tag = ana.request("GET", path).header("etag")
    run = ended(ana, started(ana, made))
    assert ana.request("PATCH", path, {"name": "Other"}).status == 200
    refused(ana.request("DELETE", path, None, {"If-Match": tag}), 412, "precondition_failed")
    tag = ana.request("GET", path).header("etag")
    assert ana.request("DELETE", path, None, {"If-Match": tag}).status == 204
    refused(ana.request("GET", f"/automation_runs/{run['id']}"), 404, "not_found")
    assert ana.pages("/automation_runs") == []
    assert len(ana.messages(run["session_id"])) == 2, "sessions stay"


def test_automations_are_listed_by_state(ana):
    over = created_due(ana, 2, name="Over")
    active, paused = created(ana, name="Active"), created(ana, name="Paused", paused=True)
    people.until(lambda: ana.get(f"/automations/{over['id']}")["state"] == "ended")
    for state, each in (("active", active), ("paused", paused), ("ended", over)):
        assert [found["id"] for found in ana.pages("/automations", state=state)] == [each["id"]]
    assert [found["id"] for found in ana.pages("/automations", limit=1)] == [
        paused["id"], active["id"], over["id"]], "newest first"


def test_instructions_are_no_template(ana):
    made = created(ana, instructions="Never say {{run.key}} or {{nobody}}.")
    run = ended(ana, started(ana, made))
    assert ana.get(f"/chat/sessions/{run['session_id']}")["instructions"] == "Never say {{run.key}} or {{nobody}}."


def test_a_run_by_hand_has_values_in_utc(ana):
    made = created(ana, name="Now", message=ALL_VALUES)
    run = started(ana, made, {"key": "k"})
    due = run["scheduled_for"]
    assert run["message"] == f"{due} {due[:10]} {due[11:16]} k manual Now"


def test_a_scheduled_run_has_values_of_its_zone(ana):
    shown = ana.request("POST", "/automations/preview", {
        "name": "There", "message": ALL_VALUES, "from": "2027-01-01T00:00:00Z",
        "trigger": {**SCHEDULE, "cron": "30 1 * * *", "time_zone": "Asia/Kathmandu"}}).json()
    due = "2027-01-01T19:45:00.000Z"
    assert shown["message"] == f"{due} 2027-01-02 01:30 {due} schedule There"


def test_it_can_be_run_by_hand_while_it_is_paused(ana):
    made = created(ana, paused=True, trigger=SCHEDULE)
    assert made["next_at"] is None
    assert ended(ana, started(ana, made))["status"] == "completed"
    batch = started(ana, made, {"inputs": [{}, {}]})
    assert {ended(ana, each)["status"] for each in batch["data"]} == {"completed"}
    assert ana.get(f"/automations/{made['id']}")["state"] == "paused"


def test_a_session_that_is_busy_is_waited_for(ana):
    session = ana.ask("first")["session_id"]
    made = created(ana, session={"policy": "continue", "session_id": session})
    asked = ana.begin("{first_delay_ms:2500} second", session_id=session)
    run = started(ana, made)
    done = ended(ana, run)
    assert done["status"] == "completed" and done["session_id"] == session
    assert at(done["started_at"]) >= at(ana.ended(asked)["completed_at"])
    assert len(ana.messages(session)) == 6


def test_an_attempt_has_a_timeout(ana):
    made = created(ana, message="{first_delay_ms:60000} late", timeout_s=1, retry={"max_attempts": 2, "backoff_s": 1})
    run = ended(ana, started(ana, made))
    assert run["status"] == "failed" and run["error"]["code"] == "upstream_timeout"
    assert [each["error"]["code"] for each in run["attempts"]] == ["upstream_timeout"] * 2
    for each in run["attempts"]:
        assert 1 <= at(each["completed_at"]) - at(each["started_at"]) < 20
    assert faults(ana.request("POST", "/automations", {"name": "A", "message": "b", "timeout_s": 86_400})) == [
        ("#/timeout_s", "out_of_range")], "more than runs.timeout_s"


def test_an_edit_does_not_forget_failures(ana):
    made = created(ana, message="{error:upstream_error}", retry=ONCE)
    path = f"/automations/{made['id']}"
    ended(ana, started(ana, made))
    assert ana.request("PATCH", path, {"name": "Other"}).json()["consecutive_failures"] == 1
    assert ana.request("PATCH", path, {"trigger": SCHEDULE}).json()["consecutive_failures"] == 1
    assert ana.request("PATCH", path, {"message": "fine"}).status == 200
    ended(ana, started(ana, made))
    assert ana.get(path)["consecutive_failures"] == 0, "a completed run ends the series"


def test_a_wait_ends_before_the_next_attempt(house, ana):
    made = hooks.created(ana, message="{error:upstream_error}", retry={"max_attempts": 2, "backoff_s": 600})
    answer = hooks.call(house, made, {}, {"Prefer": "wait=10"})
    assert answer.status == 202 and answer.json()["status"] == "waiting", answer.body
    waits = at(answer.json()["next_attempt_at"]) - at(answer.json()["attempts"][0]["completed_at"])
    assert 600 <= waits <= 660
    by_hand = ana.request("POST", f"/automations/{made['id']}/runs", {}, {"Prefer": "wait=1"})
    assert by_hand.status == 202 and by_hand.json()["status"] == "queued", "behind the one that waits"


def test_a_skipped_row_can_be_tried_again_and_has_one_event(house, ana):
    made = hooks.created(ana, message="{first_delay_ms:4000} ok", overlap="skip")
    first, second = hooks.call(house, made).json(), hooks.call(house, made).json()
    assert second["skip_reason"] == "overlap"

    def told():
        return [each["type"] for each in ana.pages("/events", types="automation.run.*")
                if each["data"]["id"] == second["id"]]
    assert told() == ["automation.run.skipped"]
    ended(ana, first)
    assert ana.request("POST", f"/automation_runs/{second['id']}/retry").status == 202
    assert ended(ana, second)["status"] == "completed"
    assert told() == ["automation.run.skipped", "automation.run.queued", "automation.run.completed"]


def test_values_are_kept_and_payloads_are_not(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path, {"limits.hook": 5000, "store.kind": "sqlite"})
    ana = automator(house, "ana")
    made = hooks.created(ana, message="{{kept}}", variables=[{"name": "kept"}])
    run = hooks.call(house, made, {"kept": "stays-in-the-store", "other": "leaves-no-trace"}).json()
    assert ended(ana, run)["variables"] == {"kept": "stays-in-the-store"}
    house.server.stop()
    stored = b"".join(each.read_bytes() for each in tmp_path.rglob("*") if each.is_file())
    assert b"stays-in-the-store" in stored and b"leaves-no-trace" not in stored


@pytest.mark.parametrize("trigger, wanted", [
    ({"cron": "0 9 * * *", "at": "2030-01-01T00:00:00Z"}, [("#/trigger/cron", "not_allowed")]),
    ({}, [("#/trigger/cron", "required")]),
    ({"cron": "0 9 * * *", "every_weeks": 2}, [("#/trigger/starts_at", "required")]),
    ({"cron": "0 9 * * *", "every_weeks": 53, "starts_at": "2030-01-01T00:00:00Z"},
     [("#/trigger/every_weeks", "out_of_range")]),
    ({"cron": "0 9 * * *", "ends_at": "2020-01-01T00:00:00Z"}, [("#/trigger/cron", "never_fires")])])
def test_schedules_that_are_refused(ana, trigger, wanted):
    body = {"name": "A", "message": "b", "trigger": {"type": "schedule", "time_zone": "UTC", **trigger}}
    for path in ("/automations", "/automations/preview"):
        assert faults(ana.request("POST", path, body)) == wanted


def test_bounds_of_a_schedule_are_inclusive_and_those_of_a_preview(ana):
    def preview(count=10, begin="2027-01-01T09:00:00Z", **more):
        return ana.request("POST", "/automations/preview", {
            "name": "A", "message": "b", "count": count, "from": begin, "trigger": {**SCHEDULE, **more}})
    found = preview(starts_at="2027-01-02T09:00:00Z", ends_at="2027-01-04T09:00:00Z").json()
    assert found["object"] == "automation.preview"
    assert [each["scheduled_for"][:10] for each in found["occurrences"]] == ["2027-01-02", "2027-01-03", "2027-01-04"]
    assert preview().json()["occurrences"][0]["scheduled_for"] == "2027-01-02T09:00:00.000Z", "strictly after"
    assert len(preview(100).json()["occurrences"]) == 100 and len(preview(1).json()["occurrences"]) == 1
    for count in (0, 101):
        assert faults(preview(count)) == [("#/count", "out_of_range")]


def test_all_runs_are_listed_by_trigger_and_batch(house, ana):
    hook, plain = hooks.created(ana), created(ana)
    called = hooks.call(house, hook).json()
    single, batch = started(ana, plain), started(ana, plain, {"inputs": [{}, {}]})
    for each in (called, single, *batch["data"]):
        ended(ana, each)

    def listed(**query):
        return [each["id"] for each in ana.pages("/automation_runs", limit=1, **query)]
    entered = [called["id"], single["id"], *(each["id"] for each in batch["data"])]
    assert listed() == entered[::-1] and listed(status="completed") == entered[::-1]
    assert listed(trigger="hook") == [called["id"]] and listed(trigger="manual") == entered[:0:-1]
    assert listed(batch=batch["batch_id"]) == entered[:1:-1] and listed(status="failed") == []


def test_one_that_has_no_schedule_has_no_times(ana):
    assert ana.get(f"/automations/{created(ana)['id']}/occurrences") == {
        "object": "list", "data": [], "has_more": False, "next_cursor": None}


def test_nothing_is_due_from_before_an_edit_of_the_trigger(ana):
    """The edit comes a moment before the due time of the old trigger; the new one begins at the edit."""
    made = created_due(ana, 6)  # A busy machine must be able to edit it before.
    path = f"/automations/{made['id']}"
    edited = ana.request("PATCH", path, {"trigger": {**SCHEDULE, "cron": "0 9 1 1 *"}})
    assert edited.status == 200 and at(edited.json()["next_at"]) > time.time() + 60
    later = created_due(ana, max(1, at(made["next_at"]) - time.time() + 1))
    people.until(lambda: rows(ana, later))
    assert rows(ana, made) == [] and row(ana, rows(ana, later)[0])["trigger"] == "schedule"
