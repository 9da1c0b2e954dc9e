"""Automations: created, checked, changed, and due at their times, each time exactly once."""
import pytest

import chats
import people
from automations import SETTINGS, automator, created, ended, in_seconds, row, rows, started
from people import faults, refused


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(SETTINGS) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def test_it_is_created_listed_changed_and_deleted(ana):
    made = created(ana, name="Straße", trigger={"type": "schedule", "cron": "0 9 * * MON-FRI",
                                                "time_zone": "Europe/Berlin"})
    assert people.is_id(made["id"], "aut") and made["state"] == "active" and made["revision"] == 1
    assert made["overlap"] == "skip" and made["catch_up"] == "latest" and made["next_at"]
    assert made["retry"] == {"max_attempts": 3, "backoff_s": 30} and made["pause_after_failures"] == 10
    path = f"/automations/{made['id']}"
    assert ana.get(path) == made
    assert [each["id"] for each in ana.pages("/automations", q="STRASSE")] == [made["id"]]
    first = ana.request("GET", path).header("etag")
    patched = ana.request("PATCH", path, {"paused": True, "metadata": {"a": "b"}}, {"If-Match": first})
    assert patched.status == 200, patched.body
    paused = patched.json()
    assert (paused["state"], paused["pause_reason"], paused["next_at"]) == ("paused", "user", None)
    assert paused["revision"] == 2 and paused["metadata"] == {"a": "b"}
    refused(ana.request("PATCH", path, {"paused": False}, {"If-Match": first}), 412, "precondition_failed")
    resumed = ana.request("PATCH", path, {"paused": False}).json()
    assert resumed["state"] == "active" and resumed["next_at"]
    assert [each["id"] for each in ana.pages("/automations", state="paused")] == []
    assert ana.request("DELETE", path).status == 204
    refused(ana.request("GET", path), 404, "not_found")


def test_the_same_key_creates_it_once(ana):
    body = {"name": "Once", "message": "hello"}
    first, again = [ana.request("POST", "/automations", body, {"Idempotency-Key": "automation-1"})
                    for _ in range(2)]
    assert first.json()["id"] == again.json()["id"] and again.header("idempotency-replayed") == "true"


def test_a_retry_gets_what_was_created_though_a_new_one_would_be_refused(ana):
    body = {"name": "Soon", "message": "hello",
            "trigger": {"type": "schedule", "at": in_seconds(5), "time_zone": "UTC"}}
    first = ana.request("POST", "/automations", body, {"Idempotency-Key": "soon"})
    assert first.status == 201, first.body
    people.until(lambda: rows(ana, first.json()))
    assert faults(ana.request("POST", "/automations", body)) == [("#/trigger/at", "never_fires")]
    again = ana.request("POST", "/automations", body, {"Idempotency-Key": "soon"})
    assert again.status == 201 and again.header("idempotency-replayed") == "true", again.body
    assert again.json()["id"] == first.json()["id"]
    assert ana.request("POST", "/automations", {**body, "name": "Other"}, {"Idempotency-Key": "soon"}).status == 422


def test_all_faults_are_reported_at_once(ana):
    body = {"name": "", "message": "{{nobody}}", "surprise": 1,
            "trigger": {"type": "schedule", "cron": "60 * * * *", "time_zone": "Berlin"}}
    wanted = {("#/name", "too_short"), ("#/surprise", "unknown_field"), ("#/message", "unknown_variable"),
              ("#/trigger/cron", "invalid_cron"), ("#/trigger/time_zone", "unknown_time_zone")}
    made = created(ana)
    for response in (ana.request("POST", "/automations", body),
                     ana.request("PATCH", f"/automations/{made['id']}", body)):
        assert set(faults(response)) == wanted and len(faults(response)) == len(wanted)
    assert set(faults(ana.request("POST", "/automations/preview", {**body, "count": 0, "from": "soon"}))) == {
        *wanted, ("#/count", "out_of_range"), ("#/from", "invalid_format")}
    response = ana.request("POST", "/automations", {
        "name": "Bad", "message": "{{nobody}}", "overlap": "allow", "session": {"policy": "continue"},
        "trigger": {"type": "schedule", "cron": "60 * * * *", "time_zone": "Berlin"}})
    assert faults(response) == [("#/overlap", "not_allowed"), ("#/message", "unknown_variable"),
                                ("#/trigger/cron", "invalid_cron"),
                                ("#/trigger/time_zone", "unknown_time_zone")]
    assert faults(ana.request("POST", "/automations", {
        "name": "Late", "message": "hello",
        "trigger": {"type": "schedule", "at": "2020-01-01T00:00:00Z", "time_zone": "UTC"}})) == [
            ("#/trigger/at", "never_fires")]


SCHEDULE = {"type": "schedule", "cron": "0 9 * * *", "time_zone": "UTC"}


@pytest.mark.parametrize("fields, status, fault", [
    ({"session": {"policy": "continue", "session_id": "ses_unknown"}}, 404, None),
    ({"trigger": {"type": "event", "event_types": ["chat.*"], "session_id": "ses_unknown"}}, 404, None),
    ({"trigger": {"type": "event", "event_types": ["chat.*"], "automation_id": "aut_unknown"}}, 404, None),
    ({"message": "{{text"}, 422, ("#/message", "unknown_variable")),
    ({"trigger": SCHEDULE, "variables": [{"name": "text", "required": True, "default": "x"}]}, None, None)])
def test_preview_creation_and_change_refuse_the_same(ana, fields, status, fault):
    made = created(ana)
    body = {"name": "x", "message": "hello", **fields}
    answers = [ana.request("POST", "/automations/preview", body), ana.request("POST", "/automations", body),
               ana.request("PATCH", f"/automations/{made['id']}", fields)]
    assert [each.status for each in answers] == ([status] * 3 if status else [200, 201, 200])
    if fault:
        assert [faults(each) for each in answers] == [[fault]] * 3


def test_preview_warns_of_variables_that_are_not_used(ana):
    shown = ana.request("POST", "/automations/preview", {
        "name": "x", "message": "{{title}}", "variables": [{"name": "title", "default": "a"}, {"name": "titel"}]})
    assert shown.json()["warnings"] == ["The message does not contain the variable {{titel}}."]


def test_times_come_back_in_utc(ana):
    made = created(ana, trigger={**SCHEDULE, "every_weeks": 2, "starts_at": "2030-01-02T03:04:05+02:00",
                                 "ends_at": "2031-01-01T00:00:00.5Z"})
    assert made["trigger"]["starts_at"] == "2030-01-02T01:04:05.000Z"
    assert made["trigger"]["ends_at"] == "2031-01-01T00:00:00.500Z"
    once = created(ana, trigger={"type": "schedule", "at": "2030-01-02T03:04:05-05:30", "time_zone": "UTC"})
    assert once["trigger"]["at"] == "2030-01-02T08:34:05.000Z" == once["next_at"]


def test_others_do_not_see_it(house, ana):
    made = created(ana)
    run = ended(ana, started(ana, made))
    ben = automator(house, "ben")
    own = created(ben, session={"policy": "continue"})
    refused(ben.request("PATCH", f"/automations/{own['id']}", {
        "session": {"policy": "continue", "session_id": run["session_id"]}}), 404, "not_found")
    for method, path, body in [("GET", f"/automations/{made['id']}", None),
                               ("PATCH", f"/automations/{made['id']}", {"paused": True}),
                               ("DELETE", f"/automations/{made['id']}", None),
                               ("POST", f"/automations/{made['id']}/runs", {}),
                               ("GET", f"/automations/{made['id']}/runs", None),
                               ("GET", f"/automations/{made['id']}/occurrences", None),
                               ("GET", f"/automation_runs/{run['id']}", None),
                               ("POST", f"/automation_runs/{run['id']}/cancel", None),
                               ("POST", f"/automation_runs/{run['id']}/retry", None)]:
        refused(ben.request(method, path, body), 404, "not_found")
    assert [each["id"] for each in ben.pages("/automations")] == [own["id"]]
    assert not ben.pages("/automation_runs")


def test_scopes_are_needed(house):
    reader = chats.somebody(house, "rita", scopes=["automation:read", "account"])
    problem = refused(reader.request("POST", "/automations", {"name": "A", "message": "b"}), 403,
                      "insufficient_scope", "required_scope")
    assert problem["required_scope"] == "automation:write"
    writer = chats.somebody(house, "wim", scopes=["automation:read", "automation:write"])
    problem = refused(writer.request("POST", "/automations", {"name": "A", "message": "b"}), 403,
                      "insufficient_scope", "required_scope")
    assert problem["required_scope"] == "chat:write"
    ana = automator(house, "una")
    narrow = chats.Person(house, house.make_token(
        ana.token, scopes=["automation:read", "automation:write"])["token"])
    made = created(ana, message="{error:upstream_error}", retry={"max_attempts": 1, "backoff_s": 1})
    failed = ended(ana, started(ana, made))
    path = f"/automations/{made['id']}"
    for method, target, body in (("POST", f"{path}/runs", {}), ("POST", f"/automation_runs/{failed['id']}/retry", None),
                                 ("PATCH", path, {"message": "other"}), ("POST", f"{path}/hook/rotate", {})):
        problem = refused(narrow.request(method, target, body), 403, "insufficient_scope", "required_scope")
        assert problem["required_scope"] == "chat:write"
    assert [each["id"] for each in rows(ana, made)] == [failed["id"]] and ana.get(path)["revision"] == 1
    chatter = chats.somebody(house, "carl")
    refused(chatter.request("GET", "/automations"), 403, "insufficient_scope", "required_scope")


def test_one_whose_model_is_gone_can_be_paused(start, tmp_path):
    settings = {**SETTINGS, "models.extra.engine": "scripted"}
    house = chats.LastingHouse(start, tmp_path, settings)
    ana = automator(house, "ana")
    made = created(ana, model="extra", trigger=SCHEDULE)
    del settings["models.extra.engine"]
    house.restart()
    path = f"/automations/{made['id']}"
    refused(ana.request("PATCH", path, {"name": "other"}), 422, "unknown_model")
    assert ana.request("PATCH", path, {"paused": True}).json()["state"] == "paused"
    refused(ana.request("PATCH", path, {"paused": False}), 422, "unknown_model")
    assert ana.request("PATCH", path, {"paused": False, "model": None}).json()["state"] == "active"
    house.server.stop()


def test_deleting_cancels_what_runs(ana):
    made = created(ana, message="{first_delay_ms:60000}")
    run = started(ana, made)
    running = people.until(lambda: row(ana, run)["run_id"])
    assert ana.request("DELETE", f"/automations/{made['id']}").status == 204
    assert ana.ended(running)["status"] == "cancelled"
    refused(ana.request("GET", f"/automation_runs/{run['id']}"), 404, "not_found")


def test_it_runs_at_its_time_and_once(ana):
    due = in_seconds(5)
    made = created(ana, message="It is {{run.local_time}}.",
                   trigger={"type": "schedule", "at": due, "time_zone": "UTC"})
    assert made["next_at"][:19] == due[:19]
    [run] = people.until(lambda: rows(ana, made))
    assert run["trigger"] == "schedule" and run["key"] == run["scheduled_for"] == made["next_at"]
    assert 0 <= people.at(run["created_at"]) - people.at(run["scheduled_for"]) < 10
    assert ended(ana, run)["message"] == f"It is {due[11:16]}."
    now = ana.get(f"/automations/{made['id']}")
    assert (now["state"], now["next_at"]) == ("ended", None)
    assert len(rows(ana, made)) == 1


def test_nothing_is_due_while_it_is_paused(ana):
    made = created(ana, paused=True, trigger={"type": "schedule", "at": in_seconds(4), "time_zone": "UTC"})
    later = created(ana, trigger={"type": "schedule", "at": in_seconds(5), "time_zone": "UTC"})
    people.until(lambda: rows(ana, later))
    assert rows(ana, made) == []


def test_a_preview_shows_clock_changes(ana):
    def preview(**fields):
        response = ana.request("POST", "/automations/preview", {"name": "P", "message": "hello", **fields})
        assert response.status == 200, response.body
        return response.json()
    berlin = {"type": "schedule", "cron": "30 2 * * *", "time_zone": "Europe/Berlin"}
    spring = preview(trigger=berlin, count=3, **{"from": "2027-03-26T12:00:00Z"})
    assert [(each["scheduled_for"], each["note"]) for each in spring["occurrences"]] == [
        ("2027-03-27T01:30:00.000Z", None), ("2027-03-28T01:30:00.000Z", "moved_by_clock_change"),
        ("2027-03-29T00:30:00.000Z", None)]
    assert spring["occurrences"][1]["local"] == "2027-03-28T03:30:00+02:00"
    assert spring["message"] == "hello" and spring["input_tokens"] > 0 and spring["time_zone_version"]
    both = preview(trigger={**berlin, "cron": "0 9 13 * FRI"})
    assert len(both["warnings"]) == 1 and len(both["occurrences"]) == 10
    assert ana.pages("/automations", q="P") == []


@pytest.mark.parametrize("trigger", [None, {"type": "hook"}, {"type": "event", "event_types": ["chat.*"]}])
def test_a_preview_has_a_key(ana, trigger):
    response = ana.request("POST", "/automations/preview", {"name": "P", "message": "{{run.key}}", "trigger": trigger})
    assert response.status == 200 and response.json()["message"].startswith(("key_", "evt_")), response.body


def test_a_preview_warns_of_runs_that_cannot_start(ana):
    def warnings(**fields):
        return ana.request("POST", "/automations/preview", {"name": "P", "message": "m", **fields}).json()["warnings"]
    assert len(warnings(max_output_tokens=10, output_tokens_per_day=9)) == 1
    assert warnings(max_output_tokens=10, output_tokens_per_day=10) == []
    variable = {"name": "a", "default": "123", "max_bytes": 2}
    response = ana.request("POST", "/automations", {"name": "P", "message": "{{a}}", "variables": [variable]})
    assert faults(response) == [("#/variables/0/default", "too_long")]


def test_its_events_are_in_the_log(house):
    eve = automator(house, "eve")
    made = created(eve)
    run = ended(eve, started(eve, made))
    for change in ({"paused": True}, {"paused": True}, {"paused": False}, {"paused": True, "name": "B"}, {"name": "C"}):
        assert eve.request("PATCH", f"/automations/{made['id']}", change).status == 200
    assert eve.request("DELETE", f"/automations/{made['id']}").status == 204
    events = [event for event in eve.pages("/events") if not event["type"].startswith("token.")]
    assert [event["type"] for event in events] == [
        "automation.created", "automation.run.queued", "chat.session.created", "chat.run.created",
        "chat.run.completed", "automation.run.completed", "automation.paused", "automation.resumed",
        "automation.updated", "automation.paused", "automation.updated", "automation.deleted"]
    assert events[5]["data"] == {"object": "automation.run", "id": run["id"], "automation_id": made["id"],
                                 "status": "completed"}
    assert events[4]["cause"] == {"automation_id": made["id"], "automation_run_id": run["id"], "depth": 1,
                                  "request_id": None}


def test_a_user_has_so_many():
    with chats.house({**SETTINGS, "automations.max_per_user": 2}) as house:
        ted = automator(house, "ted")
        for _ in range(2):
            created(ted)
        refused(ted.request("POST", "/automations", {"name": "A", "message": "b"}), 409, "quota_reached")
