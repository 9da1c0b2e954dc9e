"""Runs of automations: started by hand, repeated, limited, and resumed after a crash."""
import time

import pytest

import chats
import people
from automations import SCOPES, SETTINGS, automator, created, ended, in_seconds, row, rows, started
from people import faults, refused


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(SETTINGS) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def one_user(house):
    return automator(house, "ana")


def test_a_run_by_hand_asks_in_a_session(ana):
    made = created(ana, name="Greeting", message="Hello {{who}}, {{run.key}}",
                   variables=[{"name": "who", "default": "you"}], instructions="Be kind.")
    run = started(ana, made, {"variables": {"who": "{{run.key}}"}, "key": "k1"}, 200, {"Prefer": "wait=30"})
    assert run["status"] == "completed" and run["message"] == "Hello {{run.key}}, k1"
    assert run["variables"] == {"who": "{{run.key}}"} and len(run["attempts"]) == 1
    assert chats.text_of(run["run"]["user_message"]) == run["message"]
    session = ana.get(f"/chat/sessions/{run['session_id']}")
    assert session["automation_id"] == made["id"] and session["title"] == "Greeting"
    assert session["instructions"] == "Be kind."
    assert run["usage"]["output_tokens"] > 0
    again = ana.request("POST", f"/automations/{made['id']}/runs", {"key": "k1"})
    assert again.status == 200 and again.header("idempotency-replayed") == "true"
    assert again.json()["id"] == run["id"]
    assert [each["id"] for each in rows(ana, made)] == [run["id"]]
    assert ana.get(f"/automations/{made['id']}")["last_run"] == run["id"]


def test_a_known_key_gives_its_run_whatever_the_values_are_now(ana):
    made = created(ana, message="Hello {{who}}", variables=[{"name": "who", "required": True}])
    first = started(ana, made, {"variables": {"who": "Eva"}, "key": "k1"})
    keyed = started(ana, made, {"variables": {"who": "Ida"}}, headers={"Idempotency-Key": "request-1"})
    ana.request("PATCH", f"/automations/{made['id']}", {
        "message": "Bye {{name}}", "variables": [{"name": "name", "required": True}]})
    again = ana.request("POST", f"/automations/{made['id']}/runs", {"variables": {"who": "Eva"}, "key": "k1"})
    assert (again.status, again.json()["id"]) == (200, first["id"]), again.body
    assert again.header("idempotency-replayed") == "true"
    repeated = ana.request("POST", f"/automations/{made['id']}/runs", {"variables": {"who": "Ida"}},
                           {"Idempotency-Key": "request-1"})
    assert (repeated.status, repeated.json()["id"]) == (200, keyed["id"]), repeated.body
    other = ana.request("POST", f"/automations/{made['id']}/runs", {"variables": {"who": "Eva"}},
                        {"Idempotency-Key": "request-1"})
    refused(other, 422, "idempotency_mismatch")
    mixed = ana.request("POST", f"/automations/{made['id']}/runs", {"inputs": [
        {"key": "k1", "variables": {"who": "Eva"}}, {"key": "k2", "variables": {"who": "Eva"}}]})
    assert {where for where, _ in faults(mixed)} <= {"#/inputs/1/variables/who", "#/inputs/1/variables/name"}
    both = started(ana, made, {"inputs": [{"key": "k1"}, {"key": "k2", "variables": {"name": "Eva"}}]})["data"]
    assert both[0]["id"] == first["id"] and both[1]["message"] == "Bye Eva"


def test_runs_name_the_run_of_their_automation(ana):
    row = ended(ana, started(ana, created(ana)))
    assert row["run"]["automation_run_id"] == row["id"]
    assert ana.get(f"/chat/runs/{row['run_id']}")["automation_run_id"] == row["id"]
    listed = {each["id"]: each["automation_run_id"] for each in ana.pages("/chat/runs")}
    assert listed[row["run_id"]] == row["id"]
    assert ana.ask("hello")["automation_run_id"] is None


def test_values_that_no_variable_reads_are_refused(ana):
    made = created(ana, message="{{title}}", variables=[{"name": "title", "default": "a"},
                                                        {"name": "text", "pointer": "/issue/body"}])
    path = f"/automations/{made['id']}/runs"
    assert faults(ana.request("POST", path, {"variables": {"titel": "b", "a/b": 1}})) == [
        ("#/variables/titel", "unknown_variable"), ("#/variables/a~1b", "unknown_variable")]
    assert faults(ana.request("POST", path, {"inputs": [{"variables": {"title": "b"}},
                                                        {"variables": {"body": "b"}}]})) == [
        ("#/inputs/1/variables/body", "unknown_variable")]
    assert not rows(ana, made)
    started(ana, made, {"variables": {"title": "b", "issue": {"number": 1, "body": "c"}}})
    whole = created(ana, message="{{all}}", variables=[{"name": "all", "pointer": ""}])
    started(ana, whole, {"variables": {"anything": 1}})


def test_a_session_goes_on(ana):
    made = created(ana, session={"policy": "continue"})
    first, second = [ended(ana, started(ana, made)) for _ in range(2)]
    assert first["session_id"] == second["session_id"]
    assert len(ana.messages(first["session_id"])) == 4
    assert ana.get(f"/automations/{made['id']}")["session"]["session_id"] == first["session_id"]


def test_old_sessions_go(ana):
    made = created(ana, session={"policy": "new", "keep": 1})
    runs = [ended(ana, started(ana, made)) for _ in range(3)]
    left = people.until(lambda: [run for run in map(lambda each: row(ana, each), runs) if not run["session_id"]])
    assert runs[0]["id"] in {run["id"] for run in left}
    assert row(ana, runs[2])["session_id"]


def test_a_kept_session_stays(ana):
    made = created(ana, session={"policy": "new", "keep": 1})
    first = ended(ana, started(ana, made))
    path = f"/chat/sessions/{first['session_id']}"
    assert ana.get(path)["keep"] is False
    kept = ana.request("PATCH", path, {"keep": True})
    assert kept.status == 200 and kept.json()["keep"] is True
    for _ in range(3):
        last = ended(ana, started(ana, made))
    people.until(lambda: len(ana.pages("/chat/sessions", automation=made["id"])) <= 2)
    left = {each["id"] for each in ana.pages("/chat/sessions", automation=made["id"])}
    assert left == {first["session_id"], last["session_id"]}


def test_sessions_are_listed_by_automation(house):
    person = automator(house, "lister")
    made, other = created(person), created(person)
    of_made = [ended(person, started(person, made))["session_id"] for _ in range(2)]
    of_other = ended(person, started(person, other))["session_id"]
    own = person.ask("hello")["session_id"]

    def listed(**query):
        return [each["id"] for each in person.pages("/chat/sessions", limit=1, **query)]
    assert listed() == listed(automation="any") == [own, of_other, *reversed(of_made)]
    assert listed(automation="none") == [own]
    assert listed(automation=made["id"]) == [*reversed(of_made)]
    assert listed(automation="aut_none") == []
    assert person.request("GET", "/chat/sessions?automation=some").status == 422
    page = person.get("/chat/sessions?automation=any&limit=1")
    assert person.request("GET", "/chat/sessions?automation=none&limit=1&after=" +
                          page["next_cursor"]).status == 400


def test_many_inputs_are_entered_all_or_none(ana):
    made = created(ana, message="{{n}}", variables=[{"name": "n", "required": True}])
    inputs = [{"key": f"row-{n}", "variables": {"n": n}} for n in range(20)]
    response = ana.request("POST", f"/automations/{made['id']}/runs",
                           {"inputs": [*inputs, {"key": "bad"}, {"key": "row-1", "variables": {"n": 1}}]})
    assert faults(response) == [("#/inputs/20/variables/n", "required"), ("#/inputs/21/key", "duplicate")]
    assert rows(ana, made) == []
    batch = started(ana, made, {"inputs": inputs})
    assert people.is_id(batch["batch_id"], "bat") and [each["key"] for each in batch["data"]] == [
        each["key"] for each in inputs]
    for each in batch["data"]:
        run = ended(ana, each)
        assert run["status"] == "completed" and run["batch_id"] == batch["batch_id"]
    assert len(rows(ana, made, batch=batch["batch_id"], status="completed")) == 20
    again = started(ana, made, {"inputs": inputs}, 200)
    assert [each["id"] for each in again["data"]] == [each["id"] for each in batch["data"]]


def test_a_batch_has_a_size(ana):
    made = created(ana, message="{{t}}" + "z" * 130_000, variables=[{"name": "t"}])
    response = ana.request("POST", f"/automations/{made['id']}/runs", {"inputs": [{} for _ in range(1000)]})
    assert faults(response) == [("#/inputs", "too_long")]
    assert rows(ana, made) == []


def test_the_same_request_starts_once(ana):
    made = created(ana)
    for body in ({}, {"inputs": [{}, {}]}):
        first, again = [ana.request("POST", f"/automations/{made['id']}/runs", body,
                                    {"Idempotency-Key": f"start-{len(body)}"}) for _ in range(2)]
        assert (first.status, again.status) == (202, 200) and again.header("idempotency-replayed") == "true"
        ids = [[each["id"] for each in response.json().get("data", [response.json()])]
               for response in (first, again)]
        assert ids[0] == ids[1]
    assert len(rows(ana, made)) == 3
    other = created(ana)
    for automation, body in ((made, {"key": "x"}), (made, {"inputs": [{}]}), (other, {})):
        response = ana.request("POST", f"/automations/{automation['id']}/runs", body,
                               {"Idempotency-Key": "start-0"})
        refused(response, 422, "idempotency_mismatch")
    assert len(rows(ana, made)) == 3 and rows(ana, other) == []


def test_changes_at_the_same_time_do_not_get_lost(ana):
    made = created(ana)

    def change(number):
        return ana.request("PATCH", f"/automations/{made['id']}", {"metadata": {"n": str(number)}}).status
    assert people.at_once(16, change) == [200] * 16
    assert ana.get(f"/automations/{made['id']}")["revision"] == 17


def test_overlap(ana):
    slow = {"message": "{first_delay_ms:4000} hi"}  # A busy machine must be able to start two in this time.
    skips = created(ana, overlap="skip", **slow)
    first = started(ana, skips)
    refused(ana.request("POST", f"/automations/{skips['id']}/runs", {}), 409, "automation_busy")
    assert ended(ana, first)["status"] == "completed"
    queues = created(ana, overlap="queue", message="{first_delay_ms:500} hi")
    first, second = started(ana, queues), started(ana, queues)
    assert people.at(ended(ana, second)["started_at"]) >= people.at(ended(ana, first)["completed_at"])
    allows = created(ana, overlap="allow", **slow)
    first, second = started(ana, allows), started(ana, allows)
    assert people.at(ended(ana, second)["started_at"]) < people.at(ended(ana, first)["completed_at"])
    cancels = created(ana, overlap="cancel", **slow)
    first, second = started(ana, cancels), started(ana, cancels)
    assert ended(ana, second)["status"] == "completed" and ended(ana, first)["status"] == "cancelled"


def test_a_failed_attempt_is_repeated(ana):
    made = created(ana, message="{error:upstream_error}", retry={"max_attempts": 3, "backoff_s": 1})
    run = ended(ana, started(ana, made))
    assert run["status"] == "failed" and run["error"]["code"] == "upstream_error"
    assert [each["status"] for each in run["attempts"]] == ["failed"] * 3
    times = [people.at(each["started_at"]) for each in run["attempts"]]
    ends = [people.at(each["completed_at"]) for each in run["attempts"]]
    assert times[1] - ends[0] >= 1 and times[2] - ends[1] >= 2
    assert len([each for each in ana.messages(run["session_id"]) if each["role"] == "user"]) == 1
    # An edit does not change what is already due.
    assert ana.request("PATCH", f"/automations/{made['id']}", {"message": "fine"}).status == 200
    again = ana.request("POST", f"/automation_runs/{run['id']}/retry")
    assert again.status == 202, again.body
    run = ended(ana, run)
    assert run["status"] == "failed" and len(run["attempts"]) == 4 and run["message"] == made["message"]
    refused(ana.request("POST", f"/automation_runs/{ended(ana, started(ana, made))['id']}/retry"), 409,
            "conflict")


def test_a_retry_begins_once_a_disabled_user_is_enabled(house):
    owner = house.add("erna")
    erna = chats.Person(house, house.token_for(owner, scopes=SCOPES)["token"])
    made = created(erna, message="{error:upstream_error}", retry={"max_attempts": 2, "backoff_s": 5})
    run = started(erna, made)
    path = f"/automation_runs/{run['id']}"
    people.until(lambda: erna.get(path)["status"] == "waiting")
    user = f"/users/{owner['id']}"
    assert house.ask("PATCH", user, house.admin, {"disabled": True}).status == 200
    time.sleep(6)
    assert house.ask("PATCH", user, house.admin, {"disabled": False}).status == 200
    # Long before the ledger is looked at again.
    people.until(lambda: len(erna.get(path)["attempts"]) == 2, 20)


def test_it_pauses_after_failures(ana):
    made = created(ana, message="{error:upstream_error}", retry={"max_attempts": 1},
                   pause_after_failures=2)
    for _ in range(2):
        assert ended(ana, started(ana, made))["status"] == "failed"
    now = ana.get(f"/automations/{made['id']}")
    assert (now["state"], now["pause_reason"], now["consecutive_failures"]) == ("paused", "failures", 2)
    resumed = ana.request("PATCH", f"/automations/{made['id']}", {"paused": False}).json()
    assert (resumed["state"], resumed["consecutive_failures"]) == ("active", 0)


def test_a_budget_of_tokens(ana):
    made = created(ana, message="{words:30}", overlap="allow", max_output_tokens=400,
                   output_tokens_per_day=1000)
    batch = started(ana, made, {"inputs": [{} for _ in range(8)]})
    runs = [ended(ana, each) for each in batch["data"]]
    assert {run["status"] for run in runs} <= {"completed", "skipped"}
    assert any(run["status"] == "completed" for run in runs)
    assert all(run["skip_reason"] == "budget" for run in runs if run["status"] == "skipped")
    assert sum(run["usage"]["output_tokens"] for run in runs if run["usage"]) <= 1000


def test_a_run_can_be_cancelled(ana):
    made = created(ana, message="{first_delay_ms:60000}")
    run = started(ana, made)
    waiting = started(ana, made)
    people.until(lambda: row(ana, run)["status"] == "running")
    for each in (waiting, run):
        response = ana.request("POST", f"/automation_runs/{each['id']}/cancel")
        assert response.status == 200 and response.json()["status"] == "cancelled", response.body
    assert ana.request("POST", f"/automation_runs/{run['id']}/cancel").json()["status"] == "cancelled"


def test_a_user_may_have_a_limit_of_starts_of_their_own(house):
    eva = automator(house, "eva")
    user = eva.get("/me")["id"]

    def limit(number):
        assert house.ask("PATCH", f"/users/{user}", house.admin, {"limits": {"automation": number}}).status == 200
    limit(1)
    made = created(eva, overlap="allow")
    first, second = [started(eva, made) for _ in range(2)]
    assert ended(eva, first)["status"] == "completed"
    assert eva.get("/limits")["data"][-1]["limit"] == 1
    assert row(eva, second)["status"] == "queued"
    limit(3)
    third = started(eva, made)
    assert {ended(eva, run)["status"] for run in (second, third)} == {"completed"}


def test_runs_of_a_token_with_a_limit_do_not_hold_up_others(house):
    wide = automator(house, "nora")
    narrow = chats.Person(house, house.make_token(wide.token, scopes=SCOPES, limits={"automation": 1})["token"])
    made = created(wide, overlap="allow")
    batch = started(narrow, made, {"inputs": [{"key": f"row-{i}"} for i in range(100)]})["data"]
    assert ended(narrow, batch[0])["status"] == "completed"
    shown = narrow.get("/limits")["data"][-1]
    assert (shown["limit"], shown["remaining"]) == (1, 0)
    assert ended(wide, started(wide, made))["status"] == "completed"
    assert [each["status"] for each in rows(narrow, made, status="queued")] == ["queued"] * 99


def test_a_raised_limit_of_a_token_counts_at_once(house):
    owner = automator(house, "vera")
    made = owner.request("POST", "/tokens", {"name": "narrow", "scopes": SCOPES,
                                             "limits": {"automation": 1}}).json()
    narrow = chats.Person(house, made["token"])
    automation = created(narrow, overlap="allow")
    batch = started(narrow, automation, {"inputs": [{} for _ in range(4)]})["data"]
    people.until(lambda: sum(row(owner, each)["status"] == "completed" for each in batch) == 1)
    begun = time.monotonic()
    assert owner.request("PATCH", f"/tokens/{made['id']}", {"limits": {"automation": 10}}).status == 200
    for each in batch:
        assert ended(owner, each)["status"] == "completed"
    assert time.monotonic() - begun < 30, "not only when the minute is over"


def test_starts_wait_for_the_limit():
    with chats.house({**SETTINGS, "limits.automation": 3}) as house:
        ana = automator(house, "ana")
        made = created(ana, overlap="allow")
        begun = time.monotonic()
        batch = started(ana, made, {"inputs": [{} for _ in range(5)]})
        people.until(lambda: sum(row(ana, each)["status"] == "completed" for each in batch["data"]) == 3)
        assert ana.ask("hello")["status"] == "completed"  # A person does not wait.
        assert sorted(row(ana, each)["status"] for each in batch["data"]) == ["completed"] * 3 + ["queued"] * 2
        limit = ana.get("/limits")["data"][-1]
        assert 59 - (time.monotonic() - begun) <= limit.pop("reset_seconds") <= 60
        assert limit == {"class": "automation", "limit": 3, "window_seconds": 60, "remaining": 0}
        assert automator(house, "ben").get("/limits")["data"][-1]["remaining"] == 3


def test_people_come_first():
    settings = {**SETTINGS, "runs.max_concurrent": 2, "automations.max_concurrent": 2}
    with chats.house(settings) as house:
        ana, ben = (automator(house, name) for name in ("ana", "ben"))
        # Long enough for a busy machine to ask all that follows meanwhile.
        asked = [who.begin("{first_delay_ms:12000}first") for who in (ana, ben)]
        run = started(ana, created(ana))
        people.until(lambda: row(ana, run)["status"] == "running")
        waiting = ana.run(row(ana, run)["run_id"])
        assert (waiting["status"], waiting["queue_position"]) == ("queued", 1)
        behind = [who.begin("{first_delay_ms:700}second") for who in (ben, ana)]
        assert ana.run(waiting)["queue_position"] == 3
        ends = [who.ended(each)["started_at"] for who, each in zip((ana, ben, ben, ana), asked + behind)]
        last = ended(ana, run)["run"]
        assert last["status"] == "completed" and last["started_at"] >= max(ends)


def test_a_retry_survives_a_crash(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data", {"limits.automation": 1000})
    ana = automator(house, "ana")
    made = created(ana, message="{error:upstream_error}", retry={"max_attempts": 3, "backoff_s": 2})
    run = started(ana, made)
    people.until(lambda: row(ana, run)["status"] == "waiting")
    house.kill()
    house.come_back()
    run = ended(ana, run)
    assert run["status"] == "failed" and [each["status"] for each in run["attempts"]] == ["failed"] * 3
    begun = [people.at(each["started_at"]) for each in run["attempts"]]
    ends = [people.at(each["completed_at"]) for each in run["attempts"]]
    assert begun[1] - ends[0] >= 2 and begun[2] - ends[1] >= 4, "never early"
    assert len([each for each in ana.messages(run["session_id"]) if each["role"] == "user"]) == 1


def test_due_times_survive_a_crash(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data", {"limits.automation": 1000})
    ana = automator(house, "ana")
    made = created(ana, trigger={"type": "schedule", "at": in_seconds(4), "time_zone": "UTC"})
    slow = created(ana, message="{first_delay_ms:4000} {words:5}")
    run = started(ana, slow)
    people.until(lambda: row(ana, run)["status"] == "running")
    house.kill()
    people.until(lambda: in_seconds(0) > made["next_at"])
    house.come_back()
    [late] = people.until(lambda: rows(ana, made))
    assert ended(ana, late)["status"] == "completed" and len(rows(ana, made)) == 1
    again = ended(ana, run)
    assert again["status"] == "completed" and len(again["attempts"]) == 1
    assert len(ana.messages(again["session_id"])) == 2
